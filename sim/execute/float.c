/* SPDX-License-Identifier: Apache-2.0
 * Floating point: registers, rounding modes and flags around the arithmetic of float/.
 */
#include "float/float.h"

#include "sim/hart.h"
#include "sim/privileged/csr.h"

enum float_op {
    FLOAT_LOAD,
    FLOAT_STORE,
    FLOAT_MADD,
    FLOAT_MSUB,
    FLOAT_NMSUB,
    FLOAT_NMADD,
    FLOAT_ADD,
    FLOAT_SUB,
    FLOAT_MUL,
    FLOAT_DIV,
    FLOAT_SQRT,
    FLOAT_SGNJ,
    FLOAT_SGNJN,
    FLOAT_SGNJX,
    FLOAT_MIN,
    FLOAT_MAX,
    FLOAT_MINM,
    FLOAT_MAXM,
    FLOAT_ROUND,
    FLOAT_ROUNDNX,
    FLOAT_EQ,
    FLOAT_LT,
    FLOAT_LE,
    FLOAT_LEQ,
    FLOAT_LTQ,
    FLOAT_CLASS,
    FLOAT_MV_X_F,
    FLOAT_MVH_X_F,
    FLOAT_MV_F_X,
    FLOAT_TO_W,
    FLOAT_TO_WU,
    FLOAT_TO_L,
    FLOAT_TO_LU,
    FLOAT_MOD_W,
    FLOAT_FROM_W,
    FLOAT_FROM_WU,
    FLOAT_FROM_L,
    FLOAT_FROM_LU,
    FLOAT_FROM_H,
    FLOAT_FROM_S,
    FLOAT_FROM_D,
    FLOAT_MVP_F_X,
    FLOAT_LI,
};

enum precision { PRECISION_H, PRECISION_S, PRECISION_D };

