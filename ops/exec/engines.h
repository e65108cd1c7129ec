/* SPDX-License-Identifier: Apache-2.0
 * Ztl instructions on the engine of their kind.
 */
#ifndef ZTL_OPS_EXEC_ENGINES_H
#define ZTL_OPS_EXEC_ENGINES_H

#include <ztl/intrin.h>

#define OPS_LOAD_TL(t, at)         __riscv_ztl_load_e(t, at, 0, ZTL_ENGINE_LOAD)
#define OPS_STORE_TL(t, at)        __riscv_ztl_store_e(t, at, 0, ZTL_ENGINE_STORE)
#define OPS_PERMUTE_TL(w, a, b, d) __riscv_ztl_permute_##w##_e(a, b, d, ZTL_ENGINE_RESHAPE)
#define OPS_CONCAT_TL(d, a, b)     __riscv_ztl_concat_1_e(d, a, b, ZTL_ENGINE_RESHAPE)

#endif
