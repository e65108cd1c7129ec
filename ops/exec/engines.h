/* SPDX-License-Identifier: Apache-2.0
 * Ztl instructions on engines: loads and stores on those of their kind, what moves elements between
 * registers in turn on two.
 */
#ifndef ZTL_OPS_EXEC_ENGINES_H
#define ZTL_OPS_EXEC_ENGINES_H

#include <ztl/intrin.h>

#define OPS_LOAD_TL(t, at)  __riscv_ztl_load_e(t, at, 0, ZTL_ENGINE_LOAD)
#define OPS_STORE_TL(t, at) __riscv_ztl_store_e(t, at, 0, ZTL_ENGINE_STORE)

/* The engine of the k-th move. */
#define OPS_TURN(k) ((k)&1 ? ZTL_ENGINE_COMP : ZTL_ENGINE_RESHAPE)

#define OPS_PERMUTE_TL(k, w, a, b, d) __riscv_ztl_permute_##w##_e(a, b, d, OPS_TURN(k))
#define OPS_CONCAT_TL(k, d, a, b)     __riscv_ztl_concat_1_e(d, a, b, OPS_TURN(k))

#endif
