#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# doc/dependencies.md argues for exactly the packages that tools/setup installs.
set -euo pipefail
cd "$1"
diff <(sed 's/#.*//' tools/packages.txt | awk 'NF {print $1}' | sort) \
    <(grep -oE '^\| `[a-z0-9.+-]+`' doc/dependencies.md | grep -oE '[a-z0-9.+-]+' | sort) ||
    { echo "tools/packages.txt (<) and doc/dependencies.md (>) differ" >&2; exit 1; }
