#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The library without symbols is at most so many KiB:
#
#     size.sh LIBRARY KIB
set -euo pipefail
library=$1 limit=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
strip -o "$scratch/stripped" "$library"
size=$(stat -c %s "$scratch/stripped")
echo "$library: $((size / 1024)) KiB without symbols, of $limit"
((size <= limit * 1024))
