#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/bar: a line for each tenth in a file, one line that fits on a terminal, and every word of what
# is neither ninja's nor apt's progress. A failure before it in a pipe stays one.
set -euo pipefail
cd "$1"
fail() { echo "bar: $*" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/build" <<'EOF'
[0/2] Re-checking globbed directories...
[1/300] Building C object a.c.o
[29/300] Building C object with a name that is far longer than a line of a terminal may be b.c.o
[30/300] Building C object c.c.o
[150/300] Building C object d.c.o
FAILED: e.c.o
  e.c:1:2: error: \ and % are "kept"
[300/300] Linking f
EOF
out=$(tools/bar label <"$scratch/build")
[[ $out == 'label: 0%
label: 10%
label: 50%
FAILED: e.c.o
  e.c:1:2: error: \ and % are "kept"
label: 100%' ]] || fail "in a file: $out"
[[ -z $(echo 'ninja: no work to do.' | tools/bar label) ]] || fail 'no work to do'
[[ $(printf '[2/3] a\nlast' | tools/bar x) == $'x: 66%\nlast' ]] || fail 'a last line without its end'
! { false | tools/bar label; } || fail 'a failure is lost'

on_terminal() { TERM=$1 script -qec "stty cols 60; tools/bar label <'$scratch/build'" /dev/null; }
out=$(on_terminal xterm)
[[ $out == *'label [##########..........]  50% Building C object d.c.o'* ]] || fail "terminal: $out"
[[ $out == *$'\r\033[K  e.c:1:2: error:'* && $out == *$'\r\033[K' ]] || fail "terminal: $out"
[[ -z $(tr '\r' '\n' <<<"${out//$'\033[K'/}" | grep -E '^.{60}') ]] || fail "too wide: $out"
[[ $(on_terminal dumb) != *$'\033'* ]] || fail 'escape sequences on a terminal that has none'
