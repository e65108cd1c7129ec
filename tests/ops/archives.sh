#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The static archives define no global name without the prefix ztl_; libztlops uses nothing of
# libztl that programs cannot use.
# usage: archives.sh LIBZTL.so LIBZTL.a LIBZTLOPS.a...
set -euo pipefail
fail() {
    echo "archives: $*" >&2
    exit 1
}
names() {
    nm --format=posix "$@" | awk 'NF > 1 && !/:$/ { print $1 }' | sort -u
}
shared=$1 model=$2
shift
for archive in "$@"; do
    all=$(names -g --defined-only "$archive")
    foreign=$(grep -v '^ztl_' <<<"$all" || true)
    [[ $all && -z $foreign ]] || fail "$archive defines" $foreign
done
for archive in "${@:2}"; do
    # The archives for bare harts bring isa/ and model/float.c with them.
    private=$(comm -23 <(names -u "$archive" | grep '^ztl_') \
        <(cat <(names -D --defined-only "$shared") <(names -g --defined-only "$archive") | sort -u))
    [[ -z $private ]] || fail "$archive uses private names of $model:" $private
done
