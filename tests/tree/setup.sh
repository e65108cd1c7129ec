#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/setup with a false dpkg-query, apt-get, sudo and id: it installs what is missing and nothing
# else, says so, does nothing when all is there, and refuses politely when it may not install.
set -euo pipefail
cd "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "setup: $*" >&2; exit 1; }
mkdir "$scratch/bin"
for tool in bash env dirname; do
    ln -s "$(command -v $tool)" "$scratch/bin/$tool"
done
fake() {
    { echo '#!/usr/bin/env bash'; cat; } >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}
log=$scratch/log
fake apt-get <<<"echo \"apt-get \$*\" >>'$log'"
fake dpkg-query <<<"[[ \" \$MISSING \" == *\" \${!#} \"* ]] && exit 1; printf '%s ' \${FOUND-installed}"
fake id <<<'echo "$FAKE_UID"'
run() { : >"$log"; env -i PATH="$scratch/bin" "$@" tools/setup; }

out=$(run FAKE_UID=0 MISSING="")
[[ -z $out && ! -s $log ]] || fail "does something when nothing is missing: $out"

out=$(run FAKE_UID=0 MISSING="" FOUND="not-installed installed")
[[ -z $out && ! -s $log ]] || fail "does something when one of two architectures is there: $out"
out=$(run FAKE_UID=0 MISSING="" FOUND="not-installed")
[[ $out == *" cmake "* ]] || fail "does not install what was removed: $out"

out=$(run FAKE_UID=0 MISSING="cmake lld")
[[ $out == *"cmake lld"* ]] || fail "does not say what it installs: $out"
grep -qE '^apt-get install .* cmake lld$' "$log" || fail "installs wrongly: $(cat "$log")"

! out=$(run FAKE_UID=1000 MISSING="cmake" 2>&1) || fail "succeeds without root and sudo"
[[ $out == *sudo*cmake* && ! -s $log ]] || fail "does not say what it needs: $out"

fake sudo <<<"echo sudo >>'$log'; exec \"\$@\""
run FAKE_UID=1000 MISSING="cmake" >/dev/null
grep -qx sudo "$log" && grep -qE '^apt-get install .* cmake$' "$log" || fail "does not use sudo"
