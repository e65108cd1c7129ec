/* SPDX-License-Identifier: Apache-2.0
 * The address space of a process: the program, the heap of brk behind it, the stack at the top, and
 * below that what mmap gives out. All of it is one region of the hart's RAM.
 */
#include <errno.h>
#include <string.h>

#include "sim/linux/process.h"

enum { MAP_SHARED_ = 1, MAP_PRIVATE_ = 2, MAP_FIXED_ = 0x10, MAP_ANONYMOUS_ = 0x20 };
enum { MAP_FIXED_NOREPLACE_ = 0x100000, MREMAP_MAYMOVE_ = 1, MADV_DONTNEED_ = 4 };
enum { UNMAPPED = 1u << 31 };

static uint64_t space_end(const ztl_linux *l)
{
    return l->space.base + l->space.size;
}

/* Adds a piece at the end of a list, to the last one if that is the same. */
static void append(ztl_mapping *list, size_t *count, uint64_t start, uint64_t end, unsigned allows)
{
    if (start >= end || allows == UNMAPPED)
        return;
    ztl_mapping *last = *count ? &list[*count - 1] : NULL;
    if (last && last->end == start && last->allows == allows)
        last->end = end;
    else
        list[(*count)++] = (ztl_mapping){start, end, allows};
}

/* The pieces when pages get a use, or none at all; how many. */
static size_t list_changed(const ztl_linux *l, uint64_t start, uint64_t end, unsigned allows,
                           ztl_mapping *list)
{
    size_t count = 0, i = 0;
    for (; i < l->map.count && l->mapping[i].start < start; i++) {
        const ztl_mapping *m = &l->mapping[i];
        append(list, &count, m->start, m->end < start ? m->end : start, m->allows);
        if (m->end > start)
            break;
    }
    append(list, &count, start, end, allows);
    for (; i < l->map.count; i++) {
        const ztl_mapping *m = &l->mapping[i];
        append(list, &count, m->start > end ? m->start : end, m->end, m->allows);
    }
    return count;
}

static void zero_mapped(ztl_linux *l, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < l->map.count; i++) {
        const ztl_mapping *m = &l->mapping[i];
        uint64_t from = m->start > start ? m->start : start, to = m->end < end ? m->end : end;
        if (from < to)
            ztl_memory_zero(l->hart, from, to - from);
    }
}

/* Nothing is lost where there would be too many pieces. */
static bool change(ztl_linux *l, uint64_t start, uint64_t end, unsigned allows)
{
    ztl_mapping list[MAX_MAPPINGS + 3];
    size_t count = list_changed(l, start, end, allows, list);
    if (count > MAX_MAPPINGS)
        return false;
    if (allows == UNMAPPED)
        zero_mapped(l, start, end);
    memcpy(l->mapping, list, count * sizeof *list);
    l->map = (ztl_map){l->mapping, count};
    ztl_memory_set_map(l->hart, &l->map, start, end);
    return true;
}

bool ztl_linux_map(ztl_linux *l, uint64_t start, uint64_t end, unsigned allows)
{
    return change(l, start, end, allows);
}

bool ztl_linux_unmap(ztl_linux *l, uint64_t start, uint64_t end)
{
    return change(l, start, end, UNMAPPED);
}

bool ztl_linux_is_free(const ztl_linux *l, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < l->map.count; i++)
        if (l->mapping[i].start < end && l->mapping[i].end > start)
            return false;
    return true;
}

bool ztl_linux_is_mapped(const ztl_linux *l, uint64_t start, uint64_t end)
{
    return ztl_map_span(&l->map, start, end - start, 0) == end - start;
}

uint64_t ztl_linux_find_room(const ztl_linux *l, uint64_t size)
{
    uint64_t high = l->top;
    for (size_t i = l->map.count; i-- > 0;) {
        const ztl_mapping *m = &l->mapping[i];
        if (m->start >= l->top)
            continue;
        uint64_t low = m->end > l->current_break ? m->end : l->current_break;
        if (high > low && high - low >= size)
            return high - size;
        high = m->start < high ? m->start : high;
        if (high <= l->current_break)
            break;
    }
    return 0;
}

