/* SPDX-License-Identifier: Apache-2.0
 * What QEMU's plugin tells the host, over a socket of packets. A byte is the answer; the machine
 * waits for it.
 */
#ifndef ZTL_QEMU_PLUGIN_H
#define ZTL_QEMU_PLUGIN_H

#include <stdint.h>

enum ztl_plugin_event {
    ZTL_PLUGIN_BELL,  /* the monitor's: see its mailbox */
    ZTL_PLUGIN_STORE, /* to HTIF's tohost; done already */
    ZTL_PLUGIN_LIMIT, /* as many instructions as allowed: the next is at pc */
};

typedef struct ztl_plugin_message {
    uint64_t event;
    uint64_t pc;
    uint64_t address, size; /* of the store */
} ztl_plugin_message;

#endif
