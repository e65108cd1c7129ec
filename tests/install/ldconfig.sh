#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An installation tells the loader where that is its business, and nowhere else. `id` and `ldconfig`
# are stand-ins: the cache that the real one makes is in the scratch folder.
# usage: ldconfig.sh BUILD-DIR
set -euo pipefail
build=$1
unset DESTDIR
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "ldconfig: $*" >&2; exit 1; }
real=$(PATH=$PATH:/usr/sbin:/sbin command -v ldconfig)
prefix=$scratch/prefix

mkdir "$scratch/bin"
cat >"$scratch/bin/id" <<'EOF'
#!/bin/sh
echo "$STAND_IN_USER"
EOF
cat >"$scratch/bin/ldconfig" <<EOF
#!/bin/sh
echo "\$*" >>"$scratch/calls"
[ "\$*" ] || [ ! -e "$scratch/broken" ] || exit 1
exec "$real" -X -C "$scratch/cache" -f "$scratch/conf" "\$@"
EOF
chmod +x "$scratch/bin/"*
export PATH=$scratch/bin:$PATH

install_as() { # user, folder; prints how often the cache was made anew
    : >"$scratch/calls"
    STAND_IN_USER=$1 cmake -DCMAKE_INSTALL_PREFIX="$2" -P "$build/cmake_install.cmake" \
        >"$scratch/out" 2>"$scratch/err" || fail "the installation fails: $(cat "$scratch/err")"
    grep -cx '' "$scratch/calls" || true
}

library=$(cmake -DCMAKE_INSTALL_PREFIX="$prefix" -P "$build/cmake_install.cmake" |
    sed -n 's/^-- [^:]*: \(.*\)\/libztl\.so\..*/\1/p' | sort -u)
echo "$library" >"$scratch/conf"
[[ $(install_as 0 "$prefix") == 1 && ! -s $scratch/err ]] || fail 'root, a folder of the loader'
"$real" -C "$scratch/cache" -p | grep "libztl\.so.* => $library/" >/dev/null || fail 'libztl.so is not found'
"$real" -C "$scratch/cache" -p | grep "libztlops\.so.* => $library/" >/dev/null || fail 'nor is libztlops.so'
[[ $(install_as 1000 "$prefix") == 0 ]] || fail 'not root'
[[ $(install_as 0 "$scratch/other") == 0 ]] || fail 'a folder that the loader does not search'
[[ $(DESTDIR=$scratch/stage install_as 0 "$prefix") == 0 ]] || fail 'DESTDIR'
touch "$scratch/broken"
[[ $(install_as 0 "$prefix") == 1 ]] && grep -q 'ldconfig failed' "$scratch/err" ||
    fail 'no word about an ldconfig that fails'
