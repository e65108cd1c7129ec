#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a scratch place and uses what is there as a stranger would.
# usage: install.sh BUILD-DIR VERSION [FLAGS]
set -euo pipefail
build=$1 version=$2
read -ra instrument <<<"${3-}"
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "install: $*" >&2; exit 1; }

DESTDIR=$scratch/dest cmake -DCMAKE_INSTALL_PREFIX=/opt/ztl -P "$build/cmake_install.cmake" >/dev/null
mv "$scratch/dest/opt/ztl" "$scratch/moved" # an installed tree may be moved
prefix=$scratch/moved
[[ -z $(find "$scratch/dest" -type f) ]] || fail "files outside the prefix"

for file in bin/ztl include/ztl/ztl.h include/ztl/isa.h include/ztl/isa/ztl.def \
    include/ztl/isa/csr.def share/man/man1/ztl.1 share/man/man1/ztl-isa.1 share/man/man3/ztl.3 \
    share/man/man1/ztl-as.1 share/man/man1/ztl-cc.1 share/man/man1/ztl-dis.1 \
    share/man/man1/ztl-run.1 share/man/man1/ztl-qemu.1 share/man/man3/ztl_intrin.3 \
    share/doc/ztl/isa.md share/doc/ztl/zh/isa.md share/doc/ztl/pictures/load.svg share/doc/ztl/zh/pictures/load.svg share/doc/ztl/toolchain.md share/ztl/ztl.py share/ztl/ztl-riscv64.cmake \
    share/ztl/examples/transpose.c share/ztl/examples/expected/transpose.txt \
    include/ztl/ops.h include/ztl/ops_new.h include/ztl/movers.h include/ztl/ops/operators.def include/ztl/ops/formats.def share/doc/ztl/operators.md \
    share/man/man1/ztl-op.1 share/man/man3/ztl_ops.3 include/ztl/intrin.h include/ztl/timing.h \
    include/ztl/region.h share/man/man1/ztl-timing.1 share/doc/ztl/timing-plain.svg bin/ztl-qemu \
    libexec/ztl/bin/as; do
    [[ -s $prefix/$file ]] || fail "no $file"
done
shared=$(find "$prefix" -name "libztl.so.$version")
[[ $shared ]] || fail "no libztl.so.$version"
lib=$(dirname "$shared")
[[ -e $lib/libztl.a && -L $lib/libztl.so ]] || fail "no libztl.a or libztl.so"
soversion=${version%%.*}
[[ $soversion != 0 ]] || soversion=${version%.*} # 0.x: a minor version may change the ABI
objdump -p "$shared" | grep "SONAME *libztl\.so\.$soversion$" >/dev/null || fail "wrong soname"
[[ $("$prefix/bin/ztl" --version) == "ztl $version" ]] || fail "wrong version"

# Only our own names leave the library.
for library in "$shared" "$lib/libztlops.so" "$lib/libztlmovers.so" "$lib/libztltiming.so"; do
    names=$(nm -D --defined-only --format=posix "$library" | cut -d' ' -f1 | grep -v '^ztl_' || true)
    [[ -z $names ]] || fail "exported without the prefix ztl_: $names"
done
for library in "$shared" "$lib/libztlops.so" "$lib/libztlmovers.so"; do # programs read the environment, libraries do not
    ! nm -D --undefined-only "$library" | grep -w getenv || fail "$library reads the environment"
done
nm -D --defined-only "$lib/libztlops.so" | grep ' ztl_ops_run$' >/dev/null || fail "no ztl_ops_run"
! nm -D --defined-only "$lib/libztlops.so" | grep ' ztl_execute$' || fail "the model is in both libraries"
nm -D --defined-only "$shared" | grep ' ztl_execute$' >/dev/null || fail "ztl_execute is not exported"

expected="$version 0x0220b55b 42"
check() {
    local out
    out=$(LD_LIBRARY_PATH=$lib "$@") || fail "$* failed"
    [[ $out == "$expected" ]] || fail "$* printed '$out', not '$expected'"
}

export PKG_CONFIG_PATH=$lib/pkgconfig
[[ $(pkg-config --modversion ztl) == "$version" ]] || fail "pkg-config: wrong version"
# It quotes for the shell.
eval "cflags=($(pkg-config --cflags ztl)) libs=($(pkg-config --libs ztl))"
eval "static_libs=($(pkg-config --static --libs ztl))"
strict=(-Wall -Wextra -Werror "${instrument[@]}")
cc=(${CC:-cc} "${strict[@]}")
"${cc[@]}" -std=c17 -pedantic "${cflags[@]}" "$here/user.c" -o "$scratch/shared" "${libs[@]}"
"${cc[@]}" "${cflags[@]}" "$here/user.c" -o "$scratch/static" -Wl,-Bstatic "${static_libs[@]}" -Wl,-Bdynamic
"${CXX:-c++}" "${strict[@]}" -std=c++17 "${cflags[@]}" -x c++ "$here/user.c" -x none -o "$scratch/plus" "${libs[@]}"
check "$scratch/shared"
check "$scratch/static"
check "$scratch/plus"
! ldd "$scratch/static" | grep -q libztl || fail "the static program needs libztl.so"

# Headers define and undefine no macro without our prefixes, not even in passing: the program may
# have one of that name. Short names are there when they are asked for.
macros() { # options; the macros that the installed files themselves touch
    (cd "$prefix/include" && printf '#include <%s>\n' ztl/*.h) |
        "${cc[@]}" -E -dD "$@" "${cflags[@]}" -x c - |
        awk -v ours="\"$prefix" '/^# [0-9]+ "/ {inside = index($0, ours)}
            inside && /^#(define|undef) / {sub(/\(.*/, "", $2); print $2}' | sort -u
}
for options in '' -DZTL_REVISION=1 -D__riscv '-D__riscv -DZTL_REVISION=1'; do
    # shellcheck disable=SC2086 # several options
    names=$(macros $options | grep -vE '^(ZTL_|__riscv_ztl_)' || true)
    [[ -z $names ]] || fail "macros without a prefix: $names"
