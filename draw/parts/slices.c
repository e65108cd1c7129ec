/* SPDX-License-Identifier: Apache-2.0
 * LOAD and STORE: memory as a row of slices, and the parts of the register that they go to or come
 * from.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "draw/parts/parts.h"
#include "host/error.h"

enum { GAP = 2, NOWHERE = -1 }; /* as many slots that nobody uses are still drawn */

/* A slot of memory that is drawn; `is_gap`: dots for the ones left out. */
typedef struct slot {
    int64_t number; /* in slices from the base */
    bool is_gap;
} slot;

typedef struct slices {
    ztl_language language;
    const ztl_trace *trace;
    unsigned tl, count;
    size_t width; /* bytes of a slice */
    uint64_t base;
    bool is_store;
    slot slot[(GAP + 1) * (ZTL_MAX_SLICES + 1) + 1];
    unsigned slots;
} slices;

static int64_t number_of(const slices *s, uint64_t address)
{
    return (int64_t)(address - s->base) / (int64_t)s->width;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void add_slot(slices *s, int64_t number, bool is_gap)
{
    s->slot[s->slots++] = (slot){number, is_gap};
}

/* Every slot that is accessed, in order of addresses, and what lies between. */
static void list_slots(slices *s)
{
    int64_t used[2 * ZTL_MAX_SLICES];
    size_t count = s->trace->accesses < ZTL_MAX_SLICES ? s->trace->accesses : ZTL_MAX_SLICES;
    for (size_t i = 0; i < count; i++)
        used[i] = number_of(s, s->trace->access[i].address);
    qsort(used, count, sizeof used[0], compare);
    for (int64_t n = 0; count && used[0] <= GAP + 1 && n < used[0]; n++)
        add_slot(s, n, false); /* where the base is, if that is near */
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && used[i] == used[i - 1])
            continue;
        bool is_far = i > 0 && (used[i] < used[i - 1] || used[i] - used[i - 1] > GAP + 1);
        if (is_far)
            add_slot(s, 0, true);
        for (int64_t n = i > 0 && !is_far ? used[i - 1] + 1 : used[i]; n < used[i]; n++)
            add_slot(s, n, false);
        add_slot(s, used[i], false);
    }
}

/* Which slot's first byte has this name, as an index of the list; NOWHERE for none. */
static int slot_named(const slices *s, uint32_t name)
{
    if (name < ZTL_TRACE_MEMORY)
        return NOWHERE;
    size_t byte = (name - ZTL_TRACE_MEMORY) / 2;
    int64_t number = byte < s->trace->bytes ? number_of(s, s->trace->address[byte]) : INT64_MIN;
    for (unsigned i = 0; i < s->slots; i++)
        if (!s->slot[i].is_gap && s->slot[i].number == number)
            return (int)i;
    return NOWHERE;
}

static int slice_named(const slices *s, uint32_t name)
{
    uint32_t first = ztl_trace_name(s->tl, 0);
    if (name < first || name >= first + ZTL_TRACE_NIBBLES)
        return NOWHERE;
    return (int)((name - first) / 2 / s->width);
}

static uint64_t address_of(const slices *s, unsigned index)
{
    return s->base + (uint64_t)s->slot[index].number * s->width;
}

/* What a slot of memory holds after the instruction: a slice of the register, or NOWHERE. */
static int slice_in_slot(const slices *s, unsigned index)
{
    for (size_t i = 0; i < s->trace->bytes; i++)
        if (!s->slot[index].is_gap && s->trace->address[i] == address_of(s, index))
            return slice_named(s, s->trace->memory[2 * i]);
    return NOWHERE;
}

/* What a slice of the register holds after the instruction: a slot, or NOWHERE. */
static int slot_in_slice(const slices *s, unsigned slice)
{
    return slot_named(s, s->trace->tl[s->tl][2 * s->width * slice]);
}

static bool is_zero(const slices *s, unsigned slice)
{
    return s->trace->tl[s->tl][2 * s->width * slice] == ZTL_TRACE_ZERO;
}

static uint32_t colour_of(const slices *s, int which)
{
    unsigned all = s->is_store ? s->count : s->slots;
    return ztl_colour(320 * (unsigned)which / (all ? all : 1), 76);
}

/* Whether a slot is loaded by some slice, or a slice is stored and stays. */
static bool is_used(const slices *s, unsigned which)
{
    unsigned others = s->is_store ? s->slots : s->count;
    for (unsigned i = 0; i < others; i++)
        if ((s->is_store ? slice_in_slot(s, i) : slot_in_slice(s, i)) == (int)which)
            return true;
    return false;
}

static void paint(const slices *s, ztl_cell *cell, int which)
{
    cell->kind = ZTL_CELL_COLOURED;
    cell->rgb = colour_of(s, which);
}

