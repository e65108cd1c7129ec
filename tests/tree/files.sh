#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every text file names its licence, and none names a place on somebody's machine.
set -euo pipefail
cd "$1"
mapfile -d '' -t files < <(tools/list-files)
((${#files[@]} > 50)) || { echo "only ${#files[@]} files" >&2; exit 1; }

status=0
for file in "${files[@]}"; do
    [[ -f $file && $file != LICENSE ]] || continue
    [[ $file != examples/expected/* ]] || continue # what a program prints, to the byte
    [[ ! -s $file ]] || grep -qI . "$file" || continue # not a text file
    head -n 5 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
        { echo "$file: no SPDX line" >&2; status=1; }
    ! grep -nE '(^|[^[:alnum:]_.$}])/(work|root|home)/' "$file" ||
        { echo "$file: a path of one machine" >&2; status=1; }
done
exit $status
