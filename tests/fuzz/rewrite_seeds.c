/* SPDX-License-Identifier: Apache-2.0
 * Writes assembly with every form that the rewriter knows into a folder, for the fuzzer to start
 * from.
 */
#include <stdio.h>

static const char *const seeds[] = {
    "2l: tl.addi tl1, tl2, FOO+(1<<2) # c\n1: tl.load /* \n */ tl3, -4(a0), comp; nop\n",
    "2.macro m d i e\n tl.concat.\\d tl\\i\\(), \\d, tl2, \\e // c\n.endm\n.irp r,1,2\nm "
    "\\r\n.endr\n",
    "1csrw tl_load_stride{5}, a0\ncsrr a0, TSHAPE\n csrrwi a0, \\c, 3\n\"q\": tl.mload t1, a0, "
    "a1\n",
    "2.ascii \"tl.addi; \\\" # /*\"\n.byte ';', '#'\n# 7 \"other.c\"\nx = 3\ntl.x = 4\n",
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof seeds / sizeof seeds[0]; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%zu.s", argv[1], i);
        FILE *out = fopen(path, "w");
        if (!out || fputs(seeds[i], out) < 0 || fclose(out)) {
            perror(path);
            return 1;
        }
    }
    return argc != 2;
}
