#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The folders of ops/ include what the table of ops/README.md says, and no more; each is in it.
# usage: layers.sh SOURCE-DIR
set -euo pipefail
cd "$1/ops"
declare -A may
while IFS='|' read -r _ folder _ others _; do
    folder=${folder//[\` ]/}
    may[${folder%/}]=$others
done < <(grep '^| `[a-z/]*/` |' README.md)
((${#may[@]} > 10)) || { echo "layers: no table of folders in ops/README.md" >&2; exit 1; }
status=0
while read -r file; do
    folder=$(dirname "$file")
    if [[ -z ${may[$folder]+there} ]]; then
        echo "layers: ops/README.md says nothing of $folder/" >&2
        status=1
        continue
    fi
    while read -r included; do
        to=$(dirname "$included")
        to=${to#ops/} # tables of the top folder are everybody's
        [[ $to == ops || ${to%%/*} == "${folder%%/*}" || " ${may[$folder]} " == *" ${to%%/*} "* ]] && continue
        echo "layers: ops/$file includes $included, which ops/README.md does not list" >&2
        status=1
    done < <(sed -n 's/^#include "\(.*\)"$/\1/p' "$file")
done < <(find . -mindepth 2 \( -name '*.c' -o -name '*.h' \) -printf '%P\n' | sort)
exit $status
