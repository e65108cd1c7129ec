/* SPDX-License-Identifier: Apache-2.0
 * Index maps in wider elements than they were made for.
 */
#include "ops/drive/words.h"

enum { WORD = 8 };

/* The widest word that divides all the numbers whose bits are in `parts`. */
static unsigned width_of(int64_t parts)
{
    return parts & 1 ? 1 : parts & 2 ? 2 : parts & 4 ? 4 : WORD;
}

static int64_t steps_of(const ops_dim *dim, bool has_source)
{
    return dim->out | (has_source ? dim->in : 0);
}

/* A run of `element` in words of `width`. */
static ops_dim in_words(const ops_dim *run, unsigned element, unsigned width)
{
    return (ops_dim){run->n * element / width, run->in ? width : 0, width};
}

/* The run is the last dimension: the steps of the target become smaller. */
unsigned ztl_ops_widen_piece(ops_piece *piece, unsigned element)
{
    bool has_source = !ops_is_constant(piece->src);
    ops_dim *run = piece->rank ? &piece->dim[piece->rank - 1] : NULL;
    if (!run || !element || run->out != element || (has_source && run->in != element))
        return element;
    int64_t parts = piece->out | (has_source ? piece->in : 0) | run->n * element;
    for (unsigned d = 0; d + 1 < piece->rank; d++)
        parts |= steps_of(&piece->dim[d], has_source);
    unsigned width = width_of(parts);
    if (width <= element)
        return element;
    *run = in_words(run, element, width);
    piece->rank -= run->n == 1;
    return width;
}

/* The run is a dimension whose positions share their indices; the last dimension of some forms is
 * none. */
static unsigned find_run(const ops_lookup *x, unsigned element)
{
    bool is_special = x->form == OPS_INDEX_ROTATES || x->form == OPS_INDEX_SELECTS;
    unsigned run = x->rank;
    for (unsigned d = 0; d + is_special < x->rank && !x->flat; d++)
        if (x->step[d] == 0 && x->dim[d].in == element && x->dim[d].out == element)
            run = d;
    return run;
}

unsigned ztl_ops_widen_lookup(ops_lookup *x, unsigned element)
{
    unsigned run = element ? find_run(x, element) : x->rank;
    if (run == x->rank)
        return element;
    int64_t parts = x->in | x->out | x->dim[run].n * element;
    for (unsigned d = 0; d < x->rank; d++)
        parts |= d == run ? 0 : steps_of(&x->dim[d], true);
    for (unsigned j = 0; j < x->count; j++)
        parts |= x->index[j].stride;
    unsigned width = width_of(parts);
    if (width <= element)
        return element;
    x->dim[run] = in_words(&x->dim[run], element, width);
    return width;
}
