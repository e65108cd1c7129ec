#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/setup with a false dpkg-query, apt-get, sudo and id: it installs what is missing for a
# purpose and nothing else, says so and how far it is, does nothing when all is there, and refuses
# politely when it may not install. make asks for what each of its verbs needs.
set -euo pipefail
cd "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "setup: $*" >&2; exit 1; }
mkdir "$scratch/bin"
for tool in bash env dirname fold; do
    ln -s "$(command -v $tool)" "$scratch/bin/$tool"
done
fake() {
    { echo '#!/usr/bin/env bash'; cat; } >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}
log=$scratch/log
fake apt-get <<EOF
echo "apt-get \$*" >>'$log'
case "\$*" in
*--assume-no*) printf '%s\n' '0 upgraded, 71 newly installed, 0 to remove and 1 not upgraded.' \
    'Need to get 1,024 kB/81.8 MB of archives.' \
    'After this operation, 323 MB of additional disk space will be used.'; exit 1 ;;
install*) echo 'Reading package lists...'
    printf '%s\n' dlstatus:1:{3.5,57.25}:'Retrieving file 1 of 2' \
        pmstatus:libc6:amd64:{0,45.25}:'Installing libc6 (amd64)' >&3
    exit \${FAILS-0} ;;
esac
EOF
fake dpkg-query <<'EOF'
shift 3
for package; do
    for status in ${FOUND-installed}; do
        [[ " $MISSING " == *" $package "* ]] || echo "$package $status"
    done
done
[[ -z $MISSING ]]
EOF
fake id <<<'echo "$FAKE_UID"'
run() { # VARIABLE=VALUE... [-- ARGUMENTS]
    local variables=()
    while (($#)) && [[ $1 != -- ]]; do variables+=("$1"); shift; done
    : >"$log"
    env -i PATH="$scratch/bin" "${variables[@]}" tools/setup "${@:2}"
}

out=$(run FAKE_UID=0 MISSING="")
[[ -z $out && ! -s $log ]] || fail "does something when nothing is missing: $out"

out=$(run FAKE_UID=0 MISSING="" FOUND="not-installed installed")
[[ -z $out && ! -s $log ]] || fail "does something when one of two architectures is there: $out"
out=$(run FAKE_UID=0 MISSING="" FOUND="not-installed")
[[ $out == *" cmake "* ]] || fail "does not install what was removed: $out"
[[ -z $(grep -E '^.{81}' <<<"$out") ]] || fail "lines that are too long: $out"

out=$(run FAKE_UID=0 MISSING="cmake lld")
[[ $out == *"cmake lld"* ]] || fail "does not say what it installs: $out"
[[ $out == *"71 packages, 1,024 kB to fetch, 323 MB on disk"* ]] || fail "does not say how much: $out"
[[ $out == *'setup: fetching: 3%'*'setup: fetching: 57%'*'setup: installing: 0%'*'setup: installing: 45%' ]] ||
    fail "does not say how far it is: $out"
[[ $out != *Reading* ]] || fail "says what apt-get says: $out"
grep -qE '^apt-get install .* cmake lld$' "$log" || fail "installs wrongly: $(cat "$log")"
! run FAKE_UID=0 MISSING="cmake" FAILS=100 >/dev/null || fail "succeeds when apt-get fails"

# Each purpose has its own packages and those of the one before.
run FAKE_UID=0 MISSING="cmake picolibc-riscv64-unknown-elf verilator" -- demo >/dev/null
grep -qE '^apt-get install .* cmake$' "$log" || fail "demo: $(cat "$log")"
run FAKE_UID=0 MISSING="cmake picolibc-riscv64-unknown-elf verilator" -- build >/dev/null
grep -qE '^apt-get install .* cmake picolibc-riscv64-unknown-elf$' "$log" || fail "build: $(cat "$log")"
out=$(run FAKE_UID=0 MISSING="cmake verilator" -- --missing)
[[ $out == "cmake verilator" && ! -s $log ]] || fail "--missing: $out"
[[ -z $(run FAKE_UID=0 MISSING="verilator" -- --missing build) ]] || fail "--missing build"
! out=$(run FAKE_UID=0 MISSING="cmake" -- demos 2>&1) || fail "takes a purpose that there is none of"
[[ $out == *"'demos' is none of demo, build, test"* && ! -s $log ]] || fail "demos: $out"

! out=$(run FAKE_UID=1000 MISSING="cmake" 2>&1) || fail "succeeds without root and sudo"
[[ $out == *sudo*cmake* && ! -s $log ]] || fail "does not say what it needs: $out"

fake sudo <<<"echo sudo >>'$log'; exec \"\$@\" 3>&-"
out=$(run FAKE_UID=1000 MISSING="cmake")
grep -qx sudo "$log" && grep -qE '^apt-get install .* cmake$' "$log" || fail "does not use sudo"
[[ $out == *'setup: installing: 45%' ]] || fail "with sudo it does not say how far it is: $out"

for verb in demo build install doc test; do
    level=$verb
    case $verb in install | doc) level=build ;; test) level=test ;; esac
    would=$(make -n "$verb" BUILD="$scratch")
    first=$(grep -m 1 -o '^tools/setup.*' <<<"$would")
    [[ $first == "tools/setup $level" || $level == test && $first == tools/setup ]] ||
        fail "make $verb: $first"
done
