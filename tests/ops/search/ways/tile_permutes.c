/* SPDX-License-Identifier: Apache-2.0
 * Sequences of PERMUTE: those that are found are executed byte by byte, by the rule of the contract
 * (output index k runs along input dimension perm[k]), and end in the layout that they promise.
 * Where none is found for one stage, no PERMUTE of the loads that are considered would do: all are
 * tried.
 */
#include "ops/search/ways/way.h"
#include "tests/ops/draft.h"

enum { REGISTER = 1024, MOST_REGISTERS = 1 << OPS_MOST_STAGES, PAIR_BITS = 11 };

/* A tile of elements of 2^k bytes: `shared` bits are in the runs of both sides, at any places. */
static bool random_tiles(unsigned k, unsigned shared, unsigned run, ops_tiles *t)
{
    unsigned in[6], out[6], fixed_in = 0, fixed_out = 0, own = run - k - shared;
    memset(t, 0, sizeof *t);
    t->run[0] = t->run[1] = run;
    for (unsigned i = 0; i < run; i++)
        in[i] = out[i] = i;
    for (unsigned i = k; i < run; i++) { /* which places are shared, and by whom */
        unsigned a = i + (unsigned)below(run - i), b = i + (unsigned)below(run - i), swap = in[i];
        in[i] = in[a];
        in[a] = swap;
        swap = out[i];
        out[i] = out[b];
        out[b] = swap;
    }
    for (unsigned i = 0; i < k + shared; i++)
        t->bit[t->bits++] = (ops_bit){.in_low = (int8_t)in[i], .out_low = (int8_t)out[i]};
    for (unsigned i = 0; i < own; i++) {
        bool fits = below(3);
        fixed_out += !fits;
        t->bit[t->bits++] =
            (ops_bit){.in_low = (int8_t)in[k + shared + i], .out_low = -1, .out_fits = fits};
        fits = below(3);
        fixed_in += !fits;
        t->bit[t->bits++] =
            (ops_bit){.in_low = -1, .out_low = (int8_t)out[k + shared + i], .in_fits = fits};
    }
    t->stages = fixed_in > fixed_out ? fixed_in : fixed_out;
    t->stages = t->stages ? t->stages : 1;
    while (t->bits + (run < 5) > 10 + t->stages)
        t->stages++;
    if (t->stages > OPS_MOST_STAGES)
        return false;
    t->spare_bits = t->stages == 1 && t->bits + (run < 5) < 11 && below(2);
    if (t->spare_bits)
        t->bit[t->bits++] =
            (ops_bit){.in_low = -1, .out_low = -1, .in_fits = below(3), .out_fits = below(3)};
    t->instance_bits = 10 + t->stages - t->bits;
    while (t->bits < 10 + t->stages)
        t->bit[t->bits++] = (ops_bit){.in_low = -1, .out_low = -1, .is_instance = true};
    return own > 0 && t->instance_bits <= 10 - run;
}

/* Which element is at a byte of a register, by a layout: its index bits. */
static uint16_t element_at(const ops_tiles *t, const uint8_t *layout, unsigned reg, unsigned byte)
{
    unsigned index = 0;
    for (unsigned j = 0; j < 10 + t->stages; j++)
        index |= (j < 10 ? byte >> j & 1 : reg >> (j - 10) & 1) << layout[j];
    return (uint16_t)index;
}

/* PERMUTE of a pair, as the contract has it. */
static void permute(const ops_stage *stage, uint16_t *low, uint16_t *high)
{
    unsigned n[4], size = 1u << stage->width;
    uint16_t in[2 * REGISTER], result[2 * REGISTER];
    memcpy(in, low, sizeof in / 2);
    memcpy(in + REGISTER, high, sizeof in / 2);
    for (unsigned k = 0; k < 4; k++)
        n[k] = stage->dims >> 8 * k & 255;
    assert_int_equal(n[0] * n[1] * n[2] * n[3] * size, 2 * REGISTER);
    unsigned perm[4], o[4], at[4], to = 0;
    for (unsigned k = 0; k < 4; k++)
        perm[k] = stage->order >> 2 * k & 3;
    for (o[0] = 0; o[0] < n[perm[0]]; o[0]++)
        for (o[1] = 0; o[1] < n[perm[1]]; o[1]++)
            for (o[2] = 0; o[2] < n[perm[2]]; o[2]++)
                for (o[3] = 0; o[3] < n[perm[3]]; o[3]++, to++) {
                    for (unsigned k = 0; k < 4; k++)
                        at[perm[k]] = o[k];
                    unsigned from = ((at[0] * n[1] + at[1]) * n[2] + at[2]) * n[3] + at[3];
                    memcpy(&result[to * size], &in[from * size], size * sizeof *in);
                }
    memcpy(low, result, sizeof result / 2);
    memcpy(high, result + REGISTER, sizeof result / 2);
}

/* A layout that a load or a store can have: every bit once, the run at the bottom, and slices at
 * multiples of the width. */
static void check_layout(const ops_tiles *t, const uint8_t *layout, bool is_source)
{
    unsigned seen = 0;
    for (unsigned j = 0; j < 10 + t->stages; j++) {
        const ops_bit *bit = &t->bit[layout[j]];
        seen |= 1u << layout[j];
        if (j < t->run[0])
            assert_int_equal(is_source ? bit->in_low : bit->out_low, (int)j);
        else if (j < 10)
            assert_true(bit->is_instance || (is_source ? bit->in_fits : bit->out_fits));
    }
    assert_int_equal(seen, (1u << t->bits) - 1);
    if (t->run[0] == 4) /* half of every register stays idle */
        assert_int_equal(layout[9], t->bits - 1);
}

