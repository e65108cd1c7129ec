/* SPDX-License-Identifier: Apache-2.0
 * The model's memory callbacks over the bytes of a random program.
 */
#include "tests/diff/memory.h"

#include <string.h>

/* The bytes at an address, and how many follow it. */
static uint8_t *piece_at(const diff_memory *m, uint64_t address, bool is_store, uint64_t *left)
{
    const struct {
        uint64_t base, size;
        uint8_t *bytes;
    } pieces[] = {
        {DIFF_MEMORY, DIFF_RW_SIZE, m->memory},
        {DIFF_DUMP, ZTL_REG_BYTES, m->dump},
        {DIFF_MEMORY + DIFF_RO_OFFSET, is_store ? 0 : DIFF_RO_SIZE, m->memory + DIFF_RO_OFFSET}};
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
    uint64_t left;
    uint8_t *piece = piece_at(context, address, false, &left);
    if (left < size)
        return (size_t)left;
    if (bytes)
        memcpy(bytes, piece, size);
    return size;
}

static size_t store(void *context, uint64_t address, const void *bytes, size_t size)
{
    uint64_t left;
    uint8_t *piece = piece_at(context, address, true, &left);
    if (left < size)
        return (size_t)left;
    if (bytes)
        memcpy(piece, bytes, size);
    return size;
}

ztl_memory diff_model_memory(diff_memory *bytes)
{
    return (ztl_memory){.load = load, .store = store, .context = bytes};
}

diff_outcome diff_model_outcome(const ztl_result *result)
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
