/* SPDX-License-Identifier: Apache-2.0
 * A program around a kernel: made-up bytes, a region, the CRC-32 of the outputs.
 */
#include <inttypes.h>

#include "ops/emit/emit.h"
#include "ops/format/plan.h"

static const char functions[] = "/* The same bytes in every run. */\n"
                                "static void fill(uint8_t *bytes, size_t size, uint32_t *state)\n"
                                "{\n"
                                "    for (size_t i = 0; i < size; i++) {\n"
                                "        *state = *state * 1664525 + 1013904223;\n"
                                "        bytes[i] = (uint8_t)(*state >> 24);\n"
                                "    }\n"
                                "}\n\n"
                                "/* CRC-32, as that of zlib. */\n"
                                "static uint32_t crc(const uint8_t *bytes, size_t size)\n"
                                "{\n"
                                "    uint32_t sum = 0xffffffff;\n"
                                "    for (size_t i = 0; i < size; i++) {\n"
                                "        sum ^= bytes[i];\n"
                                "        for (int k = 0; k < 8; k++)\n"
                                "            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);\n"
                                "    }\n"
                                "    return ~sum;\n"
                                "}\n\n";

void ztl_ops_emit_main(const ztl_ops_plan *plan, const char *name, const uint64_t *in,
                       const uint64_t *out, FILE *file)
{
    fprintf(file, "\n/* ---- A program that runs it ---- */\n\n#include <stdatomic.h>\n"
                  "#include <stdio.h>\n\n#include <ztl/region.h>\n\n");
    fputs(functions, file);
    for (unsigned i = 0; i < plan->inputs; i++)
        fprintf(file, "static _Alignas(64) uint8_t input%u[%" PRIu64 "];\n", i, in[i] + 1);
    for (unsigned i = 0; i < plan->outputs; i++)
        fprintf(file, "static _Alignas(64) uint8_t output%u[%" PRIu64 "];\n", i, out[i] + 1);
    fprintf(file, "static _Alignas(64) uint8_t work[%" PRIu64 "];\n\n", plan->scratch + 1);
    fprintf(file, "int main(void)\n{\n    uint32_t state = 1;\n");
    for (unsigned i = 0; i < plan->inputs; i++)
        fprintf(file, "    fill(input%u, %" PRIu64 ", &state);\n", i, in[i]);
    fprintf(file, "    ztl_region_begin(\"%s\");\n    %s(", name, name);
    for (unsigned i = 0; i < plan->outputs; i++)
        fprintf(file, "output%u, ", i);
    for (unsigned i = 0; i < plan->inputs; i++)
        fprintf(file, "input%u, ", i);
    fprintf(file,
            "work);\n    atomic_thread_fence(memory_order_seq_cst); /* until all is stored */\n"
            "    ztl_region_end();\n");
    for (unsigned i = 0; i < plan->outputs; i++)
        fprintf(file,
                "    printf(\"output %u: CRC-32 %%08lx\\n\", (unsigned long)crc(output%u, %" PRIu64
                "));\n",
                i, i, out[i]);
    fprintf(file, "    return 0;\n}\n");
}
