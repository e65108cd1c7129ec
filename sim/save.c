/* SPDX-License-Identifier: Apache-2.0
 * The whole state of a hart in a file.
 *
 * A header, the registers, then the pages of RAM that are not all zero, each after its address,
 * and a record with no bytes at the end. All little-endian.
 */
#define _GNU_SOURCE
#include "sim/hart.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/error.h"
#include "host/output.h"

enum { PAGE = 4096, ISA_SIZE = 200, FORMAT_VERSION = 3 };

static const char magic[8] = {'Z', 'T', 'L', 'H', 'A', 'R', 'T', '\n'};

/* What a state must have in common with the hart that it is brought back to. */
typedef struct saved_header {
    char magic[8];
    uint32_t version;
    uint32_t state_size;
    char isa[ISA_SIZE];
    uint64_t ram_count;
    ztl_window ram[ZTL_HART_MAX_RAM];
    ztl_window l1m, l0m;
} saved_header;

typedef struct saved_state {
    uint64_t x[32], f[32];
    uint64_t pc, retired, privilege;
    uint64_t mstatus, mie, mip, mtvec, mscratch, mepc, mcause, mtval, mcounteren, menvcfg;
    uint64_t cycle_offset, instret_offset, mtvec_written, fflags, frm;
    uint64_t reserved, reserved_address;
    uint64_t pmp_addr[ZTL_PMP_ENTRIES];
    uint8_t pmp_cfg[ZTL_PMP_ENTRIES];
    uint8_t tl[ZTL_REGISTERS][ZTL_REG_BYTES];
    uint32_t ztl_csr[ZTL_SLOTS];
    uint8_t ztl_written[ZTL_SLOTS];
} saved_state;

typedef struct page_record {
    uint64_t address;
    uint64_t size; /* 0: the last record */
} page_record;

static void make_header(const ztl_hart *hart, saved_header *header)
{
    memset(header, 0, sizeof *header);
    memcpy(header->magic, magic, sizeof magic);
    header->version = FORMAT_VERSION;
    header->state_size = sizeof(saved_state);
    ztl_hart_isa_print(&hart->isa, header->isa, sizeof header->isa);
    header->ram_count = hart->region_count;
    for (size_t i = 0; i < hart->region_count; i++)
        header->ram[i] = (ztl_window){hart->regions[i].ram.base, hart->regions[i].ram.size};
    header->l1m = hart->ztl.config.l1m;
    header->l0m = hart->ztl.config.l0m;
}

/* The fields that both directions copy one to one. */
#define CSR_FIELDS(COPY)                                                                           \
    COPY(mstatus)                                                                                  \
    COPY(mie)                                                                                      \
    COPY(mip)                                                                                      \
    COPY(mtvec)                                                                                    \
    COPY(mscratch)                                                                                 \
    COPY(mepc)                                                                                     \
    COPY(mcause)                                                                                   \
    COPY(mtval)                                                                                    \
    COPY(mcounteren)                                                                               \
    COPY(menvcfg)                                                                                  \
    COPY(cycle_offset)                                                                             \
    COPY(instret_offset)                                                                           \
    COPY(mtvec_written)                                                                            \
    COPY(fflags)                                                                                   \
    COPY(frm)

static void get_state(const ztl_hart *hart, saved_state *state)
{
    memset(state, 0, sizeof *state);
    memcpy(state->x, hart->x, sizeof state->x);
    memcpy(state->f, hart->f, sizeof state->f);
    state->pc = hart->pc;
    state->retired = hart->retired;
    state->privilege = hart->privilege;
#define COPY(field) state->field = hart->csr.field;
    CSR_FIELDS(COPY)
#undef COPY
    state->reserved = hart->reserved;
    state->reserved_address = hart->reserved_address;
    memcpy(state->pmp_addr, hart->csr.pmp.addr, sizeof state->pmp_addr);
    memcpy(state->pmp_cfg, hart->csr.pmp.cfg, sizeof state->pmp_cfg);
    for (unsigned n = 0; n < ZTL_REGISTERS; n++)
        memcpy(state->tl[n], ztl_get_register(&hart->ztl, n), ZTL_REG_BYTES);
    memcpy(state->ztl_csr, hart->ztl.csr, sizeof state->ztl_csr);
    memcpy(state->ztl_written, hart->ztl.written, sizeof state->ztl_written);
}