static void fill_slot(const slices *s, ztl_cell *cell, char *above, size_t size, unsigned index)
{
    if (s->slot[index].is_gap) {
        cell->kind = ZTL_CELL_NONE;
        snprintf(cell->label, sizeof cell->label, "...");
        return;
    }
    uint64_t address = address_of(s, index), last = address + s->width - 1;
    int length =
        ZTL_SAY(s->language, cell->title, sizeof cell->title, ZTL_T_ADDRESSES, address, last);
    if (s->is_store)
        snprintf(above, size, "%+" PRId64, s->slot[index].number);
    int slice = slice_in_slot(s, index);
    if (!s->is_store) {
        snprintf(cell->label, sizeof cell->label, "%+" PRId64, s->slot[index].number);
        cell->kind = ZTL_CELL_UNUSED;
        if (is_used(s, index))
            paint(s, cell, (int)index);
    } else if (slice == NOWHERE) {
        cell->kind = ZTL_CELL_KEPT;
        snprintf(cell->label, sizeof cell->label, "-");
    } else {
        snprintf(cell->label, sizeof cell->label, "s%d", slice);
        paint(s, cell, slice);
        ZTL_SAY(s->language, cell->title + length, sizeof cell->title - (size_t)length,
                ZTL_T_WAS_BYTES, s->tl, (size_t)slice * s->width,
                ((size_t)slice + 1) * s->width - 1);
    }
}

static void fill_slice(const slices *s, ztl_cell *cell, unsigned slice)
{
    size_t first = slice * s->width;
    int length = ZTL_SAY(s->language, cell->title, sizeof cell->title, ZTL_T_BYTES, s->tl, first,
                         first + s->width - 1);
    char *more = cell->title + length;
    size_t room = sizeof cell->title - (size_t)length;
    int from = slot_in_slice(s, slice);
    if (s->is_store) {
        snprintf(cell->label, sizeof cell->label, "s%u", slice);
        cell->kind = ZTL_CELL_UNUSED;
        if (is_used(s, slice))
            paint(s, cell, (int)slice);
    } else if (from == NOWHERE) {
        cell->kind = ZTL_CELL_KEPT;
        snprintf(cell->label, sizeof cell->label, is_zero(s, slice) ? "0" : "-");
        snprintf(more, room, "%s",
                 is_zero(s, slice) ? ZTL_WORD(s->language, ZTL_T_IS_ZERO)
                                   : ZTL_WORD(s->language, ZTL_T_KEEP));
    } else {
        snprintf(cell->label, sizeof cell->label, "%+" PRId64, s->slot[from].number);
        paint(s, cell, from);
        ZTL_SAY(s->language, more, room, ZTL_T_WERE_AT, address_of(s, (unsigned)from));
    }
}

/* The longest number of a slot. */
static unsigned label_length(const slices *s)
{
    enum { LEAST = 6 };
    int most = LEAST;
    for (unsigned i = 0; i < s->slots; i++) {
        int length = snprintf(NULL, 0, "%+" PRId64, s->slot[i].number);
        most = length > most ? length : most;
    }
    return (unsigned)most;
}

/* As many cells in a row as fit; cells of no kind fill the last row. */
static ztl_panel *row_panel(const slices *s, ztl_picture *picture, const ztl_limits *limits,
                            unsigned count)
{
    unsigned columns = count;
    while (columns > 1 && !ztl_limits_allow(limits, 1, columns, 0, label_length(s)))
        columns--;
    ztl_panel *panel = ztl_picture_panel(picture, (count + columns - 1) / columns, columns);
    for (unsigned i = count; panel && i < panel->rows * columns; i++)
        panel->cell[i].kind = ZTL_CELL_NONE;
    return panel;
}

static bool draw_memory(const slices *s, const ztl_limits *limits, ztl_picture *picture)
{
    ztl_panel *panel = row_panel(s, picture, limits, s->slots ? s->slots : 1);
    if (!panel)
        return false;
    const char *plural = s->width == 1 || s->language == ZTL_CHINESE ? "" : "s";
    if (s->is_store)
        ZTL_SAY(s->language, panel->title, sizeof panel->title, ZTL_T_MEMORY_AFTER, s->width,
                plural, s->base);
    else
        ZTL_SAY(s->language, panel->title, sizeof panel->title, ZTL_T_MEMORY, s->width, plural,
                s->base);
    for (unsigned i = 0; i < s->slots; i++) {
        char unused[16];
        bool is_one_row = panel->rows == 1;
        fill_slot(s, &panel->cell[i], is_one_row ? panel->column_label[i] : unused, 16, i);
    }
    if (!s->slots) {
        panel->cell[0].kind = ZTL_CELL_NONE;
        snprintf(panel->cell[0].label, sizeof panel->cell[0].label, "...");
    }
    return true;
}

static bool has_rest(const slices *s)
{
    return s->count * s->width < ZTL_REG_BYTES;
}