static void execute(const ops_tiles *t)
{
    static uint16_t reg[MOST_REGISTERS][REGISTER];
    unsigned registers = 1u << t->stages;
    for (unsigned r = 0; r < registers; r++)
        for (unsigned b = 0; b < REGISTER; b++)
            reg[r][b] = element_at(t, t->start, r, b);
    for (unsigned s = 0; s < t->stages; s++)
        for (unsigned r = 0; r < registers; r++)
            if (!(r >> t->stage[s].select & 1))
                permute(&t->stage[s], reg[r], reg[r | 1u << t->stage[s].select]);
    for (unsigned r = 0; r < registers; r++)
        for (unsigned b = 0; b < REGISTER; b++)
            assert_int_equal(reg[r][b], element_at(t, t->end, r, b));
}

static void test_found(void **state)
{
    (void)state;
    unsigned found[OPS_MOST_STAGES + 1] = {0};
    for (unsigned round = 0; round < 3000; round++) {
        ops_tiles t;
        unsigned run = 6 - (unsigned)below(3), k = (unsigned)below(4);
        unsigned shared = k < run && !below(3) ? (unsigned)below(run - k) : 0;
        if (!random_tiles(k, shared, run, &t) || !ztl_ops_find_permutes(&t))
            continue;
        check_layout(&t, t.start, true);
        check_layout(&t, t.end, false);
        if (found[t.stages]++ < 40)
            execute(&t);
    }
    for (unsigned m = 1; m <= OPS_MOST_STAGES; m++)
        assert_true(found[m] > 5);
}

/* All PERMUTEs of a start: the eleven bits of a pair from the top, cut into at most four groups of
 * at most 7 bits above 0 to 3 that stay, the groups in any order. */
typedef struct attempt {
    const ops_tiles *t;
    uint8_t bit[PAIR_BITS];
    unsigned groups, size[4], start[4];
} attempt;

/* Whether the pair's bits, from the top, can be stored: the select bit, five of slices, the run. */
static bool is_end(const ops_tiles *t, const uint8_t *bit)
{
    if (t->bit[bit[0]].in_low < 0 || t->bit[bit[0]].out_low >= 0)
        return false;
    for (unsigned j = 0; j < 5; j++)
        if (t->bit[bit[PAIR_BITS - 1 - j]].out_low != (int)j)
            return false;
    for (unsigned j = 1; j <= 5; j++)
        if (!t->bit[bit[j]].is_instance && !t->bit[bit[j]].out_fits)
            return false;
    return true;
}

static bool any_order(attempt *a, unsigned used, unsigned n, uint8_t *out)
{
    bool any = false;
    unsigned end = 0;
    for (unsigned g = 0; g < a->groups; g++) {
        end += a->size[g];
        if (used >> g & 1)
            continue;
        memcpy(out + n, a->bit + a->start[g], a->size[g]);
        any = any || any_order(a, used | 1u << g, n + a->size[g], out);
    }
    if (used != (1u << a->groups) - 1)
        return any;
    memcpy(out + end, a->bit + end, PAIR_BITS - end);
    return is_end(a->t, out);
}

static bool any_cut(attempt *a, unsigned at, unsigned end)
{
    uint8_t out[PAIR_BITS];
    if (at == end)
        return any_order(a, 0, 0, out);
    bool any = false;
    for (unsigned size = 1; a->groups < 4 && size <= 7 && at + size <= end && !any; size++) {
        a->start[a->groups] = at;
        a->size[a->groups++] = size;
        any = any_cut(a, at + size, end);
        a->groups--;
    }
    return any;
}

/* The loads that are considered: the target's bits select the register or number slices, in their
 * order, with the instances below or above them. */
static bool any_start(attempt *a, bool highest, bool instances_below)
{
    const ops_tiles *t = a->t;
    unsigned n = 5, select = t->bits;
    bool any = false;
    for (int low = 0; low < 5; low++)
        for (unsigned b = 0; b < t->bits; b++) {
            const ops_bit *bit = &t->bit[b];
            if (bit->in_low == low)
                a->bit[PAIR_BITS - 1 - low] = (uint8_t)b;
            if (bit->in_low < 0 && bit->out_low == low &&
                (select == t->bits || (t->bit[select].in_fits && (highest || !bit->in_fits))))
                select = b;
        }
    a->bit[0] = (uint8_t)select;
    for (unsigned part = 0; part < 2; part++)
        for (int low = part == instances_below ? 0 : 5; low < (part == instances_below ? 5 : 6);
             low++)
            for (unsigned b = 0; b < t->bits; b++)
                if (low < 5 ? t->bit[b].in_low < 0 && t->bit[b].out_low == low && b != select
                            : t->bit[b].is_instance)
                    a->bit[n--] = (uint8_t)b;
    assert_int_equal(n, 0);
    for (unsigned end = PAIR_BITS; end >= PAIR_BITS - 3 && !any; end--)
        any = any_cut(a, 0, end);
    return any;
}

static void test_not_found(void **state)
{
    (void)state;
    unsigned refused = 0;
    for (unsigned round = 0; round < 4000; round++) {
        ops_tiles t;
        unsigned k = (unsigned)below(4);
        if (!random_tiles(k, (unsigned)below(5 - k), 5, &t) || t.stages > 1 || t.spare_bits ||
            ztl_ops_find_permutes(&t))
            continue;
        attempt a = {.t = &t};
        for (unsigned variant = 0; variant < 4; variant++)
            if (any_start(&a, variant & 1, variant >> 1))
                fail_msg("round %u: there is a PERMUTE, but none was found", round);
        refused++;
    }
    assert_true(refused > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_found),
                                       cmocka_unit_test(test_not_found)};
    (void)begin;
    (void)sorted;
    (void)moves_of;
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
