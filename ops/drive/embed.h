/* SPDX-License-Identifier: Apache-2.0
 * A file as a part of the program: the bytes from NAME_image to NAME_end.
 */
#ifndef ZTL_OPS_EMBED_H
#define ZTL_OPS_EMBED_H

#include <stdint.h>

#define OPS_EMBED(name, file)                                                                      \
    __asm__(".section .rodata\n"                                                                   \
            ".balign 8\n" #name "_image:\n"                                                        \
            ".incbin \"" file "\"\n" #name "_end:\n"                                               \
            ".previous\n");                                                                        \
    extern const uint8_t name##_image[] __attribute__((visibility("hidden")));                     \
    extern const uint8_t name##_end[] __attribute__((visibility("hidden")))

#endif
