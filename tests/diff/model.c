/* SPDX-License-Identifier: Apache-2.0
 * The engine of the host: the golden model on memory laid out as the other engines have it.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/diff/memory.h"

static uint8_t memory[DIFF_MEMORY_SIZE];
static uint8_t dump[ZTL_REG_BYTES];
static ztl_state hart;
static ztl_config config;

static void with_fresh_hart(void (*body)(void *), void *context)
{
    static void *accelerator;
    if (!accelerator)
        accelerator = malloc(ztl_accelerator_size());
    ztl_init(&hart, &config);
    if (ztl_attach_accelerator(&hart, accelerator, NULL) != ZTL_OK)
        abort();
    body(context);
}

static diff_outcome execute(uint32_t word, uint64_t a[DIFF_GPRS])
{
    diff_memory bytes = {memory, dump};
    const ztl_memory guest = diff_model_memory(&bytes);
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
    return diff_model_outcome(&result);
}

int main(int argc, char **argv)
{
    const diff_engine engine = {with_fresh_hart, execute, memory, dump, DIFF_DUMP};
    if (argc > 1)
        config = diff_config_of(argv[1]);
    return diff_main(argc, argv, &engine);
}
