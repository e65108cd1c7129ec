/* SPDX-License-Identifier: Apache-2.0
 * Counts of what a hart did.
 */
#include <ztl/observe.h>

const char *ztl_class_name(enum ztl_class class_of)
{
    static const char *const names[] = {
#define ZTL_CLASS(ID, name) name,
        ZTL_CLASSES(ZTL_CLASS)
#undef ZTL_CLASS
    };
    return (unsigned)class_of < ZTL_CLASS_COUNT ? names[class_of] : "";
}

/* Of the second quadrant's funct3 = 100: jumps, ebreak, mv and add. */
static enum ztl_class class_of_cr(uint32_t word)
{
    bool has_source = (word >> 2 & 31) != 0, has_target = (word >> 7 & 31) != 0;
    if (has_source)
        return ZTL_CLASS_ALU;
    return has_target ? ZTL_CLASS_JUMP : ZTL_CLASS_SYSTEM;
}

static enum ztl_class class_of_compressed(unsigned xlen, uint32_t word)
{
    unsigned quadrant = word & 3, funct3 = word >> 13 & 7;
    if (quadrant == 1) {
        if (funct3 >= 6)
            return ZTL_CLASS_BRANCH;
        return funct3 == 5 || (funct3 == 1 && xlen == 32) ? ZTL_CLASS_JUMP : ZTL_CLASS_ALU;
    }
    if (funct3 >= 5)
        return ZTL_CLASS_STORE;
    if (funct3 >= 1 && funct3 <= 3)
        return ZTL_CLASS_LOAD;
    return quadrant == 2 && funct3 == 4 ? class_of_cr(word) : ZTL_CLASS_ALU;
}

enum ztl_class ztl_class_of(unsigned xlen, uint32_t word)
{
    if ((word & 3) != 3)
        return class_of_compressed(xlen, word);
    switch (word >> 2 & 31) {
    case 0x00:
    case 0x01:
        return ZTL_CLASS_LOAD;
    case 0x03:
        return ZTL_CLASS_FENCE;
    case 0x08:
    case 0x09:
        return ZTL_CLASS_STORE;
    case 0x0b:
        return ZTL_CLASS_ATOMIC;
    case 0x0c:
    case 0x0e:
        return word >> 25 == 1 ? ZTL_CLASS_MULTIPLY : ZTL_CLASS_ALU;
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13:
    case 0x14:
        return ZTL_CLASS_FLOAT;
    case 0x18:
        return ZTL_CLASS_BRANCH;
    case 0x19:
    case 0x1b:
        return ZTL_CLASS_JUMP;
    case 0x1c:
        return word >> 12 & 7 ? ZTL_CLASS_CSR : ZTL_CLASS_SYSTEM;
    default:
        return ZTL_CLASS_ALU;
    }
}

static void count_trap(ztl_stats *stats, const ztl_trap *trap)
{
    if (trap->interrupt)
        stats->interrupts++;
    else if (trap->cause < ZTL_STATS_CAUSES)
        stats->exceptions[trap->cause]++;
}

static void count_accesses(ztl_stats *stats, const ztl_event *event)
{
    uint64_t bytes[2] = {0};
    for (unsigned i = 0; i < event->access_count; i++)
        bytes[event->access[i].is_store] += event->access[i].size;
    *(event->ztl ? &stats->ztl_loaded : &stats->loaded) += bytes[0];
    *(event->ztl ? &stats->ztl_stored : &stats->stored) += bytes[1];
}

static void happened(void *context, ztl_hart *hart, const ztl_event *event)
{
    ztl_stats *stats = context;
    if (event->trapped) {
        count_trap(stats, &event->trap);
        return;
    }
    if (event->ztl) {
        stats->by_class[ZTL_CLASS_ZTL]++;
        stats->by_insn[event->ztl->row->id]++;
    } else {
        stats->by_class[ztl_class_of(ztl_hart_isa_of(hart)->xlen, event->word)]++;
    }
    stats->compressed += event->length == 2;
    if (event->access_count)
        count_accesses(stats, event);
}

ztl_observer ztl_stats_observer(ztl_stats *stats)
{
    return (ztl_observer){stats, happened};
}
