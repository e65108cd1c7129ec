/* SPDX-License-Identifier: Apache-2.0
 * The sets of bodies, and attaching one to a state.
 */
#include "fast/fast.h"

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

/* Memory of any alignment has room for an aligned accelerator. */
enum { ALIGNMENT = _Alignof(ztl_fast) };

size_t ztl_accelerator_size(void)
{
    return sizeof(ztl_fast) + ALIGNMENT - 1;
}

static struct ztl_accelerator *start(void *memory, const ztl_bodies *bodies)
{
    static const struct ztl_accelerator fast_bodies = {{
#define ZTL_FAST(OP, name) [ZTL_OP_##OP] = ztl_fast_##name,
#include "fast/bodies.def"
    }};
    ztl_fast *fast =
        (ztl_fast *)(((uintptr_t)memory + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    ztl_fill_bytes(&fast->plans, 0, sizeof fast->plans);
    fast->accelerator = fast_bodies;
    fast->bodies = bodies;
    return &fast->accelerator;
}

enum ztl_status ztl_attach_accelerator(ztl_state *state, void *memory, const char *name)
{
    const ztl_bodies *bodies = NULL;
    if (!ztl_usable(state))
        return ZTL_MISUSE;
    for (size_t i = 0; (bodies = available(i)); i++)
        if (!name || same_text(name, bodies->name))
            break;
    if (!bodies || (bodies != &plain && !memory))
        return ZTL_MISUSE;
    state->accelerator = bodies == &plain ? NULL : start(memory, bodies);
    return ZTL_OK;
}

const char *ztl_bodies_in_use(const ztl_state *state)
{
    if (!ztl_usable(state))
        return NULL;
    return state->accelerator ? ztl_bodies_of(state)->name : plain.name;
}
