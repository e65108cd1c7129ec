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

# Bodies by the environment, which the program reads and not its libraries.
status=0
out=$(ZTL_BODIES=abacus "$ztl" isa 2>&1) || status=$?
[[ $status == 2 && $out == *"ZTL_BODIES"*"'abacus'"*plain* ]] || fail "ZTL_BODIES: $status, $out"
ZTL_BODIES=plain "$ztl" isa >/dev/null || fail "ZTL_BODIES=plain"

commands=$(sed -n 's/^  \([a-z]*\) .*/\1/p' <<<"$help")
[[ $commands == *isa* ]] || fail "the help does not list isa"
fits() { ! LC_ALL=C.UTF-8 grep -E '^.{81}' <<<"$2" || fail "$1 does not fit 80 columns"; }
fits --help "$help"
for command in $commands; do
    fits "$command --help" "$("$ztl" "$command" --help)"
    grep -q "^ *ztl $command " < <("$ztl" "$command" --help) || fail "$command --help has no example"
done
for operator in $("$ztl" op --help | sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do
    fits "op $operator --help" "$("$ztl" op "$operator" --help)"
done