static const struct {
    uint8_t op;        /* enum float_op */
    uint8_t precision; /* enum precision */
} rows[] = {
#define FLOAT_INSN(ID, mnemonic, match, mask, format, extension, xlen, op, precision)              \
    {FLOAT_##op, PRECISION_##precision},
#include "sim/decode/float.def"
};

static const ztl_fp_format *format_of(unsigned precision)
{
    static const ztl_fp_format *const formats[] = {&ztl_fp_half, &ztl_fp_single, &ztl_fp_double};
    return formats[precision];
}

static unsigned bits_of(unsigned precision)
{
    return 16u << precision;
}

/* The ones above a value that is narrower than a register. */
static uint64_t box_of(unsigned precision)
{
    return precision == PRECISION_D ? 0 : ~UINT64_C(0) << bits_of(precision);
}

/* A register as a value; one that is not boxed counts as a NaN. */
static uint64_t read_f(const ztl_hart *hart, unsigned index, unsigned precision)
{
    uint64_t value = hart->f[index], box = box_of(precision);
    return (value & box) == box ? value & ~box : ztl_fp_nan(format_of(precision));
}

static void write_f(ztl_hart *hart, unsigned index, uint64_t value, unsigned precision)
{
    hart->f[index & 31] = value | box_of(precision);
    hart->csr.mstatus |= MSTATUS_FS;
}

static void write_x(ztl_hart *hart, unsigned index, uint64_t value)
{
    hart->x[index ? index : X_SINK] = ztl_hart_wrap(hart, value);
}

/* One of the four of fmadd. A sign that changes is a NaN's, too, but no NaN of an operand comes
 * through. */
static uint64_t fused(const ztl_fp_format *format, unsigned op, const uint64_t value[3],
                      ztl_fp_env *env)
{
    uint64_t sign = ztl_fp_sign_bit(format);
    bool negative_product = op == FLOAT_NMSUB || op == FLOAT_NMADD;
    bool negative_sum = op == FLOAT_MSUB || op == FLOAT_NMADD;
    return ztl_fp_fma(format, value[0] ^ (negative_product ? sign : 0), value[1],
                      value[2] ^ (negative_sum ? sign : 0), env);
}

static uint64_t inject_sign(const ztl_fp_format *format, unsigned op, uint64_t a, uint64_t b)
{
    uint64_t sign = ztl_fp_sign_bit(format);
    uint64_t from = op == FLOAT_SGNJ ? b : op == FLOAT_SGNJN ? ~b : a ^ b;
    return (a & ~sign) | (from & sign);
}

/* Operations with an integer result. */
static bool run_to_x(unsigned op, unsigned precision, uint64_t a, uint64_t b, uint64_t *result,
                     ztl_fp_env *env)
{
    const ztl_fp_format *format = format_of(precision);
    switch (op) {
    case FLOAT_EQ:
        *result = ztl_fp_equal(format, a, b, env);
        return true;
    case FLOAT_LT:
        *result = ztl_fp_less(format, a, b, env);
        return true;
    case FLOAT_LE:
        *result = ztl_fp_less_equal(format, a, b, env);
        return true;
    case FLOAT_LTQ:
        *result = ztl_fp_less_quiet(format, a, b, env);
        return true;
    case FLOAT_LEQ:
        *result = ztl_fp_less_equal_quiet(format, a, b, env);
        return true;
    case FLOAT_MOD_W:
        *result = ztl_fp_to_integer_modulo(format, a, env);
        return true;
    case FLOAT_CLASS:
        *result = ztl_fp_class(format, a);
        return true;
    case FLOAT_TO_W:
    case FLOAT_TO_WU:
        *result = ztl_fp_to_integer(format, a, 32, op == FLOAT_TO_W, env);
        return true;
    case FLOAT_TO_L:
    case FLOAT_TO_LU:
        *result = ztl_fp_to_integer(format, a, 64, op == FLOAT_TO_L, env);
        return true;
    default:
        return false;
    }
}

/* Operations of one format. */
static uint64_t run_to_f(unsigned op, unsigned precision, const uint64_t value[3], ztl_fp_env *env)
{
    const ztl_fp_format *format = format_of(precision);
    switch (op) {
    case FLOAT_ADD:
        return ztl_fp_add(format, value[0], value[1], env);
    case FLOAT_SUB:
        return ztl_fp_add(format, value[0], value[1] ^ ztl_fp_sign_bit(format), env);
    case FLOAT_MUL:
        return ztl_fp_multiply(format, value[0], value[1], env);
    case FLOAT_DIV:
        return ztl_fp_divide(format, value[0], value[1], env);
    case FLOAT_SQRT:
        return ztl_fp_sqrt(format, value[0], env);
    case FLOAT_MIN:
        return ztl_fp_min(format, value[0], value[1], env);
    case FLOAT_MAX:
        return ztl_fp_max(format, value[0], value[1], env);
    case FLOAT_MINM:
        return ztl_fp_min_nan(format, value[0], value[1], env);
    case FLOAT_MAXM:
        return ztl_fp_max_nan(format, value[0], value[1], env);
    case FLOAT_ROUND:
    case FLOAT_ROUNDNX:
        return ztl_fp_round(format, value[0], op == FLOAT_ROUNDNX, env);
    case FLOAT_SGNJ:
    case FLOAT_SGNJN:
    case FLOAT_SGNJX:
        return inject_sign(format, op, value[0], value[1]);
    default:
        return fused(format, op, value, env);
    }
}

/* A value of a register of the other kind, or of another format. */
static uint64_t run_from(const ztl_hart *hart, unsigned op, unsigned precision, unsigned rs1,
                         unsigned rs2, ztl_fp_env *env)
{
    const ztl_fp_format *format = format_of(precision);
    uint64_t x = hart->x[rs1];
    switch (op) {
    case FLOAT_FROM_W:
        return ztl_fp_from_integer(format, (uint64_t)(int64_t)(int32_t)(uint32_t)x, true, env);
    case FLOAT_FROM_WU:
        return ztl_fp_from_integer(format, (uint32_t)x, false, env);
    case FLOAT_FROM_L:
    case FLOAT_FROM_LU:
        return ztl_fp_from_integer(format, x, op == FLOAT_FROM_L, env);
    case FLOAT_MV_F_X:
        return x & ~box_of(precision);
    case FLOAT_MVP_F_X:
        return (uint32_t)x | hart->x[rs2] << 32;
    case FLOAT_LI:
        return ztl_fp_constant(format, rs1);
    default: {
        unsigned from = op - FLOAT_FROM_H + PRECISION_H;
        return ztl_fp_convert(format, format_of(from), read_f(hart, rs1, from), env);
    }
    }
}

/* The bits of a register as they are, sign-extended. */
static uint64_t move_to_x(uint64_t value, unsigned precision)
{
    unsigned above = 64 - bits_of(precision);
    return (uint64_t)((int64_t)(value << above) >> above);
}

bool ztl_float_run(ztl_hart *hart, unsigned how, unsigned rd, unsigned rs1, unsigned rs2)
{
    unsigned op = rows[(how & 0xfff) - INTEGER_INSNS].op, rounding = how >> 12 & 7;
    unsigned precision = rows[(how & 0xfff) - INTEGER_INSNS].precision;
    bool rounds = ztl_has_rounding(ztl_base_rows[how & 0xfff].format);
    if (rounds && rounding == ROUND_DYNAMIC)
        rounding = (unsigned)hart->csr.frm;
    if (!(hart->csr.mstatus & MSTATUS_FS) || (rounds && rounding >= ZTL_ROUNDINGS))
        return false;
    ztl_fp_env env = {(enum ztl_rounding)rounding, 0};
    uint64_t result;
    if (op == FLOAT_MV_X_F) {
        write_x(hart, rd, move_to_x(hart->f[rs1], precision));
    } else if (op == FLOAT_MVH_X_F) {
        write_x(hart, rd, hart->f[rs1] >> 32);
    } else if (op >= FLOAT_FROM_W || op == FLOAT_MV_F_X) {
        write_f(hart, rd, run_from(hart, op, precision, rs1, rs2, &env), precision);
    } else {
        uint64_t value[3] = {read_f(hart, rs1, precision), read_f(hart, rs2, precision),
                             read_f(hart, how >> 16 & 31, precision)};
        if (run_to_x(op, precision, value[0], value[1], &result, &env))
            write_x(hart, rd, result);
        else
            write_f(hart, rd, run_to_f(op, precision, value, &env), precision);
    }
    if (env.flags) {
        hart->csr.fflags |= env.flags;
        hart->csr.mstatus |= MSTATUS_FS;
    }
    return true;
}

/* What else than its result an instruction wrote, for the observer: flags that it raised are
 * written even where they were set before. */
static void tell_csrs(ztl_hart *hart, uint64_t flags, uint64_t status)
{
    bool raised = hart->csr.fflags;
    hart->csr.fflags |= flags;
    if (raised)
        ztl_event_csr(hart, CSR_FFLAGS);
    if (hart->csr.mstatus != status)
        ztl_event_csr(hart, CSR_MSTATUS);
}

static void execute_memory(ztl_hart *hart, const decoded *insn, unsigned precision, bool is_store)
{
    uint64_t address = ztl_hart_wrap(hart, hart->x[insn->rs1] + (uint64_t)(int64_t)insn->imm);
    unsigned size = bits_of(precision) / 8;
    uint64_t value;
    if (is_store) {
        if (!ztl_store(hart, address, size, hart->f[insn->rs2]))
            ztl_raise(hart, CAUSE_STORE_FAULT, ztl_memory_fault(hart, address, size, USE_STORE));
    } else if (ztl_load(hart, address, size, &value)) {
        write_f(hart, insn->rd, value, precision);
    } else {
        ztl_raise(hart, CAUSE_LOAD_FAULT, ztl_memory_fault(hart, address, size, USE_LOAD));
    }
}

void ztl_execute_float(ztl_hart *hart, const decoded *insn)
{
    unsigned op = rows[insn->op - INTEGER_INSNS].op;
    uint64_t flags = hart->csr.fflags, status = hart->csr.mstatus;
    if (!(status & MSTATUS_FS))
        return ztl_raise(hart, CAUSE_ILLEGAL, insn->word);
    hart->csr.fflags = 0;
    if (op == FLOAT_LOAD || op == FLOAT_STORE)
        execute_memory(hart, insn, rows[insn->op - INTEGER_INSNS].precision, op == FLOAT_STORE);
    else if (!ztl_float_run(hart, ztl_float_how(insn), insn->rd, insn->rs1, insn->rs2))
        ztl_raise(hart, CAUSE_ILLEGAL, insn->word);
    tell_csrs(hart, flags, status);
    if (hart->trap_raised)
        return;
    hart->pc = ztl_hart_wrap(hart, hart->pc + insn->length);
}

unsigned ztl_hart_flen(const ztl_hart *hart)
{
    unsigned extensions = hart->isa.extensions;
    return extensions & ZTL_EXT_D ? 64 : extensions & ZTL_EXT_F ? 32 : 0;
}

uint64_t ztl_hart_f(const ztl_hart *hart, unsigned index)
{
    unsigned flen = ztl_hart_flen(hart);
    uint64_t value = index < 32 && flen ? hart->f[index] : 0;
    return flen == 32 ? (uint32_t)value : value;
}

void ztl_hart_set_f(ztl_hart *hart, unsigned index, uint64_t value)
{
    unsigned flen = ztl_hart_flen(hart);
    if (index < 32 && flen)
        hart->f[index] = flen == 32 ? value | box_of(PRECISION_S) : value;
}