done
names=$(macros -DZTL_INTRIN_SHORT_NAMES | grep -vE '^(ZTL_|__riscv_ztl_|tl_)' || true)
[[ -z $names ]] || fail "macros without a prefix: $names"
macros | grep -x ZTL_DIMS >/dev/null || fail "no macros found"

# The programs above with the operators.
model=$expected expected="transpose 42"
eval "libs=($(pkg-config --libs ztlops)) static_libs=($(pkg-config --static --libs ztlops))"
"${cc[@]}" -std=c17 -pedantic "${cflags[@]}" "$here/user_ops.c" -o "$scratch/shared" "${libs[@]}"
"${cc[@]}" "${cflags[@]}" "$here/user_ops.c" -o "$scratch/static" -Wl,-Bstatic "${static_libs[@]}" -Wl,-Bdynamic
"${CXX:-c++}" "${strict[@]}" -std=c++17 "${cflags[@]}" -x c++ "$here/user_ops.c" -x none -o "$scratch/plus" "${libs[@]}"
for program in shared static plus; do
    check "$scratch/$program"
done

# By the host's own instructions.
expected="moved 42"
eval "mover_libs=($(pkg-config --libs ztlmovers)) static_libs=($(pkg-config --static --libs ztlmovers))"
"${cc[@]}" -std=c17 -pedantic "${cflags[@]}" "$here/user_movers.c" -o "$scratch/shared" "${mover_libs[@]}"
"${cc[@]}" "${cflags[@]}" "$here/user_movers.c" -o "$scratch/static" -Wl,-Bstatic "${static_libs[@]}" -Wl,-Bdynamic
"${CXX:-c++}" "${strict[@]}" -std=c++17 "${cflags[@]}" -x c++ "$here/user_movers.c" -x none -o "$scratch/plus" "${mover_libs[@]}"
for program in shared static plus; do
    check "$scratch/$program"
done

# And with the cycles.
expected="cycles 42"
eval "timing_libs=($(pkg-config --libs ztltiming)) static_libs=($(pkg-config --static --libs ztltiming))"
"${cc[@]}" -std=c17 -pedantic "${cflags[@]}" "$here/user_timing.c" -o "$scratch/shared" "${timing_libs[@]}"
"${cc[@]}" "${cflags[@]}" "$here/user_timing.c" -o "$scratch/static" -Wl,-Bstatic "${static_libs[@]}" -Wl,-Bdynamic
"${CXX:-c++}" "${strict[@]}" -std=c++17 "${cflags[@]}" -x c++ "$here/user_timing.c" -x none -o "$scratch/plus" "${timing_libs[@]}"
for program in shared static plus; do
    check "$scratch/$program"
done

# The program in the manual, as it is printed there.
sed -n '/^\.Bd -literal/,/^\.Ed/{/^\./d;p}' "$prefix/share/man/man3/ztl_ops.3" >"$scratch/manual.c"
"${cc[@]}" -std=c17 -pedantic "${cflags[@]}" "$scratch/manual.c" -o "$scratch/manual" "${libs[@]}"
expected=transposed
check "$scratch/manual"
expected=$model

cp "$here/user.c" "$here/user_ops.c" "$here/user_movers.c" "$here/user_timing.c" "$scratch"
cp "$here/CMakeLists.txt.user" "$scratch/CMakeLists.txt"
cmake -S "$scratch" -B "$scratch/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="${CC:-cc}" -DCMAKE_C_FLAGS="${instrument[*]}" >/dev/null
cmake --build "$scratch/cmake" >/dev/null
check "$scratch/cmake/user_shared"
check "$scratch/cmake/user_static"
expected="transpose 42"
check "$scratch/cmake/ops_shared"
check "$scratch/cmake/ops_static"
expected="moved 42"
check "$scratch/cmake/movers_shared"
check "$scratch/cmake/movers_static"
expected="cycles 42"
check "$scratch/cmake/timing_shared"
check "$scratch/cmake/timing_static"
# The tools: gcc's own -B, and QEMU with what is installed beside it.
if command -v riscv64-linux-gnu-gcc >/dev/null && command -v qemu-riscv64 >/dev/null; then
    for file in libztl-trap.a libztl-trap.so libztl-qemu.so ztl-monitor64.bin ztl-monitor32.bin \
        riscv64-unknown-elf/rv64imac/lp64/libztl-trap.a \
        riscv64-unknown-elf/rv64imac/lp64/libztlops.a; do
        [[ -s $lib/ztl/$file ]] || fail "no $file"
    done
    printf '%s\n' '#include <stdio.h>' '#include <ztl/intrin.h>' 'int main(void) {' \
        '__riscv_ztl_csrw_tshape(0x40506);' '__asm__ volatile("tl.addi tl1, tl2, 3");' \
        'printf("%lx\n", __riscv_ztl_csrr_tshape()); }' >"$scratch/linux.c"
    riscv64-linux-gnu-gcc -B"$("$prefix/bin/ztl" cc --print-b-dir)" "${cflags[@]}" \
        "$scratch/linux.c" -o "$scratch/linux"
    [[ $("$prefix/bin/ztl-qemu" "$scratch/linux") == 40506 ]] || fail "-B and ztl-qemu"
fi
echo "installed, found and used with pkg-config and CMake, shared and static, from C and C++"
