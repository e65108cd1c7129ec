/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden model and the codec of Ztl.
 *
 *     static ztl_state hart;
 *     ztl_init(&hart, NULL);                           // Ztl 2 on RV64, everything present
 *     uint64_t x[32] = {[10] = 0x02081008};            // D0=8 D1=16 D2=8 D3=2
 *     uint32_t word;
 *     ztl_assemble(2, "tl.xpose.01 tl1, tl2, a0", &word, NULL);
 *     ztl_result r = ztl_execute(&hart, word, x, NULL);
 *     if (r.status == ZTL_TRAP) ...                    // r.cause, r.tval, r.reason
 *
 * The model allocates nothing, keeps no globals and performs no I/O. A state may be used by one
 * thread at a time; different states are independent.
 */
#ifndef ZTL_H
#define ZTL_H

#include <ztl/error.h>
#include <ztl/isa.h>
#include <ztl/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A window of the physical address space; size 0 is all of it. */
typedef struct ztl_window {
    uint64_t base;
    uint64_t size;
} ztl_window;

typedef struct ztl_config {
    unsigned revision; /* 1 or 2 */
    unsigned xlen;     /* 32 or 64 */
    unsigned subsets;  /* enum ztl_subset bits; 0 is a hart without Ztl */
    ztl_window l1m;    /* Ztl loads come from here */
    ztl_window l0m;    /* Ztl stores go here */
} ztl_config;

/* Registers are renamed: an instruction may write its result to a spare block, which then becomes
 * the register. */
enum { ZTL_SPARES = 8, ZTL_BLOCKS = ZTL_SPARES + ZTL_REGISTERS };

/* A hart's Ztl state: the architecture, and a pointer to what its fast bodies keep. Plain data that
 * can be embedded and copied; read and change it with the functions below. Must be aligned as its
 * type is. A copy shares the accelerator, which is safe within one thread; for another thread,
 * attach another one, or none, to the copy. */
typedef struct ztl_state {
#ifdef __cplusplus
    alignas(64)
#else
    _Alignas(64)
#endif
        uint8_t tl[ZTL_BLOCKS][ZTL_REG_BYTES];
    uint8_t at[ZTL_REGISTERS]; /* tl[at[n]] keeps register n */
    uint64_t spare;            /* a bit for each block of tl that keeps none */
    uint32_t csr[ZTL_SLOTS];
    uint8_t written[ZTL_SLOTS]; /* the hidden bit "initialised" of the masks */
    ztl_config config;
    struct ztl_accelerator *accelerator; /* NULL: plain bodies; see ztl_attach_accelerator */
} ztl_state;

/* A piece of guest memory that lies in host memory as it is. */
typedef struct ztl_ram {
    uint64_t base;
    uint64_t size;
    uint8_t *bytes;
} ztl_ram;

/* Memory as an instruction sees it. What lies within pieces of `ram` is moved by pointer, without a
 * call; for a range that does not, all of it, the functions answer. A function moves `size` bytes
 * between `bytes` and guest memory from `address` on and returns how many bytes from `address` on
 * can be accessed: less than `size` is an access fault, and nothing was moved. With `bytes` NULL it
 * only answers. A range never wraps around the address space. With a NULL function nothing but
 * `ram` is mapped; without a memory at all, nothing is.
 *
 * With page_bits 0, `ram` is a list that is searched. Else it is a table of pages, for memory that
 * lies in many: ram_count is a power of two, and only entry (address >> page_bits) % ram_count is
 * looked at for an address. A function may change entries; one of size 0 is free. */
typedef struct ztl_memory {
    size_t (*load)(void *context, uint64_t address, void *bytes, size_t size);
    size_t (*store)(void *context, uint64_t address, const void *bytes, size_t size);
    void *context;
    const ztl_ram *ram; /* may be NULL */
    size_t ram_count;
    unsigned page_bits;
} ztl_memory;

enum ztl_status {
    ZTL_OK,
    ZTL_TRAP,   /* an exception: the state is as before, but for tl_xpose_status */
    ZTL_MISUSE, /* a NULL or misaligned pointer, or a configuration that cannot be: no effect */
};

typedef struct ztl_result {
    enum ztl_status status;
    enum ztl_cause cause;   /* of a trap, as mcause */
    uint64_t tval;          /* of a trap, as mtval */
    enum ztl_reason reason; /* as tl_xpose_status[7:0]; NONE for misaligned and access faults */
    enum ztl_rule rule;     /* which check failed, and on which values: see ztl_explain */
    uint64_t value[2];
    /* Of a load or store whose address is refused: the slice, the CSR that places it (0 in Ztl 1,
     * which has none) and the value of that CSR. */
    uint8_t slice;
    uint16_t stride_csr;
    int32_t stride;
} ztl_result;

/* The default configuration: Ztl 2, XLEN 64, all sub-extensions, windows of everything. */
ZTL_API ztl_config ztl_default_config(void);

