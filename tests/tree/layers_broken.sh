#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# layers.py sees what it is for: in a copy of the tree each of these breaks makes it fail, with a
# message that names the file or the folders.
# usage: layers_broken.sh SOURCE-DIR
set -euo pipefail
source=$1
here=$(cd "$(dirname "$0")" && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
"$source/tools/list-files" | tar -C "$source" --null -T - -c | tar -C "$copy" -x
"$here/layers.py" "$copy"

# seen WHAT MESSAGE
seen() {
    if "$here/layers.py" "$copy" 2>"$copy/said" || ! grep -qF "$2" "$copy/said"; then
        echo "layers_broken: $1: not seen; layers.py said:" >&2
        cat "$copy/said" >&2
        exit 1
    fi
}

# expect WHAT MESSAGE FILE SED-SCRIPT
expect() {
    cp "$copy/$3" "$copy/kept"
    sed -i "$4" "$copy/$3"
    if cmp -s "$copy/$3" "$copy/kept"; then
        echo "layers_broken: $1: $3 has nothing to break" >&2
        exit 1
    fi
    seen "$1" "$2"
    mv "$copy/kept" "$copy/$3"
}

expect "a header of a folder above" "bench/timing.c: includes cli/command.h, but bench/ does not know cli/" \
    bench/timing.c '1a #include "cli/command.h"'
expect "a public header of a folder above" "model/state.c: includes ztl/hart.h, but model/ does not know sim/" \
    model/state.c '1a #include <ztl/hart.h>'
expect "a public header that reaches up" "include/ztl/ztl.h: includes ztl/ops.h, but model/ does not know ops/" \
    include/ztl/ztl.h '1i #include <ztl/ops.h>'
expect "a folder inside ops/" "but ops/exec/ does not know ops/search/" \
    ops/exec/run.c '1a #include "ops/search/planner.h"'
expect "what only one folder of ops/ may know" "but ops/map/ does not know sim/" \
    ops/map/map.c '1a #include <ztl/hart.h>'
expect "a folder inside cli/" "but cli/npy/ does not know cli/op/" \
    cli/npy/npy.c '1a #include "cli/op/op.h"'
expect "the folder above of the same name" "but cli/onnx/ does not know onnx/" \
    cli/README.md '/^| `onnx\/` /s/`\.\.\/onnx\/`/`onnx\/`/'
expect "a cycle" "a cycle: codec -> model -> codec" \
    doc/architecture.md '/^| `model\/` /s/| `isa\/` |/| `isa\/`, `codec\/` |/'
expect "an edge that is none" "fast/ does not include anything of debug/" \
    doc/architecture.md '/^| `fast\/` /s/| `model\/` |/| `model\/`, `debug\/` |/'
expect "a folder that is in no table" "debug/backtrace.h: its folder is in no table" \
    doc/architecture.md '/^| `debug\/` /d'
expect "a row without a folder" "there is no folder colour/" \
    doc/architecture.md 's/^| `debug\/` .*/&\n| `colour\/` | nothing | |/'
touch "$copy"/float/extra{1..20}.h
seen "a folder that is too large" "sources at one level; divide it"
