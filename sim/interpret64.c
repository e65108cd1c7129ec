/* SPDX-License-Identifier: Apache-2.0
 * The interpreter of RV64.
 */
#include "sim/block.h" /* before XLEN: there, every pair has its number */

#define XLEN           64
#define INTERPRET_NAME ztl_interpret64
#include "sim/interpret_body.h"