static unsigned use_of(uint64_t protection)
{
    unsigned use = 0;
    if (protection & (GUEST_PROT_READ | GUEST_PROT_WRITE)) /* what is stored can be loaded */
        use |= USE_LOAD;
    if (protection & GUEST_PROT_WRITE)
        use |= USE_STORE;
    if (protection & GUEST_PROT_EXEC)
        use |= USE_FETCH;
    return use;
}

/* Whole pages of the address space; *end is past them. */
static bool is_range(const ztl_linux *l, uint64_t start, uint64_t size, uint64_t *end)
{
    if (start % PAGE || size > l->space.size || start < l->space.base ||
        start - l->space.base > l->space.size - size)
        return false;
    *end = page_up(start + size);
    return *end <= space_end(l);
}

int64_t ztl_linux_brk(ztl_linux *l, const uint64_t *a)
{
    uint64_t old = page_up(l->current_break), fresh = page_up(a[0]);
    if (a[0] < l->first_break || a[0] >= l->top)
        return (int64_t)l->current_break;
    if (fresh > old &&
        (!ztl_linux_is_free(l, old, fresh) || !ztl_linux_map(l, old, fresh, USE_LOAD | USE_STORE)))
        return (int64_t)l->current_break;
    if (fresh < old)
        ztl_linux_unmap(l, fresh, old);
    l->current_break = a[0];
    return (int64_t)a[0];
}

/* Where a new mapping goes: 0 and an error when it cannot be there. */
static int64_t place(ztl_linux *l, uint64_t wanted, uint64_t size, uint64_t flags)
{
    uint64_t end;
    bool fits = is_range(l, wanted, size, &end);
    bool is_free = fits && ztl_linux_is_free(l, wanted, end);
    if (flags & (MAP_FIXED_ | MAP_FIXED_NOREPLACE_)) {
        if (wanted % PAGE)
            return -EINVAL;
        if (!fits)
            return -ENOMEM;
        if ((flags & MAP_FIXED_NOREPLACE_) && !is_free)
            return -EEXIST;
        if (!is_free && !ztl_linux_unmap(l, wanted, end))
            return -ENOMEM;
        return (int64_t)wanted;
    }
    if (is_free && wanted >= l->current_break && end <= l->top)
        return (int64_t)wanted;
    uint64_t found = size <= l->space.size ? ztl_linux_find_room(l, page_up(size)) : 0;
    return found ? (int64_t)found : -ENOMEM;
}

/* A mapping of a file is a copy of it; one that others could see changes of is not made. A file
 * ends below 2^63. */
static int64_t check_file(ztl_linux *l, const uint64_t *a)
{
    const guest_file *file = ztl_linux_file(l, a[4]);
    if (!file)
        return -EBADF;
    if (file->kind == FILE_ZERO) /* memory that is zero, as without a file */
        return 0;
    if (file->kind != FILE_REGULAR || ((a[3] & MAP_SHARED_) && (a[2] & GUEST_PROT_WRITE)))
        return -ENODEV;
    if (a[5] % PAGE)
        return -EINVAL;
    return a[1] <= l->space.size && a[5] > INT64_MAX - a[1] ? -EOVERFLOW : 0;
}

int64_t ztl_linux_mmap(ztl_linux *l, const uint64_t *a)
{
    uint64_t size = a[1], flags = a[3];
    bool has_file = !(flags & MAP_ANONYMOUS_);
    if (!size || !(flags & (MAP_SHARED_ | MAP_PRIVATE_)))
        return -EINVAL;
    int64_t problem = has_file ? check_file(l, a) : 0;
    int64_t at = problem ? problem : place(l, a[0], size, flags);
    if (at < 0)
        return at;
    uint64_t start = (uint64_t)at, end = start + page_up(size);
    if (has_file) {
        if (!ztl_linux_map(l, start, end, USE_LOAD | USE_STORE))
            return -ENOMEM;
        ztl_linux_pread(l, ztl_linux_file(l, a[4]), start, size, a[5]);
    }
    return ztl_linux_map(l, start, end, use_of(a[2])) ? at : -ENOMEM;
}

