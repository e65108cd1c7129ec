#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every way of ops/search/ways/ways.def has a test of its own, at the path of the way's file.
# usage: tested.sh SOURCE-DIR
set -euo pipefail
cd "$1"
names=$(sed -n 's/^OPS_WAY([^,]*, *\([a-z0-9_]*\),.*/\1/p' ops/search/ways/ways.def)
(($(wc -w <<<"$names") >= 15)) || { echo "tested: only these ways found:" $names >&2; exit 1; }
wrong=0
for name in $names; do
    file=$(grep -l "^const ops_way ztl_ops_way_$name = " ops/search/ways/*.c ops/search/divide/*.c || true)
    if [[ ! $file ]]; then
        echo "tested: no file of ops/search/ways or ops/search/divide defines ztl_ops_way_$name" >&2
        wrong=1
    elif ! grep -q "OPS_WAY_${name^^}\b" "tests/$file" 2>/dev/null; then
        echo "tested: the way $name has no test: tests/$file must try OPS_WAY_${name^^}" >&2
        wrong=1
    fi
done
exit "$wrong"
