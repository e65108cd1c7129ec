#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles isa/, model/, fast/ and codec/ unchanged, freestanding, for one target, and checks that the
# objects need nothing and keep nothing: no library but memcpy and its kin, no writable data.
# usage: cross.sh SOURCE-DIR x86_64|riscv64|riscv32|wasm32
set -euo pipefail
cd "$1"
target=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "cross $target: $*" >&2; exit 1; }

level=-O2
case $target in
x86_64) cc=(gcc -m64) level=-O3 nm=nm size=size ;;
riscv64) cc=(riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany) ;;&
riscv32) cc=(riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -mcmodel=medany) ;;&
riscv*) nm=riscv64-unknown-elf-nm size=riscv64-unknown-elf-size ;;
# With bulk memory, copies become instructions: a module has no C library to call.
wasm32) cc=(clang --target=wasm32 -mbulk-memory) level=-O3 nm=llvm-nm-14 size= ;;
*) fail "no such target" ;;
esac
# The usual build is at -O2; another level finds other warnings.
flags=(-std=c17 $level -ffreestanding -Wall -Wextra -Wshadow -Wstrict-prototypes
    -Wmissing-prototypes -Wvla -Werror -Iinclude -I.)

objects=()
for source in isa/*.c model/*.c fast/*.c fast/kernels/*.c codec/*.c; do
    object=$scratch/${source//\//_}.o
    "${cc[@]}" "${flags[@]}" -c "$source" -o "$object" || fail "$source does not compile"
    objects+=("$object")
done
((${#objects[@]} >= 20)) || fail "only ${#objects[@]} objects"

# What one object lacks and no other has, but for what every C compiler may call.
"$nm" --defined-only --format=posix "${objects[@]}" | awk 'NF > 1 {print $1}' | sort -u >"$scratch/defined"
"$nm" --undefined-only --format=posix "${objects[@]}" | awk 'NF > 1 {print $1}' | sort -u >"$scratch/wanted"
helper='_GLOBAL_OFFSET_TABLE_|memcpy|memset|memmove|memcmp|__(u?div|u?mod|mul|ashl|lshr|ashr|clz|ctz|popcount)[sdt]i[23]'
[[ $target == wasm32 ]] && helper='__stack_pointer|__memory_base|__table_base|__indirect_function_table'
outside=$(comm -13 "$scratch/defined" "$scratch/wanted" | grep -vxE "$helper" || true)
[[ -z $outside ]] || fail "needs from outside: $outside"

# Writable data would be global state. (The symbols of WebAssembly do not tell; the sources are the
# same.)
if [[ $size ]]; then
    writable=$("$size" -A "${objects[@]}" | awk '$1 ~ /^\.s?(data|bss)(\.|$)/ && $1 !~ /\.rel\.ro/ && $2 {print $1, $2}')
    [[ -z $writable ]] || fail "writable data: $writable"
fi

case $target in
wasm32)
    wasm-ld --no-entry --export=ztl_init --export=ztl_execute --export=ztl_assemble \
        --export=ztl_disassemble --export=ztl_csr_write -o "$scratch/ztl.wasm" "${objects[@]}" ||
        fail "does not link"
    [[ $(head -c 4 "$scratch/ztl.wasm" | od -An -tx1) == " 00 61 73 6d" ]] || fail "no module"
    ;;
riscv*) # and it runs: the guest's exit status counts what went wrong
    "${cc[@]}" "${flags[@]}" -nostdlib -Wl,--no-relax -Wl,--no-warn-rwx-segments \
        -fno-tree-loop-distribute-patterns \
        tests/cross/guest.c "${objects[@]}" -lgcc -o "$scratch/guest" || fail "does not link"
    "qemu-$target" "$scratch/guest" || fail "the guest failed with status $?"
    ;;
esac
echo "$target: ${#objects[@]} objects"
