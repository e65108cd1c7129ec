#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The portable bodies on RISC-V: compiled for it and run under qemu. A sample of the cases.
set -euo pipefail
root=$1 cc=$2 qemu=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"
"$cc" -std=c17 -O2 -static -Iinclude -I. -o "$scratch/equal" \
    tests/fast/equal.c isa/*.c model/*.c fast/*.c fast/kernels/*.c codec/*.c
"$qemu" "$scratch/equal" portable 40
