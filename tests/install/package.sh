#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packages hold a working installation, and a Debian package names what it needs.
# usage: package.sh BUILD-DIR VERSION
set -euo pipefail
build=$1 version=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "package: $*" >&2; exit 1; }

for kind in TGZ DEB; do
    cpack --config "$build/CPackConfig.cmake" -G $kind -B "$scratch" >"$scratch/log" 2>&1 ||
        fail "$kind: $(cat "$scratch/log")"
done
mkdir "$scratch/tgz" "$scratch/deb"
tar -C "$scratch/tgz" --strip-components=1 -xf "$scratch"/*.tar.gz
dpkg-deb -x "$scratch"/*.deb "$scratch/deb"
for prefix in "$scratch/tgz" "$scratch/deb/usr"; do
    [[ $("$prefix/bin/ztl" --version) == "ztl $version" ]] || fail "no ztl in $prefix"
    [[ -s $prefix/include/ztl/ztl.h ]] || fail "no headers in $prefix"
done

# The packages of the libraries that the host's programs load.
depends=$(dpkg-deb -f "$scratch"/*.deb Depends | sed 's/ *([^)]*)//g; s/, */\n/g' | sort)
programs=("$scratch"/deb/usr/bin/{ztl,ztl-qemu} "$(find "$scratch/deb" -name "libztl.so.$version")")
needed=$(for program in "${programs[@]}"; do
    for library in $(objdump -p "$program" | awk '$1 == "NEEDED" && $2 !~ /^ld-/ {print $2}'); do
        place=$(ldd "$program" | awk -v library="$library" '$1 == library {print $3}')
        folder=$(dirname "$place")
        dpkg -S "*/${folder##*/}/$library"
    done
done | cut -d: -f1 | sort -u)
[[ $depends == "$needed" ]] || fail "depends on $depends, but needs $needed"
