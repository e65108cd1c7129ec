/* SPDX-License-Identifier: Apache-2.0
 * What ztl_dpi.sv does, in C: shows that the functions work without a Verilog simulator.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ztl_dpi.h"

int main(void)
{
    void *hart = ztl_dpi_create("rv64imac_zicsr_ztl", 0x80000000, 0x10000);
    if (!hart)
        return EXIT_FAILURE;
    for (int word = 0; word < 128; word++)
        ztl_dpi_set_tl(hart, 1, word, word);
    ztl_dpi_set_x(hart, 10, 0x01014020);
    if (ztl_dpi_execute(hart, 0x0220b55b) != 0) { /* tl.xpose.01 tl1, tl2, a0 */
        fprintf(stderr, "trap, reason %d\n", ztl_dpi_reason(hart));
        return EXIT_FAILURE;
    }
    for (int row = 0; row < 16; row++)
        if ((ztl_dpi_tl(hart, 1, row / 8) >> (8 * (row % 8)) & 0xff) != (8 * row & 0xff)) {
            fprintf(stderr, "row %d differs\n", row);
            return EXIT_FAILURE;
        }
    printf("the transpose agrees with the model\n");
    ztl_dpi_destroy(hart);
    return EXIT_SUCCESS;
}
