#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program of a user's plans and runs an operator on the simulated hart, with the library for bare
# harts; it prints what it prints on the host.
# usage: bare.sh ZTL SOURCE-DIR
set -euo pipefail
ztl=$1 source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for kind in rv64imac/lp64 rv32imac/ilp32; do
    isa=${kind%/*}_zicsr_ztl
    for compiler in "" --clang; do
        "$ztl" cc $compiler --semihost -O2 -march="$isa" -mabi="${kind#*/}" \
            "$source/tests/install/user_ops.c" -lztlops -o "$scratch/user.elf"
        out=$("$ztl" run --isa "$isa" "$scratch/user.elf")
        [[ $out == "transpose 42" ]] || { echo "bare: $isa: printed '$out'" >&2; exit 1; }
    done
    out=$("$ztl" run --isa "$isa" -O1 "$source/tests/install/user_ops.c" -lztlops)
    [[ $out == "transpose 42" ]] || { echo "bare: $isa: run printed '$out'" >&2; exit 1; }
done
