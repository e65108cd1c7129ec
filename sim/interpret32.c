/* SPDX-License-Identifier: Apache-2.0
 * The interpreter of RV32.
 */
#include "sim/block.h" /* before XLEN: there, every pair has its number */

#define XLEN           32
#define INTERPRET_NAME ztl_interpret32
#include "sim/interpret_body.h"