static bool draw_register(const slices *s, const ztl_limits *limits, ztl_picture *picture)
{
    ztl_panel *panel = row_panel(s, picture, limits, s->count + has_rest(s));
    if (!panel)
        return false;
    if (s->is_store)
        ZTL_SAY(s->language, panel->title, sizeof panel->title, ZTL_T_REGISTER, s->tl);
    else
        ZTL_SAY(s->language, panel->title, sizeof panel->title, ZTL_T_REGISTER_AFTER, s->tl);
    for (unsigned i = 0; i < s->count; i++) {
        fill_slice(s, &panel->cell[i], i);
        if (panel->rows == 1)
            snprintf(panel->column_label[i], sizeof panel->column_label[i], "%zu-%zu", i * s->width,
                     (i + 1) * s->width - 1);
    }
    if (has_rest(s)) {
        ztl_cell *rest = &panel->cell[s->count];
        rest->kind = s->is_store ? ZTL_CELL_UNUSED : ZTL_CELL_KEPT;
        snprintf(rest->label, sizeof rest->label, "%s", ZTL_WORD(s->language, ZTL_T_REST));
        int length = ZTL_SAY(s->language, rest->title, sizeof rest->title, ZTL_T_BYTES, s->tl,
                             s->count * s->width, (size_t)ZTL_REG_BYTES - 1);
        snprintf(rest->title + length, sizeof rest->title - (size_t)length, "%s",
                 s->is_store ? ZTL_WORD(s->language, ZTL_T_NOT_STORED)
                             : ZTL_WORD(s->language, ZTL_T_KEEP));
    }
    return true;
}

static void link_cells(const slices *s, ztl_picture *picture)
{
    if (picture->panel[0].rows > 1 || picture->panel[1].rows > 1)
        return;
    unsigned targets = s->is_store ? s->slots : s->count;
    for (unsigned to = 0; to < targets && picture->links < ZTL_PANEL_SIDE; to++) {
        int from = s->is_store ? slice_in_slot(s, to) : slot_in_slice(s, to);
        if (from != NOWHERE)
            picture->link[picture->links++] = (ztl_link){(unsigned)from, to};
    }
}

/* Without an access no call has told the width: it is that of the same instruction with all slices,
 * at addresses that every element may have. */
static size_t masked_width(const ztl_scene *scene, int base, ztl_error *error)
{
    ztl_scene all = *scene;
    all.x[base] = 0;
    ztl_csr_write(&all.hart, ZTL_CSR_LOAD_MASK, UINT32_MAX);
    ztl_csr_write(&all.hart, ZTL_CSR_STORE_MASK, UINT32_MAX);
    if (all.hart.csr[ZTL_SLOT_LOAD_WIDTH] || all.hart.csr[ZTL_SLOT_STORE_WIDTH])
        ztl_csr_write(&all.hart, ZTL_CSR_TTYPE, 0);
    ztl_trace *trace = ztl_trace_run(&all, error);
    size_t width = trace ? trace->access[0].size : 0;
    free(trace);
    return width;
}

static const char *note_of(const slices *s, const ztl_trace *trace)
{
    if (!trace->accesses)
        return ZTL_WORD(s->language, ZTL_T_NOTE_NOTHING);
    if (s->is_store)
        return ZTL_WORD(s->language, ZTL_T_NOTE_STORE);
    return trace->accesses < s->count ? ZTL_WORD(s->language, ZTL_T_NOTE_MASKED)
                                      : ZTL_WORD(s->language, ZTL_T_NOTE_LOAD);
}

bool ztl_draw_slices(const ztl_scene *scene, const ztl_trace *trace, const ztl_limits *limits,
                     ztl_picture *picture, ztl_error *error)
{
    bool is_store = ztl_op_effects(scene->insn.row->op) & ZTL_STORES;
    int base = ztl_scene_operand(scene, "rbase");
    base = base < 0 ? ztl_scene_operand(scene, "rs") : base;
    slices s = {.language = picture->language,
                .trace = trace,
                .tl = (unsigned)ztl_scene_operand(scene, is_store ? "tlrs" : "tlrd"),
                .count = scene->shape[0],
                .base = scene->x[base],
                .is_store = is_store};
    s.width = trace->accesses ? trace->access[0].size : masked_width(scene, base, error);
    if (!s.width)
        return false;
    list_slots(&s);
    picture->is_stacked = true;
    bool done = is_store ? draw_register(&s, limits, picture) && draw_memory(&s, limits, picture)
                         : draw_memory(&s, limits, picture) && draw_register(&s, limits, picture);
    if (!done)
        return ztl_fail(error, "no memory");
    link_cells(&s, picture);
    ztl_picture_note(picture, "%s", note_of(&s, trace));
    if (!is_store && has_rest(&s))
        ztl_picture_note(picture, "%s", ZTL_WORD(s.language, ZTL_T_NOTE_REST));
    return true;
}
