/* SPDX-License-Identifier: Apache-2.0
 * What QEMU needs of ours, and how it is named in QEMU's options.
 */
#ifndef ZTL_QEMU_PARTS_H
#define ZTL_QEMU_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <ztl/error.h>

#define ZTL_QEMU_PLUGIN "libztl-qemu.so"

/* The folder of libztl-trap.so, the monitors and the plugin. `given` is it, unless NULL: then it is
 * where this program was built or installed. False and a message when there is none. */
bool ztl_qemu_parts(const char *given, char *folder, size_t size, ztl_error *error);

/* In QEMU's options a comma ends a value unless it is doubled. */
void ztl_qemu_quote(const char *from, char *to, size_t size);

#endif
