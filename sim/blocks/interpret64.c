/* SPDX-License-Identifier: Apache-2.0
 * The interpreter of RV64.
 */
#define XLEN           64
#define INTERPRET_NAME ztl_interpret64
#include "sim/blocks/interpret_body.h"
