#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ztl itself: help, version, wrong usage, and every command answers --help with an example.
# usage: main.sh ZTL VERSION
set -euo pipefail
ztl=$1 version=$2
fail() { echo "main: $*" >&2; exit 1; }

[[ $("$ztl" --version) == "ztl $version" ]] || fail "--version"
help=$("$ztl" --help)
[[ $help == usage:* ]] || fail "--help"
status=0
out=$("$ztl" nonsense 2>&1) || status=$?
[[ $status == 2 && $out == *"'nonsense'"* ]] || fail "unknown command: $status, $out"
status=0
out=$("$ztl" 2>/dev/null) || status=$?
[[ $status == 2 && -z $out ]] || fail "no command: $status, $out"

commands=$(sed -n 's/^  \([a-z]*\) .*/\1/p' <<<"$help")
[[ $commands == *isa* ]] || fail "the help does not list isa"
for command in $commands; do
    grep -q "^ *ztl $command " < <("$ztl" "$command" --help) || fail "$command --help has no example"
done
