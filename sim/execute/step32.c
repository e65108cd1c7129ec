/* SPDX-License-Identifier: Apache-2.0
 * One instruction of RV32.
 */
#define XLEN      32
#define STEP_NAME ztl_execute_insn32
#include "sim/execute/step_body.h"
