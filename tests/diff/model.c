/* SPDX-License-Identifier: Apache-2.0
 * The engine of the host: the golden model on memory laid out as the other engines have it.
 */
#include <string.h>

#include <ztl/ztl.h>

#include "tests/diff/harness.h"

static uint8_t memory[DIFF_MEMORY_SIZE];
static uint8_t dump[ZTL_REG_BYTES];
static ztl_state hart;
static ztl_config config;

/* The bytes at an address, and how many follow it. */
static uint8_t *piece_at(uint64_t address, bool is_store, uint64_t *left)
{
    const struct {
        uint64_t base, size;
        uint8_t *bytes;
    } pieces[] = {
        {DIFF_MEMORY, DIFF_RW_SIZE, memory},
        {DIFF_DUMP, sizeof dump, dump},
        {DIFF_MEMORY + DIFF_RO_OFFSET, is_store ? 0 : DIFF_RO_SIZE, memory + DIFF_RO_OFFSET}};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        if (address - pieces[i].base < pieces[i].size) {
            *left = pieces[i].size - (address - pieces[i].base);
            return pieces[i].bytes + (address - pieces[i].base);
        }
    *left = 0;
    return NULL;
}

static size_t load(void *context, uint64_t address, void *bytes, size_t size)
{
    (void)context;
    uint64_t left;
    uint8_t *piece = piece_at(address, false, &left);
    if (left < size)
        return (size_t)left;
    if (bytes)
        memcpy(bytes, piece, size);
    return size;
}

static size_t store(void *context, uint64_t address, const void *bytes, size_t size)
{
    (void)context;
    uint64_t left;
    uint8_t *piece = piece_at(address, true, &left);
    if (left < size)
        return (size_t)left;
    if (bytes)
        memcpy(piece, bytes, size);
    return size;
}

static void with_fresh_hart(void (*body)(void *), void *context)
{
    ztl_init(&hart, &config);
    body(context);
}

static diff_outcome outcome_of(const ztl_result *result)
{
    if (result->status == ZTL_OK)
        return (diff_outcome){DIFF_NO_TRAP, 0};
    switch (result->cause) {
    case ZTL_CAUSE_ILLEGAL:
        return (diff_outcome){DIFF_ILLEGAL, 0};
    case ZTL_CAUSE_LOAD_MISALIGNED:
    case ZTL_CAUSE_STORE_MISALIGNED:
        return (diff_outcome){DIFF_MISALIGNED, result->tval};
    default:
        return (diff_outcome){DIFF_FAULT, result->tval};
    }
}

static diff_outcome execute(uint32_t word, uint64_t a[DIFF_GPRS])
{
    const ztl_memory guest = {.load = load, .store = store};
    uint64_t x[32] = {0}, old = 0;
    memcpy(x + DIFF_A0, a, DIFF_GPRS * sizeof a[0]);
    ztl_result result;
    if ((word & 0x7f) == 0x73) {
        result = ztl_csr_execute(&hart, word, x, &old);
        unsigned rd = word >> 7 & 31;
        if (result.status == ZTL_OK && rd)
            a[rd - DIFF_A0] = old;
    } else {
        result = ztl_execute(&hart, word, x, &guest);
    }
    return outcome_of(&result);
}

int main(int argc, char **argv)
{
    const diff_engine engine = {with_fresh_hart, execute, memory, dump, DIFF_DUMP};
    if (argc > 1) {
        diff_isa isa = diff_isa_of(argv[1]);
        config = ztl_default_config();
        config.revision = isa.revision;
        config.subsets = isa.subsets;
    }
    return diff_main(argc, argv, &engine);
}
