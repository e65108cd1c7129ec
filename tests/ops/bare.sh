#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program of a user's plans and runs an operator on the simulated hart, with the library for bare
# harts; it prints what it prints on the host.
# usage: bare.sh ZTL LIBRARIES SOURCE-DIR
set -euo pipefail
ztl=$1 libraries=$2 source=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for kind in rv64imac/lp64 rv32imac/ilp32; do
    isa=${kind%/*}_zicsr_ztl
    "$ztl" cc --semihost -O2 -march="$isa" -mabi="${kind#*/}" -I"$source/include" -I"$source" \
        "$source/tests/install/user_ops.c" -L"$libraries/$kind" -lztlops -o "$scratch/user.elf"
    out=$("$ztl" run --isa "$isa" "$scratch/user.elf")
    [[ $out == "transpose 42" ]] || { echo "bare: $isa: printed '$out'" >&2; exit 1; }
done
