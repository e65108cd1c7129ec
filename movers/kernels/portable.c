/* SPDX-License-Identifier: Apache-2.0
 * Kernels in plain C.
 */
#include "movers/job.h"

#define PANEL(bits)                                                                                \
    static void panel##bits(const native_panel *p)                                                 \
    {                                                                                              \
        for (int64_t k = 0; k < p->times; k++)                                                     \
            for (int64_t c = 0; c < p->columns; c++)                                               \
                for (int64_t r = 0; r < p->rows; r++)                                              \
                    memcpy(p->out + k * p->out_step +                                              \
                               (p->row ? p->column[c] : c * p->column_step) + r * ((bits) / 8),    \
                           p->in + k * p->in_step + (p->row ? p->row[r] : r * p->row_step) +       \
                               c * ((bits) / 8),                                                   \
                           (bits) / 8);                                                            \
    }
PANEL(8)
PANEL(16)
PANEL(32)
PANEL(64)

static void shuffle_row(const native_shuffle *s, uint8_t *to, const uint8_t *const *from)
{
    const int64_t bytes = s->take * s->period;
    for (int64_t k = 0; k < s->n; k += s->take) {
        int64_t first = s->n - k < s->take ? s->n - s->take : k;
        uint8_t *target = to + first * s->period;
        memcpy(target, s->fixed, (size_t)bytes);
        for (unsigned i = 0; i < s->sources; i++) {
            const uint8_t *window = from[i] + first * s->source[i].step;
            for (int64_t b = 0; b < bytes; b++)
                if (s->source[i].pick[b] != NATIVE_NONE)
                    target[b] = window[s->source[i].pick[b]];
        }
    }
}

static void shuffle(const native_shuffle *s, const native_loop *outer, const native_loop *rows,
                    uint8_t *to, const uint8_t *limit, int64_t limit_step,
                    const uint8_t *const *from, const uint8_t *const *end)
{
    (void)limit;
    (void)limit_step;
    (void)end;
    const uint8_t *at[NATIVE_SOURCES];
    for (int64_t j = 0; j < outer->n; j++)
        for (int64_t row = 0; row < rows->n; row++) {
            for (unsigned i = 0; i < s->sources; i++)
                at[i] = from[i] + j * outer->in[i] + row * rows->in[i];
            shuffle_row(s, to + j * outer->out + row * rows->out, at);
        }
}

static void copy(uint8_t *to, const uint8_t *from, int64_t bytes, const native_loop *outer,
                 const native_loop *inner)
{
    for (int64_t j = 0; j < outer->n; j++)
        for (int64_t k = 0; k < inner->n; k++)
            memcpy(to + j * outer->out + k * inner->out, from + j * outer->in[0] + k * inner->in[0],
                   (size_t)bytes);
}

const native_set ztl_native_portable = {.name = "portable",
                                        .window = 16,
                                        .tile = {256, 64, 16, 4},
                                        .side = {16, 8, 4, 2},
                                        .panel = {panel8, panel16, panel32, panel64},
                                        .shuffle = shuffle,
                                        .copy = copy};
