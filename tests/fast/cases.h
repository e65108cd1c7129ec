/* SPDX-License-Identifier: Apache-2.0
 * Two harts, one with the plain bodies and one with those under test, that run the same
 * instructions from the same state and must agree on everything.
 */
#ifndef ZTL_TEST_FAST_CASES_H
#define ZTL_TEST_FAST_CASES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ztl.h>

typedef struct twins {
    ztl_state plain, fast;
    void *accelerator;
    uint64_t x[32];
    uint64_t seed;
} twins;

/* splitmix64: the same sequence everywhere. */
static inline uint64_t draw(twins *t)
{
    uint64_t z = t->seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline unsigned below(twins *t, unsigned limit)
{
    return (unsigned)((draw(t) >> 32) * limit >> 32);
}

static inline void fail_case(const twins *t, uint32_t word, const char *what)
{
    char text[80];
    ztl_disassemble(t->plain.config.revision, word, text, sizeof text);
    fprintf(stderr, "%s: %s: %s differs (ttype %#x tshape %#x masks %#x %#x)\n",
            ztl_bodies_in_use(&t->fast), text, what, t->plain.csr[ZTL_SLOT_TTYPE],
            t->plain.csr[ZTL_SLOT_TSHAPE], t->plain.csr[ZTL_SLOT_MASK1],
            t->plain.csr[ZTL_SLOT_MASK2]);
    for (unsigned n = 0; n < 32; n++)
        if (t->x[n])
            fprintf(stderr, "x%u = %#llx\n", n, (unsigned long long)t->x[n]);
    exit(1);
}

static inline void start_twins(twins *t, const ztl_config *config, const char *bodies)
{
    void *accelerator = t->accelerator ? t->accelerator : malloc(ztl_accelerator_size());
    memset(t, 0, sizeof *t);
    t->accelerator = accelerator;
    t->seed = 1;
    if (ztl_init(&t->plain, config) || ztl_init(&t->fast, config) ||
        ztl_attach_accelerator(&t->fast, t->accelerator, bodies)) {
        fprintf(stderr, "cannot start with %s\n", bodies);
        exit(1);
    }
}

static inline void set_both(twins *t, unsigned index, const uint8_t *bytes)
{
    ztl_set_register(&t->plain, index, bytes);
    ztl_set_register(&t->fast, index, bytes);
}

static inline void csr_both(twins *t, unsigned address, uint64_t value)
{
    ztl_csr_write(&t->plain, address, value);
    ztl_csr_write(&t->fast, address, value);
}

static inline void random_register(twins *t, unsigned index)
{
    uint64_t words[ZTL_REG_BYTES / 8];
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        words[i] = draw(t);
    set_both(t, index, (const uint8_t *)words);
}

/* Runs a word on both; results and architectural state must be the same. */
static inline bool run_both(twins *t, uint32_t word, const ztl_memory *plain_memory,
                            const ztl_memory *fast_memory)
{
    ztl_result a = ztl_execute(&t->plain, word, t->x, plain_memory);
    ztl_result b = ztl_execute(&t->fast, word, t->x, fast_memory);
    if (a.status != b.status || a.cause != b.cause || a.tval != b.tval || a.reason != b.reason ||
        a.rule != b.rule || memcmp(a.value, b.value, sizeof a.value))
        fail_case(t, word, "result");
    for (unsigned n = 0; n < ZTL_REGISTERS; n++)
        if (memcmp(ztl_get_register(&t->plain, n), ztl_get_register(&t->fast, n), ZTL_REG_BYTES))
            fail_case(t, word, "register");
    if (memcmp(t->plain.csr, t->fast.csr, sizeof t->plain.csr) ||
        memcmp(t->plain.written, t->fast.written, sizeof t->plain.written))
        fail_case(t, word, "CSR");
    return a.status == ZTL_OK;
}

/* The word of an instruction with its operands. */
static inline uint32_t word_of(enum ztl_insn_id id, int a, int b, int c)
{
    ztl_insn insn = {.row = ztl_isa_insn(id), .operand = {a, b, c, 0}};
    uint32_t word;
    ztl_error error;
    if (!ztl_encode(&insn, &word, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return word;
}

#endif
