/* SPDX-License-Identifier: Apache-2.0
 * Which sets of bodies there are, which one a state uses, and the way to the front ends.
 */
#include "model/fast/fast.h"

#include "model/pointer.h"

static const ztl_bodies plain = {.name = "plain"};

/* Fastest first. */
static const ztl_bodies *const sets[] = {
#ifdef ZTL_HAVE_AVX512
    &ztl_bodies_avx512,
#endif
#ifdef ZTL_HAVE_AVX2
    &ztl_bodies_avx2,
#endif
    &ztl_bodies_portable,
    &plain,
};

static bool runs_here(const ztl_bodies *bodies)
{
    return !bodies->runs_here || bodies->runs_here();
}

/* The index-th of those that run here, NULL past the last. */
static const ztl_bodies *available(size_t index)
{
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (runs_here(sets[i]) && index-- == 0)
            return sets[i];
    return NULL;
}

const char *ztl_bodies_name(size_t index)
{
    const ztl_bodies *bodies = available(index);
    return bodies ? bodies->name : NULL;
}

static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

enum ztl_status ztl_use_bodies(ztl_state *state, const char *name)
{
    if (!ztl_usable(state))
        return ZTL_MISUSE;
    const ztl_bodies *bodies;
    for (size_t i = 0; (bodies = available(i)); i++)
        if (!name || same_text(name, bodies->name)) {
            ztl_fill_bytes(&state->plans, 0, sizeof state->plans);
            state->bodies = bodies;
            return ZTL_OK;
        }
    return ZTL_MISUSE;
}

const char *ztl_bodies_in_use(const ztl_state *state)
{
    return ztl_usable(state) && state->bodies ? state->bodies->name : NULL;
}

ztl_fast_body *const ztl_fast_front[ZTL_OPS] = {
    [ZTL_OP_LOAD] = ztl_fast_load,       [ZTL_OP_MLOAD] = ztl_fast_load,
    [ZTL_OP_STORE] = ztl_fast_store,     [ZTL_OP_MSTORE] = ztl_fast_store,
    [ZTL_OP_CONCAT] = ztl_fast_concat,   [ZTL_OP_MERGE] = ztl_fast_merge,
    [ZTL_OP_ADDI] = ztl_fast_addi,       [ZTL_OP_XPOSE] = ztl_fast_xpose,
    [ZTL_OP_PERMUTE] = ztl_fast_permute,
};