static void put_state(ztl_hart *hart, const saved_state *state)
{
    memcpy(hart->x, state->x, sizeof state->x);
    memcpy(hart->f, state->f, sizeof state->f);
    ztl_hart_set_pc(hart, state->pc);
    hart->retired = state->retired;
    ztl_hart_set_privilege(hart, (enum ztl_privilege)state->privilege);
#define COPY(field) hart->csr.field = state->field;
    CSR_FIELDS(COPY)
#undef COPY
    hart->reserved = state->reserved;
    hart->reserved_address = state->reserved_address;
    memcpy(hart->csr.pmp.addr, state->pmp_addr, sizeof state->pmp_addr);
    memcpy(hart->csr.pmp.cfg, state->pmp_cfg, sizeof state->pmp_cfg);
    ztl_pmp_update(hart);
    for (unsigned n = 0; n < ZTL_REGISTERS; n++)
        ztl_set_register(&hart->ztl, n, state->tl[n]);
    memcpy(hart->ztl.csr, state->ztl_csr, sizeof state->ztl_csr);
    memcpy(hart->ztl.written, state->ztl_written, sizeof state->ztl_written);
    hart->has_trapped = false;
}

static bool write_page(FILE *file, uint64_t address, const uint8_t *bytes, size_t size)
{
    page_record record = {address, size};
    if (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0) /* all are zero */
        return true;
    return fwrite(&record, sizeof record, 1, file) == 1 && fwrite(bytes, size, 1, file) == 1;
}

static bool write_ram(FILE *file, const ztl_ram *ram)
{
    for (uint64_t at = 0; at < ram->size; at += PAGE) {
        size_t size = ram->size - at < PAGE ? (size_t)(ram->size - at) : PAGE;
        if (!write_page(file, ram->base + at, ram->bytes + at, size))
            return false;
    }
    return true;
}

static bool write_all(FILE *file, const void *context)
{
    const ztl_hart *hart = context;
    saved_header header;
    saved_state state;
    const page_record last = {0};
    make_header(hart, &header);
    get_state(hart, &state);
    bool good =
        fwrite(&header, sizeof header, 1, file) == 1 && fwrite(&state, sizeof state, 1, file) == 1;
    for (size_t i = 0; i < hart->region_count && good; i++)
        good = write_ram(file, &hart->regions[i].ram);
    return good && fwrite(&last, sizeof last, 1, file) == 1;
}

bool ztl_hart_save(const ztl_hart *hart, const char *path, ztl_error *error)
{
    const ztl_output output = {path, write_all, hart};
    return ztl_outputs_write(&output, 1, NULL) || ztl_fail(error, "%s: %s", path, strerror(errno));
}

static bool is_page_of(const ztl_hart *hart, const page_record *record)
{
    region *piece = ztl_region_of(hart, record->address);
    if (!piece || record->size > PAGE)
        return false;
    return piece->ram.size - (record->address - piece->ram.base) >= record->size;
}

/* Reads the pages; only checks them without a hart to write to. */
static bool read_pages(const ztl_hart *shape, ztl_hart *hart, FILE *file)
{
    for (;;) {
        page_record record;
        uint8_t bytes[PAGE];
        if (fread(&record, sizeof record, 1, file) != 1)
            return false;
        if (record.size == 0)
            return fgetc(file) == EOF;
        if (!is_page_of(shape, &record) || fread(bytes, (size_t)record.size, 1, file) != 1)
            return false;
        if (hart)
            ztl_hart_write_memory(hart, record.address, bytes, (size_t)record.size);
    }
}

static bool read_all(ztl_hart *hart, FILE *file, const char *path, ztl_error *error)
{
    saved_header header, expected;
    saved_state state;
    make_header(hart, &expected);
    if (fread(&header, sizeof header, 1, file) != 1 ||
        memcmp(header.magic, magic, sizeof magic) != 0)
        return ztl_fail(error, "%s: not the saved state of a hart", path);
    if (header.version != expected.version || header.state_size != expected.state_size)
        return ztl_fail(error, "%s: saved by another version", path);
    header.isa[ISA_SIZE - 1] = '\0';
    if (strcmp(header.isa, expected.isa) != 0)
        return ztl_fail(error, "%s: the state of a hart of ISA %s, this one has %s", path,
                        header.isa, expected.isa);
    if (memcmp(&header, &expected, sizeof header) != 0)
        return ztl_fail(error, "%s: the state of a hart with other RAM or windows", path);
    bool good = fread(&state, sizeof state, 1, file) == 1;
    long pages = ftell(file);
    if (!good || pages < 0 || !read_pages(hart, NULL, file))
        return ztl_fail(error, "%s: the file is cut or damaged", path);
    ztl_memory_clear(hart);
    if (fseek(file, pages, SEEK_SET) != 0 || !read_pages(hart, hart, file))
        return ztl_fail(error, "%s: the file changed while it was read", path);
    put_state(hart, &state);
    return true;
}

bool ztl_hart_restore(ztl_hart *hart, const char *path, ztl_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return ztl_fail(error, "%s: %s", path, strerror(errno));
    bool good = read_all(hart, file, path, error);
    fclose(file);
    return good;
}
