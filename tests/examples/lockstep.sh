#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The planted difference is found where it was planted, and only when it was: lockstep.sh LOCKSTEP
set -euo pipefail
[[ $("$1" | tail -n 1) == "tl4 byte 777: the model has 0x08, the design 0x18" ]]
[[ $("$1" --clean | tail -n 1) == "no difference" ]]
