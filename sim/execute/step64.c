/* SPDX-License-Identifier: Apache-2.0
 * One instruction of RV64.
 */
#define XLEN      64
#define STEP_NAME ztl_execute_insn64
#include "sim/execute/step_body.h"
