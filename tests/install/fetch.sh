#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The source tree as part of a user's CMake project, by FetchContent and by add_subdirectory: its
# programs link and run, and neither project changes how the other is compiled.
# usage: fetch.sh SOURCE-DIR VERSION fetch|subdirectory
set -euo pipefail
version=$2 how=$3
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "fetch: $*" >&2; exit 1; }

user="$scratch/a user" tree="$scratch/the tree" build="$scratch/a user/build"
mkdir -p "$user/decoys/codec" "$tree"
tar -C "$1" --exclude=./build --exclude=./.git -cf - . | tar -C "$tree" -xf -
cp "$here/CMakeLists.txt.fetch" "$user/CMakeLists.txt"
for source in user user_ops user_movers user_timing; do
    # The headers of the source tree are not the user's to include, not even by accident.
    for header in host/output.h model/model.h isa/ztl.def; do
        [[ -e $tree/$header ]] || fail "no $header"
        printf '#if __has_include("%s")\n#error %s is visible\n#endif\n' $header $header
    done >"$user/$source.c"
    cat "$here/$source.c" >>"$user/$source.c"
    cp "$user/$source.c" "$user/$source.cc"
done
# Nor are the user's headers ours, whatever their names.
for header in "$tree"/codec/*.h; do
    echo '#error not the header of the library' >"$user/decoys/codec/${header##*/}"
done

cmake -S "$user" -B "$build" -G Ninja -DHOW="$how" -DZTL="$tree" -DCMAKE_BUILD_TYPE= \
    -DFETCHCONTENT_FULLY_DISCONNECTED=ON -DCMAKE_C_COMPILER="${CC:-cc}" \
    -DCMAKE_CXX_COMPILER="${CXX:-c++}" -DCMAKE_C_FLAGS="-O0 -DZTL_FEW_PAIRS" >"$scratch/log" 2>&1 ||
    fail "cannot configure: $(cat "$scratch/log")"

# One library is enough the second time.
model="$version 0x0220b55b 42"
declare -A prints=([ztl_c]=$model [ztl_cc]=$model)
if [[ $how == fetch ]]; then
    prints+=([ztl_static_c]=$model [ztl_static_cc]=$model)
    for program in ztlops_{,static_}{c,cc}; do
        prints[$program]="transpose 42"
    done
    for program in ztlmovers_{,static_}{c,cc}; do
        prints[$program]="moved 42"
    done
    for program in ztltiming_{,static_}{c,cc}; do
        prints[$program]="cycles 42"
    done
fi
cmake --build "$build" --target "${!prints[@]}" >"$scratch/log" 2>&1 ||
    fail "cannot build: $(tail -n 30 "$scratch/log")"
for program in "${!prints[@]}"; do
    [[ $("$build/$program") == "${prints[$program]}" ]] || fail "$program"
done

# Each side has its own warnings.
python3 - "$build/compile_commands.json" "$tree" <<'EOF' || fail 'flags of one side reach the other'
import json
import sys

for step in json.load(open(sys.argv[1])):
    ours = step["file"].startswith(sys.argv[2])
    for flag, owner in (("-Wundef", False), ("-Wstrict-prototypes", True), ("-O0", None)):
        wanted = owner in (ours, None) and not (flag == "-O0" and step["file"].endswith(".cc"))
        if (flag in step["command"].split()) != wanted:
            sys.exit(f"{step['file']}: {flag} is {'missing' if wanted else 'there'}")
EOF

# Libraries only: no commands, tests or installed files, and no look for cross compilers.
! ninja -C "$build" -t targets all | grep -E '(ztl_cli|ztl-qemu|\.riscv)' || fail 'tools are built'
! grep RISCV "$build/CMakeCache.txt" || fail 'looks for cross compilers'
ctest --test-dir "$build" -N | grep 'Total Tests: 0' >/dev/null || fail 'has tests'
DESTDIR=$scratch/dest cmake --install "$build" --prefix /usr >/dev/null
[[ $(cd "$scratch/dest" && find . -type f) == ./usr/bin/ztl_c ]] || fail 'installs files'
