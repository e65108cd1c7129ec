/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators by the host's own instructions, for programs on a host that want the bytes and no plan:
 * no Ztl instruction is executed. Link with libztlmovers; there is none for bare harts.
 *
 *     ztl_mover *mover = ztl_mover_new(&op, &in, 1, &out, 1, &error);
 *     ztl_mover_run(mover, sources, targets, 2, &error);      // on up to two threads
 *     ztl_mover_free(mover);
 *
 * Operators and tensors are those of <ztl/ops.h>. Wherever a function takes an `error`, it may be
 * NULL. The library keeps no state; a mover may be run by different threads at once.
 */
#ifndef ZTL_MOVERS_H
#define ZTL_MOVERS_H

#include <ztl/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ztl_mover ztl_mover;

/* NULL with an error that says what is wrong. */
ZTL_API ztl_mover *ztl_mover_new(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                                 const ztl_ops_tensor *out, size_t outputs, ztl_error *error);
ZTL_API void ztl_mover_free(ztl_mover *mover);

/* Moves on at most `threads` threads: the caller's, and others that end before this returns; 0 and
 * 1 are the caller's alone. Refuses buffers as ztl_ops_run does. */
ZTL_API bool ztl_mover_run(const ztl_mover *mover, const void *const *in, void *const *out,
                           unsigned threads, ztl_error *error);

/* Makes a mover, runs it once on the caller's thread and frees it. */
ZTL_API bool ztl_mover_apply(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                             const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                             void *const *target, ztl_error *error);

#ifdef __cplusplus
}
#endif

#endif
