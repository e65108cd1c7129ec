/* SPDX-License-Identifier: Apache-2.0
 * Runs the lines of the worked examples as the source documents print them.
 */
#ifndef ZTL_TEST_EXAMPLES_H
#define ZTL_TEST_EXAMPLES_H

#include "tests/hart.h"

#include <stdio.h>
#include <stdlib.h>

#include <ztl/error.h>

enum { MEMORY = 0x8000 };

static uint8_t bytes[MEMORY];
static const ztl_ram ram = {0, MEMORY, bytes};
static const ztl_memory memory = {.ram = &ram, .ram_count = 1};

static inline void start(unsigned revision)
{
    start_hart(revision, 64);
    fill_registers();
    random_bytes(bytes, sizeof bytes);
    hart_memory = &memory;
}

/* Runs one line as the sources print it: li, csrrw, or a Ztl instruction; comments are cut off. */
static inline ztl_result run_line(const char *line)
{
    char text[128], name[64];
    unsigned rd, address, source;
    unsigned long value;
    uint32_t word;
    uint64_t old;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "#;"), line);
    if (sscanf(text, " li x%u, %lx", &rd, &value) == 2) {
        x[rd] = value;
        return (ztl_result){.status = ZTL_OK};
    }
    if (sscanf(text, " csrrw x0, %63[^,], x%u", name, &source) == 2) {
        assert_true(ztl_csr_address(hart.config.revision, name, &address));
        return ztl_csr_execute(&hart, word_csr(1, 0, address, source), x, &old);
    }
    ztl_error error;
    if (!ztl_assemble(hart.config.revision, text, &word, &error))
        fail_msg("%s: %s", text, error.text);
    return run_word(word);
}

/* Runs lines, all of which must succeed. */
static inline void run_lines(const char *const *lines)
{
    for (; *lines; lines++)
        assert_int_equal(run_line(*lines).status, ZTL_OK);
}
#define RUN(...) run_lines((const char *const[]){__VA_ARGS__, NULL})

static inline void run_line_illegal(const char *line, unsigned reason)
{
    ztl_result r = run_line(line);
    assert_int_equal(r.status, ZTL_TRAP);
    assert_int_equal(r.cause, 2);
    assert_int_equal(r.reason, reason);
}

static inline const uint8_t *tl(unsigned index)
{
    return ztl_get_register(&hart, index);
}

#endif
