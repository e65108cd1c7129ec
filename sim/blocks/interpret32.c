/* SPDX-License-Identifier: Apache-2.0
 * The interpreter of RV32.
 */
#define XLEN           32
#define INTERPRET_NAME ztl_interpret32
#include "sim/blocks/interpret_body.h"
