#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The man pages format without a warning, and every command of ztl has one.
set -euo pipefail
cd "$1"
for page in doc/man/*.[1-9]; do
    warnings=$(groff -mandoc -Tutf8 -ww -z "$page" 2>&1)
    [[ -z $warnings ]] || { echo "$page: $warnings" >&2; exit 1; }
done
while read -r command; do
    [[ -s doc/man/ztl-$command.1 ]] || { echo "no man page ztl-$command.1" >&2; exit 1; }
done < <(sed -n 's/^ZTL_COMMAND(\([a-z]*\),.*/\1/p' cli/commands.def)
