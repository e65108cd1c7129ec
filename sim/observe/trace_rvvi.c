/* SPDX-License-Identifier: Apache-2.0
 * The trace as RVVI-TEXT 0.3, the text form of the RISC-V Verification Interface. What the format
 * has no element for, tensor registers and memory, is META; a value has its highest byte first.
 */
#include "sim/observe/line.h"
#include "sim/observe/trace.h"

static char *put_pair(char *at, const char *key, unsigned value)
{
    at = ztl_put_text(at, key);
    *at++ = ' ';
    return ztl_put_decimal(at, value);
}

char *ztl_trace_rvvi_header(const ztl_trace *trace, char *at)
{
    at = ztl_put_literal(at, "VERSION 0 3\n");
    at = put_pair(at, "VENDOR ztl", ZTL_VERSION_MAJOR);
    at = put_pair(at, "", ZTL_VERSION_MINOR);
    at = put_pair(at, "\nPARAMS 6 ILEN 32 XLEN", trace->isa.xlen);
    at = put_pair(at, " FLEN", ztl_hart_flen(trace->hart));
    return ztl_put_literal(at, " VLEN 0 NHART 1 RETIRE 1\n");
}

/* Only printable ASCII, and no quote but the one that ends it. */
static char *put_comment(char *at, const char *text)
{
    at = ztl_put_literal(at, " '");
    for (size_t length = 0; *text && length < ZTL_REG_BYTES; length++, text++)
        *at++ = (char)(*text < ' ' || *text > '~' || *text == '\'' ? '?' : *text);
    *at++ = '\'';
    return at;
}

static char *put_value(char *at, const char *key, unsigned index, uint64_t value, unsigned digits)
{
    *at++ = ' ';
    at = put_pair(at, key, index);
    *at++ = ' ';
    return ztl_put_hex(at, value, digits);
}

/* The tokens CRC32 0x…, or one number. */
static char *put_block(const ztl_trace *trace, const uint8_t *bytes, size_t size, char *at)
{
    if (!trace->config.full) {
        at = ztl_put_literal(at, " CRC32 ");
        return ztl_put_hex(at, (uint32_t)crc32(0, bytes, (uInt)size), 8);
    }
    at = ztl_put_literal(at, " 0x");
    while (size)
        at = ztl_put_bytes(at, &bytes[--size], 1);
    return at;
}

static char *put_access(const ztl_trace *trace, ztl_hart *hart, const ztl_access *access, char *at)
{
    uint8_t bytes[ZTL_REG_BYTES] = {0};
    size_t size = access->size;
    bool is_number = size == 1 || size == 2 || size == 4 || size == 8;
    unsigned tokens = !access->is_store ? 3 : is_number || trace->config.full ? 4 : 5;
    at = ztl_put_literal(at, " META ");
    at = ztl_put_decimal(at, tokens);
    at = ztl_put_text(at, access->is_store ? " STORE " : " LOAD ");
    at = ztl_put_hex(at, access->address, trace->digits);
    *at++ = ' ';
    at = ztl_put_decimal(at, size);
    if (!access->is_store)
        return at;
    if (!is_number)
        return put_block(trace, bytes, ztl_trace_stored(hart, access, bytes), at);
    *at++ = ' ';
    return ztl_put_hex(at, access->value, 2 * (unsigned)size);
}

/* Where the instruction is, as a distance from the symbol before it. */
static char *put_place(const ztl_trace *trace, uint64_t pc, char *at)
{
    ztl_symbol symbol;
    if (!trace->config.program || !ztl_program_locate(trace->config.program, pc, &symbol))
        return at;
    at = put_comment(at, symbol.name);
    at[-1] = '+'; /* in place of the quote */
    at = ztl_put_decimal(at, pc - symbol.address);
    *at++ = '\'';
    return at;
}

static char *put_changes(const ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at)
{
    if (event->rd && !event->trapped)
        at = put_value(at, "X", event->rd, event->rd_new, trace->digits);
    if (event->writes_f)
        at = put_value(at, "F", event->fd, event->fd_new, ztl_hart_flen(hart) / 4);
    for (unsigned i = 0; i < event->csr_count; i++) {
        at = ztl_put_literal(at, " C ");
        at = ztl_put_hex(at, event->csr[i].address, 4);
        *at++ = ' ';
        at = ztl_put_hex(at, event->csr[i].value, trace->digits);
    }
    for (unsigned i = 0; i < event->tl_count; i++) {
        at = ztl_put_text(at, trace->config.full ? " META 3 TL " : " META 4 TL ");
        at = ztl_put_decimal(at, event->tl[i]);
        at =
            put_block(trace, ztl_get_register(ztl_hart_ztl(hart), event->tl[i]), ZTL_REG_BYTES, at);
    }
    for (unsigned i = 0; i < event->access_count; i++)
        at = put_access(trace, hart, &event->access[i], at);
    return at;
}

char *ztl_trace_rvvi(ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at)
{
    bool texts = trace->config.disassemble && event->length;
    at = ztl_put_text(at, event->trapped ? "TRAP " : "RET ");
    at = ztl_put_hex(at, event->pc, trace->digits);
    if (texts)
        at = put_place(trace, event->pc, at);
    *at++ = ' ';
    at = ztl_put_hex(at, event->word, event->length == 2 ? 4 : 8);
    if (texts)
        at = put_comment(at, ztl_trace_disassemble(trace, event));
    at = ztl_put_literal(at, " MODE 0x");
    *at++ = (char)('0' + event->privilege);
    at = put_changes(trace, hart, event, at);
    *at++ = '\n';
    return at;
}
