/* SPDX-License-Identifier: Apache-2.0
 * The simulator with limited windows: programs lie inside both, RAM goes on outside.
 */
/* clang-format off */
#include "../model.h"

#undef RVMODEL_MEMORY_END
#define RVMODEL_L0M_BASE 0x80001000
#define RVMODEL_L1M_BASE 0x80002000
#define RVMODEL_L0M_END  0x80030000
#define RVMODEL_L1M_END  0x80031000
