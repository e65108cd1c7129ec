/* SPDX-License-Identifier: Apache-2.0
 * Two harts in lock-step: one stands for a design under test, with a bug planted in it. After each
 * instruction what happened is compared, and the first difference is shown.
 *
 *     lockstep          plants a bug and finds it
 *     lockstep --clean  runs without one
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/hart.h>

enum { BASE = 0x80000000u, BUGGY_STEP = 5, BUGGY_BYTE = 777 };

static const char *const program[] = {
    "tl.addi tl1, tl0, 7",      "tl.addi tl2, tl0, 3", "tl.addi tl3, tl1, -1",
    "tl.xpose.01 tl1, tl2, a0", "tl.addi tl4, tl1, 1", "tl.xpose.23 tl3, tl4, a0",
};

enum { LENGTH = sizeof program / sizeof program[0] };

static void die(const char *what)
{
    fprintf(stderr, "lockstep: %s\n", what);
    exit(EXIT_FAILURE);
}

static void remember(void *context, ztl_hart *hart, const ztl_event *event)
{
    (void)hart;
    *(ztl_event *)context = *event;
}

/* A hart with the program in memory, its events going to `event`. */
static ztl_hart *make_hart(ztl_event *event)
{
    ztl_error error;
    ztl_hart *hart = ztl_hart_create(NULL, &error);
    if (!hart)
        die(error.text);
    for (size_t i = 0; i < LENGTH; i++) {
        uint32_t word;
        if (!ztl_assemble(2, program[i], &word, &error))
            die(error.text);
        ztl_hart_write_memory(hart, BASE + 4 * i, &word, sizeof word);
    }
    ztl_hart_set_x(hart, 10, 0x01081010); /* D0=16 D1=16 D2=8 D3=1 */
    ztl_hart_set_observer(hart, &(ztl_observer){event, remember});
    return hart;
}

/* The design's bug: one byte of a result is wrong. */
static void plant_bug(ztl_hart *design)
{
    uint8_t block[ZTL_REG_BYTES];
    memcpy(block, ztl_get_register(ztl_hart_ztl(design), 4), sizeof block);
    block[BUGGY_BYTE] ^= 0x10;
    ztl_set_register(ztl_hart_ztl(design), 4, block);
}

/* The first byte of the tensor registers written that differs, or false. */
static bool tensor_differs(ztl_hart *model, ztl_hart *design, const ztl_event *event)
{
    for (unsigned k = 0; k < event->tl_count; k++) {
        unsigned n = event->tl[k];
        const uint8_t *want = ztl_get_register(ztl_hart_ztl(model), n);
        const uint8_t *have = ztl_get_register(ztl_hart_ztl(design), n);
        for (unsigned i = 0; i < ZTL_REG_BYTES; i++)
            if (want[i] != have[i]) {
                printf("tl%u byte %u: the model has 0x%02x, the design 0x%02x\n", n, i, want[i],
                       have[i]);
                return true;
            }
    }
    return false;
}

static bool differs(ztl_hart *model, ztl_hart *design, const ztl_event *want, const ztl_event *have)
{
    if (want->next_pc != have->next_pc || want->rd != have->rd || want->rd_new != have->rd_new ||
        want->trapped != have->trapped) {
        printf("pc, integer register or trap differ\n");
        return true;
    }
    return tensor_differs(model, design, want);
}

int main(int argc, char **argv)
{
    bool clean = argc > 1 && !strcmp(argv[1], "--clean");
    ztl_event want, have;
    ztl_hart *model = make_hart(&want), *design = make_hart(&have);
    bool different = false;
    for (unsigned step = 1; step <= LENGTH && !different; step++) {
        ztl_hart_step(model);
        ztl_hart_step(design);
        if (step == BUGGY_STEP && !clean)
            plant_bug(design);
        char text[80];
        ztl_disassemble(2, want.word, text, sizeof text);
        printf("%u  0x%" PRIx64 "  %s\n", step, want.pc, text);
        different = differs(model, design, &want, &have);
    }
    if (!different)
        printf("no difference\n");
    ztl_hart_destroy(model);
    ztl_hart_destroy(design);
    return different == clean ? EXIT_FAILURE : EXIT_SUCCESS;
}
