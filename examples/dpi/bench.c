/* SPDX-License-Identifier: Apache-2.0
 * The transpose of bench.sv in C: shows that the functions work without a Verilog simulator.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ztl_dpi.h"

enum { A0 = 10, XPOSE_01 = 0x0220b55b /* tl.xpose.01 tl1, tl2, a0 */, DIMS_32_64 = 0x01014020 };

static unsigned original(int i)
{
    return (unsigned)(i * 7 + i / 256) & 0xff;
}

int main(void)
{
    static uint32_t half[2][ZTL_DPI_WORDS];
    void *hart = ztl_dpi_create("rv64imac_zicsr_ztl", 0x80000000, 0x10000);
    if (!hart)
        return EXIT_FAILURE;
    for (int i = 0; i < 2048; i++)
        half[i / 1024][i % 1024 / 4] |= original(i) << 8 * (i % 4);
    ztl_dpi_set_tl(hart, 1, half[0]);
    ztl_dpi_set_tl(hart, 2, half[1]);
    ztl_dpi_set_x(hart, A0, DIMS_32_64);
    if (ztl_dpi_execute(hart, XPOSE_01) != 0) {
        fprintf(stderr, "trap, reason %d\n", ztl_dpi_reason(hart));
        return EXIT_FAILURE;
    }
    ztl_dpi_tl(hart, 1, half[0]);
    ztl_dpi_tl(hart, 2, half[1]);
    for (int i = 0; i < 2048; i++)
        if ((half[i / 1024][i % 1024 / 4] >> 8 * (i % 4) & 0xff) !=
            original(i % 32 * 64 + i / 32)) {
            fprintf(stderr, "byte %d differs\n", i);
            return EXIT_FAILURE;
        }
    printf("the transpose agrees with the model\n");
    ztl_dpi_destroy(hart);
    return EXIT_SUCCESS;
}
