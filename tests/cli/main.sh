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
# What is mistyped: the word that is probably meant, or who lists all of them.
meant() { # message, words
    local message=$1 status=0 out
    shift
    out=$("$ztl" "$@" 2>&1 >/dev/null </dev/null) || status=$?
    [[ $status == 2 && $out == *"$message"* && $out != *$'\n'* ]] || fail "$*: $status, $out"
}
meant "ztl: unknown command 'rnu', did you mean 'run'?" rnu
meant "did you mean 'timing'?" tiimng
meant "did you mean 'help'?" hlep
meant "ztl: unknown command 'zzz'; 'ztl --help' lists them" zzz
meant "; 'ztl --help' lists them" debug
meant "ztl: unknown command 'rnu', did you mean 'run'?" help rnu
meant "ztl onnx: unknown command 'reprot', did you mean 'report'?" onnx reprot
meant "ztl onnx: unknown command 'x'; 'ztl onnx --help' lists them" onnx x
meant "ztl bench: unknown suite 'inns', did you mean 'insn'?" bench inns
meant "did you mean 'compare'?" bench compaer
meant "ztl timing: no machine 'swep', did you mean 'sweep'?" timing swep
meant "(did you mean 'four'?)" timing fuor
meant "ztl isa: --table: unknown table 'resaon', did you mean 'reason'?" isa --table resaon
meant "unknown table 'x'; 'ztl isa --help' lists them" isa --table x
meant "ztl isa: no instruction 'xpsoe', did you mean 'xpose'?" isa xpsoe
meant "ztl isa: no instruction 'tl.laod', did you mean 'tl.load'?" isa tl.laod
meant "ztl isa: no instruction 'fence'; see 'ztl isa --help'" isa fence
meant "ztl op: unknown operator 'tranpsoe', did you mean 'transpose'?" op tranpsoe
meant "ztl op flip: unknown option '--axse', did you mean '--axes'?" op flip --axse 1

# help, and help of a command, an operator, a suite
[[ $("$ztl" help) == "$help" ]] || fail "help"
for words in run isa "op pad" "onnx report" "bench insn" "timing sweep" as; do
    # shellcheck disable=SC2086 # words
    [[ $("$ztl" help $words) == "$("$ztl" $words --help)" ]] || fail "help $words"
done
[[ $("$ztl" bench -h) == "$("$ztl" bench --help)" ]] || fail "bench -h"
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