int64_t ztl_linux_munmap(ztl_linux *l, const uint64_t *a)
{
    uint64_t end;
    if (!a[1] || !is_range(l, a[0], a[1], &end))
        return -EINVAL;
    return ztl_linux_unmap(l, a[0], end) ? 0 : -ENOMEM;
}

int64_t ztl_linux_mprotect(ztl_linux *l, const uint64_t *a)
{
    uint64_t end;
    if (a[0] % PAGE)
        return -EINVAL;
    if (!a[1])
        return 0;
    if (!is_range(l, a[0], a[1], &end) || !ztl_linux_is_mapped(l, a[0], end))
        return -ENOMEM;
    return ztl_linux_map(l, a[0], end, use_of(a[2])) ? 0 : -ENOMEM;
}

/* Moves what is mapped to a larger place. */
static int64_t move(ztl_linux *l, uint64_t start, uint64_t end, uint64_t size, unsigned allows)
{
    uint64_t to = ztl_linux_find_room(l, size);
    if (!to || !ztl_linux_map(l, to, to + size, USE_LOAD | USE_STORE))
        return -ENOMEM;
    const ztl_ram *ram = ztl_hart_ram(l->hart, 0);
    ztl_hart_write_memory(l->hart, to, ram->bytes + (start - ram->base), (size_t)(end - start));
    if (!ztl_linux_map(l, to, to + size, allows))
        return -ENOMEM;
    ztl_linux_unmap(l, start, end);
    return (int64_t)to;
}

static bool is_size(uint64_t size)
{
    return size && size <= USER_END;
}

int64_t ztl_linux_mremap(ztl_linux *l, const uint64_t *a)
{
    uint64_t start = a[0], size = page_up(a[2]), end, fresh;
    if (a[3] & ~(uint64_t)MREMAP_MAYMOVE_ || start % PAGE || !is_size(a[1]) || !is_size(a[2]))
        return -EINVAL;
    if (!is_range(l, start, a[1], &end) || !ztl_linux_is_mapped(l, start, end))
        return -EFAULT;
    if (size <= end - start)
        return size == end - start || ztl_linux_unmap(l, start + size, end) ? (int64_t)start
                                                                            : -ENOMEM;
    const ztl_mapping *whole = NULL;
    for (size_t i = 0; i < l->map.count; i++)
        if (l->mapping[i].start <= start && l->mapping[i].end >= end)
            whole = &l->mapping[i];
    if (!whole) /* not all of one kind */
        return -EFAULT;
    unsigned allows = whole->allows;
    if (is_range(l, start, a[2], &fresh) && fresh <= l->top && ztl_linux_is_free(l, end, fresh))
        return ztl_linux_map(l, end, fresh, allows) ? (int64_t)start : -ENOMEM;
    if (!(a[3] & MREMAP_MAYMOVE_) || a[2] > l->space.size)
        return -ENOMEM;
    return move(l, start, end, size, allows);
}

/* Advice changes nothing, but that memory may be given back, which reads as zero then. */
int64_t ztl_linux_madvise(ztl_linux *l, const uint64_t *a)
{
    uint64_t size = page_up(a[1]), end;
    if (a[0] % PAGE || size < a[1] || size > UINT64_MAX - a[0])
        return -EINVAL;
    if (!size)
        return 0;
    if (!is_range(l, a[0], size, &end) || !ztl_linux_is_mapped(l, a[0], end))
        return -ENOMEM;
    if (a[2] == MADV_DONTNEED_)
        ztl_memory_zero(l->hart, a[0], end - a[0]);
    return 0;
}

int64_t ztl_linux_msync(ztl_linux *l, const uint64_t *a)
{
    uint64_t end;
    if (a[0] % PAGE)
        return -EINVAL;
    if (!page_up(a[1])) /* also what is rounded up to 2^64, as Linux has it */
        return 0;
    return is_range(l, a[0], a[1], &end) && ztl_linux_is_mapped(l, a[0], end) ? 0 : -ENOMEM;
}
