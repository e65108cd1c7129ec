/* SPDX-License-Identifier: Apache-2.0
 * Indices at run time in scalar C: loops over positions, and over the elements at each.
 */
#include "ops/scalar/scalar.h"

typedef struct walk {
    const ops_lookup *x;
    const uint8_t *indices, *from;
    uint8_t *to;
    ops_dim run;               /* elements that share their indices, side by side on both sides */
    unsigned element, skipped; /* skipped: the loop that is the run */
    int64_t selected, left;
} walk;

#define ROW(T)                                                                                     \
    static void row_##T(const uint8_t *from, uint8_t *to, int64_t n)                               \
    {                                                                                              \
        for (int64_t k = 0; k < n; k++)                                                            \
            ((T *)to)[k] = ((const T *)from)[k];                                                   \
    }
SCALAR_ELEMENTS(ROW)

#define ROW_OF(T) row_##T,
static void (*const rows[])(const uint8_t *from, uint8_t *to,
                            int64_t n) = {SCALAR_ELEMENTS(ROW_OF)};

static void move(const walk *w, int64_t in, int64_t out)
{
    if (w->element)
        rows[ops_log2(w->element)](w->from + in, w->to + out, w->run.n);
    else
        for (int64_t k = 0; k < w->run.n; k++)
            ops_set_nibble(w->to, out + k, ops_nibble(w->from, in + k));
}

static int64_t read_index(const walk *w, int64_t at)
{
    int64_t wide;
    int32_t narrow;
    memcpy(&narrow, w->indices + at, sizeof narrow);
    if (w->x->bytes == sizeof narrow)
        return narrow;
    memcpy(&wide, w->indices + at, sizeof wide);
    return wide;
}

static void look_up(const walk *w, int64_t in, int64_t out, int64_t at)
{
    const ops_lookup *x = w->x;
    int64_t place = 0;
    for (unsigned j = 0; j < x->count; j++) {
        int64_t value = read_index(w, at + x->index[j].step);
        place += (value < 0 ? value + x->index[j].extent : value) * x->index[j].stride;
    }
    if (x->form == OPS_INDEX_GATHERS)
        move(w, in + place, out);
    else
        move(w, in, out + place);
}

static void rotate(const walk *w, int64_t in, int64_t out, int64_t at)
{
    const ops_dim *last = &w->x->dim[w->x->rank - 1];
    int64_t position = ops_mod(read_index(w, at), w->x->index->extent);
    for (int64_t k = 0; k < last->n; k++, in += last->in) {
        move(w, in, out + position * w->x->index->stride);
        if (++position == w->x->index->extent)
            position = 0;
    }
}

static void select(walk *w, int64_t in, int64_t out, int64_t at)
{
    const ops_dim *last = &w->x->dim[w->x->rank - 1];
    if (!w->x->flat)
        w->selected = 0;
    for (int64_t k = 0; k < last->n && w->left > 0; k++, w->left--) {
        if (w->indices[at])
            move(w, in, out + w->selected++ * last->out);
        in += last->in;
        at += w->x->step[w->x->rank - 1];
    }
}

/* The loops from d on. */
static void loops(walk *w, unsigned d, int64_t in, int64_t out, int64_t at)
{
    const ops_lookup *x = w->x;
    bool is_last = d + 1 == x->rank;
    if (d == x->rank)
        look_up(w, in, out, at);
    else if (d == w->skipped)
        loops(w, d + 1, in, out, at);
    else if (is_last && x->form == OPS_INDEX_ROTATES)
        rotate(w, in, out, at);
    else if (is_last && x->form == OPS_INDEX_SELECTS)
        select(w, in, out, at);
    else
        for (int64_t k = 0; k < x->dim[d].n; k++) {
            loops(w, d + 1, in, out, at);
            in += x->dim[d].in;
            out += x->flat ? 0 : x->dim[d].out;
            at += x->step[d];
        }
}

/* How many positions of an axis remain, which is so where nothing lies at them, too. */
static int64_t count_selected(const ops_lookup *x, const uint8_t *condition)
{
    int64_t count = 0, at = x->at;
    for (int64_t k = 0; k < x->dim[x->rank - 1].n; k++, at += x->step[x->rank - 1])
        count += condition[at] != 0;
    return count;
}

void ztl_ops_scalar_look_up(const ops_lookup *x, const uint8_t *const *in, uint8_t *const *out,
                            unsigned element)
{
    walk w = {.x = x,
              .indices = in[x->input],
              .from = in[x->src],
              .to = out[x->dst - OPS_OUT],
              .run = {1, 0, 0},
              .element = element,
              .skipped = x->rank + 1,
              .left = x->most};
    int64_t unit = element ? element : 1;
    bool is_special = x->form == OPS_INDEX_ROTATES || x->form == OPS_INDEX_SELECTS;
    for (unsigned d = 0; d + is_special < x->rank && !x->flat; d++)
        if (x->step[d] == 0 && x->dim[d].in == unit && x->dim[d].out == unit) {
            w.run = x->dim[d];
            w.skipped = d;
        }
    loops(&w, 0, x->in, x->out, x->at);
    if (x->form == OPS_INDEX_SELECTS && !x->flat)
        w.selected = count_selected(x, w.indices);
    if (x->form == OPS_INDEX_SELECTS)
        memcpy(out[1] + x->count_at, &w.selected, sizeof w.selected);
}
