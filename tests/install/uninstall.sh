#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make uninstall removes what make install installed, an older version's files and Python's too, and
# nothing else; it refuses where there is no list, or a list that names files elsewhere.
# usage: uninstall.sh SOURCE-DIR BUILD-DIR
set -euo pipefail
source=$1 build=$2
unset DESTDIR
scratch=$(realpath "$(mktemp -d)")
trap 'rm -rf "$scratch"' EXIT
fail() { echo "uninstall: $*" >&2; exit 1; }
tool=$source/tools/uninstall
install() { cmake --install "$build" --prefix "$1" | "$tool" --record "$1"; }
present() { (cd "$1" && find . -mindepth 1 -printf '%P\n' | LC_ALL=C sort); }

# make does what is tested here.
would=$(make -C "$source" -n install uninstall BUILD="$scratch" PREFIX=/a/b DESTDIR=/c)
grep -F 'cmake --install' <<<"$would" | grep -F -- '--prefix /a/b |' |
    grep -qF 'tools/uninstall --record /a/b' || fail "make install: $would"
grep -qx 'tools/uninstall /a/b' <<<"$would" || fail "make uninstall: $would"

prefix=$scratch/prefix list=share/ztl/installed.txt
mkdir -p "$prefix"/{bin,share/ztl/examples,etc}
touch "$prefix/bin/other" "$prefix/share/ztl/examples/mine.c"
before=$(present "$prefix")
install "$prefix"
diff <(cd "$prefix" && find . ! -type d ! -name other ! -name mine.c -printf '%P\n' | LC_ALL=C sort) \
    "$prefix/$list" || fail 'the list is not what is there'
mkdir "$prefix/include/ztl/old" # an older version's, in its list
touch "$prefix/include/ztl/old/gone.h"
echo include/ztl/old/gone.h >>"$prefix/$list"
install "$prefix"
grep -qx include/ztl/old/gone.h "$prefix/$list" || fail 'the older list is lost'
package=$(dirname "$(find "$prefix" -path '*/dist-packages/ztl/__init__.py')")
mkdir "$package/__pycache__"
touch "$package/__pycache__/__init__.cpython-311.pyc"
[[ $("$tool" "$prefix") == "removed "*" files from $prefix" ]] || fail 'it does not say what it did'
diff <(echo "$before") <(present "$prefix") || fail 'something is left (>) or too much is gone (<)'

! said=$("$tool" "$prefix" 2>&1) || fail 'it removes what is not there'
[[ $said == *"there is no $prefix/$list"* ]] || fail "nothing installed: $said"
touch "$scratch/kept" "$prefix/bin/ztl"
for name in ../kept "$scratch/kept" share/../../kept ''; do
    printf '%s\n' bin/ztl "$name" >"$prefix/$list"
    ! said=$("$tool" "$prefix" 2>&1) || fail "it follows '$name'"
    [[ -e $prefix/bin/ztl && -e $scratch/kept && $said == *"'$name' is no file below"* ]] ||
        fail "'$name': $said"
done

# Everything is gone in a folder of its own; in /usr the folders that are not ours stay.
export DESTDIR=$scratch/stage
install /opt/ztl
"$tool" /opt/ztl >/dev/null
[[ $(present "$DESTDIR") == opt ]] || fail "/opt/ztl: $(present "$DESTDIR")"
install /usr
"$tool" /usr >/dev/null
[[ -z $(find "$DESTDIR/usr" ! -type d -o -name 'ztl*') ]] || fail "/usr: $(present "$DESTDIR")"
[[ -d $DESTDIR/usr/bin && -d $DESTDIR/usr/share/man/man1 ]] || fail '/usr: folders are gone'
