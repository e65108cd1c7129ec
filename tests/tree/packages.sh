#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# doc/dependencies.md argues for exactly the packages that tools/setup installs, and says what for.
set -euo pipefail
cd "$1"
diff <(sed 's/#.*//' tools/packages.txt | awk 'NF {print $1, $2}' | sort) \
    <(sed -nE 's/^\| `([a-z0-9.+-]+)` \| ([a-z]+) \|.*/\1 \2/p' doc/dependencies.md | sort) ||
    { echo "tools/packages.txt (<) and doc/dependencies.md (>) differ" >&2; exit 1; }
! grep -vE '^(#|[a-z0-9.+-]+ +(demo|build|test) +# .)' tools/packages.txt ||
    { echo "tools/packages.txt: lines that are no package, purpose and reason" >&2; exit 1; }
