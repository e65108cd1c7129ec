#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# find_package(ztl) with components: those that there are, others, and a library that is missing.
# usage: components.sh BUILD-DIR
set -euo pipefail
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "components: $*" >&2; exit 1; }
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null

find_it() { # what stands behind find_package(ztl, in words; prints what is found
    cat >"$scratch/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES NONE)
find_package(ztl $*)
foreach(target ztl ztl_static ztlops ztlops_static ztlmovers ztlmovers_static ztltiming
               ztltiming_static)
  if(TARGET ztl::\${target})
    string(APPEND found " \${target}")
  endif()
endforeach()
message("ztl \${ztl_FOUND} ops \${ztl_ops_FOUND} other \${ztl_other_FOUND}:\${found}")
EOF
    rm -rf "$scratch/user"
    cmake -S "$scratch" -B "$scratch/user" -DCMAKE_PREFIX_PATH="$scratch/prefix" 2>&1
}
all='ztl ztl_static ztlops ztlops_static ztlmovers ztlmovers_static ztltiming ztltiming_static'

for components in '' ops movers timing 'ops timing' 'ops OPTIONAL_COMPONENTS timing'; do
    out=$(find_it 0.1 REQUIRED ${components:+COMPONENTS $components}) || fail "$components: $out"
    [[ $out == *"ztl 1 ops TRUE other : $all"* ]] || fail "$components: $out"
done
out=$(find_it REQUIRED OPTIONAL_COMPONENTS other ops)
[[ $out == *"ztl 1 ops TRUE other : $all"* ]] || fail "an optional component: $out"

why='there is no component other; there are: ops movers timing'
out=$(find_it COMPONENTS ops other) || fail "a component that is not there, not required: $out"
[[ $out == *"$why"*"ztl 0 ops TRUE other :"* && $out != *ztlops* ]] || fail "not required: $out"
! out=$(find_it REQUIRED COMPONENTS other) || fail "a component that is not there: $out"
[[ $(tr -s ' \n' ' ' <<<"$out") == *"Reason given by package: $why"* ]] || fail "no reason: $out"

export PKG_CONFIG_LIBDIR=$scratch
! out=$(find_it REQUIRED) || fail "found without its libraries: $out"
[[ $out == *'it needs libelf, which pkg-config does not find'* ]] || fail "no libelf: $out"
out=$(find_it) || fail "not required, without its libraries: $out"
[[ $out == *'ztl 0'* ]] || fail "not required, without its libraries: $out"