/* Checks the configuration (NULL: the default one), keeps it, and resets the state, which then has
 * no accelerator. */
ZTL_API enum ztl_status ztl_init(ztl_state *state, const ztl_config *config);

/* All registers zero, CSRs at their reset values, masks uninitialised. */
ZTL_API enum ztl_status ztl_reset(ztl_state *state);

/* The sets of instruction bodies that this build and CPU have, fastest first: "avx512", "avx2",
 * "portable", "plain". NULL past the last. All give the same results; plain is the meaning. */
ZTL_API const char *ztl_bodies_name(size_t index);

/* Fast bodies need memory for what they have worked out: a cache, no part of the hart. It is the
 * caller's, aligned in any way, of at least this size, and stays in use until another accelerator
 * or none is attached. */
ZTL_API size_t ztl_accelerator_size(void);

/* Makes a state use the set of bodies of this name (NULL: the fastest) with this memory. "plain"
 * needs no memory and detaches what was attached, as ztl_init does. ZTL_MISUSE, and no change, when
 * there is no such set, or no memory for it. The model reads no environment: programs that let
 * people choose by the variable ZTL_BODIES pass its value. */
ZTL_API enum ztl_status ztl_attach_accelerator(ztl_state *state, void *memory, const char *bodies);

/* The set in use. */
ZTL_API const char *ztl_bodies_in_use(const ztl_state *state);

/* Executes one instruction word. x: the 32 integer registers (of RV32: the low halves count).
 * A word outside custom-2, or any word on a hart without Ztl, is an illegal instruction with reason
 * NONE that leaves tl_xpose_status alone. */
ZTL_API ztl_result ztl_execute(ztl_state *state, uint32_t word, const uint64_t x[32],
                               const ztl_memory *memory);

/* The same for a word decoded before with ztl_decode of the state's revision. */
ZTL_API ztl_result ztl_execute_decoded(ztl_state *state, const ztl_insn *insn, const uint64_t x[32],
                                       const ztl_memory *memory);

/* Register contents, 1024 bytes, byte 0 first; the pointer is good until the next instruction.
 * Writing tl0 is allowed and changes nothing. */
ZTL_API const uint8_t *ztl_get_register(const ztl_state *state, unsigned index);
ZTL_API enum ztl_status ztl_set_register(ztl_state *state, unsigned index, const void *bytes);

/* A CSR by address. ZTL_TRAP where the hart has none: an illegal instruction that leaves
 * tl_xpose_status alone. A write counts as a CSR instruction that writes. */
ZTL_API enum ztl_status ztl_csr_read(const ztl_state *state, unsigned address, uint64_t *value);
ZTL_API enum ztl_status ztl_csr_write(ztl_state *state, unsigned address, uint64_t value);

/* Executes a csrrw, csrrs, csrrc, csrrwi, csrrsi or csrrci word on a Ztl CSR by the rules of
 * Zicsr. *rd receives the old value; writing it to the word's rd is the caller's. A word that is
 * none of these, or a CSR that the hart lacks, is an illegal instruction, reason NONE. */
ZTL_API ztl_result ztl_csr_execute(ztl_state *state, uint32_t word, const uint64_t x[32],
                                   uint64_t *rd);

/* The codec. Texts are NUL-terminated; a result that does not fit the buffer is cut.
 *
 * Builds the canonical word of an instruction: row and operands count, insn->word does not. False
 * and a message when an operand is out of its range. */
ZTL_API bool ztl_encode(const ztl_insn *insn, uint32_t *word, ztl_error *error);

/* The canonical text of a word; `.word 0x%08x` for what is no Ztl instruction of the revision.
 * Returns the length that the whole text has. */
ZTL_API size_t ztl_disassemble(unsigned revision, uint32_t word, char *text, size_t size);

/* Assembles one instruction. False and a message that names the operand and its range when the
 * text is not one. */
ZTL_API bool ztl_assemble(unsigned revision, const char *text, uint32_t *word, ztl_error *error);

/* The address of a CSR by any of its spellings; false when the revision has none of that name. */
ZTL_API bool ztl_csr_address(unsigned revision, const char *name, unsigned *address);

/* The canonical name of the CSR at an address; false when the revision has none. */
ZTL_API bool ztl_csr_name(unsigned revision, unsigned address, char *name, size_t size);

/* Puts the rule and the values of a trap into words, e.g.
 * "SHAPE: D0·D1·D2·D3 = 1024 bytes, must be 2048". Returns the length of the whole text. */
ZTL_API size_t ztl_explain(const ztl_result *result, char *text, size_t size);

/* The exact sum of a float of the type and an integer, rounded and saturated as ADDI does it. */
ZTL_API uint32_t ztl_float_add(const ztl_type_row *type, uint32_t value, int addend);

/* The version of the library in use, e.g. "0.1.0", and as the number ZTL_VERSION_NUMBER. */
ZTL_API const char *ztl_version(void);
ZTL_API unsigned ztl_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
