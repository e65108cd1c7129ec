/* SPDX-License-Identifier: Apache-2.0
 * An index map by the host's own instructions. Its pieces become jobs; a job is a nest of loops
 * around a kernel.
 */
#ifndef ZTL_MOVERS_JOB_H
#define ZTL_MOVERS_JOB_H

#include "ops/map/map.h"

enum {
    NATIVE_SOURCES = 16, /* the most windows of input that a shuffle reads */
    NATIVE_WINDOW = 64,  /* the most bytes of one */
    NATIVE_NONE = 0x80,  /* in a shuffle: a byte that this window does not give */
    NATIVE_COLUMNS =
        256, /* of a transpose at once: so many lines of the target stay in the cache */
    NATIVE_LISTED = 1 << 16,
    NATIVE_BLOCK_SOURCES = 12,
    NATIVE_BLOCK_TARGETS = 16,
    NATIVE_BLOCK_PIECES = 16
};

/* A loop: so many turns, a step in the target, and one in the source or in each window. */
typedef struct native_loop {
    int64_t n, out, in[NATIVE_SOURCES];
} native_loop;

/* A window of a buffer, and how far it goes for every period. */
typedef struct native_source {
    unsigned src;
    int64_t in, step, length;
    uint8_t pick[NATIVE_WINDOW]; /* which of its bytes each byte of the target is */
} native_source;

/* Periods of the target that bytes of short windows make up: each step loads all windows, picks and
 * joins their bytes, and stores `take` whole periods. */
typedef struct native_shuffle {
    unsigned sources;
    int64_t period, take, n; /* bytes of a period, periods of a step and of a row */
    native_source source[NATIVE_SOURCES];
    uint8_t fixed[NATIVE_WINDOW]; /* constants of the target, 0 elsewhere */
} native_shuffle;

/* A transpose: rows lie in the source, columns in the target. */
typedef struct native_tiles {
    unsigned rows, columns; /* how many loops each has, the innermost first */
    native_loop row[OPS_DIMS], column[OPS_DIMS];
    int64_t row_count, column_count;
    const int64_t *row_list, *column_list; /* their offsets, where there is more than one loop */
} native_tiles;

/* Part of a buffer. */
typedef struct native_window {
    unsigned buffer;
    int64_t at, length;
} native_window;

/* Rows of blocks: each block loads all its sources, and each of its targets picks its bytes from
 * them. What is left of a row is a block that overlaps the one before. */
typedef struct native_block {
    unsigned sources, targets, pieces, rank, element;
    int64_t n, take, in, out; /* positions of a row, those of a block, steps of one position */
    ops_dim dim[OPS_DIMS];    /* the loops inside */
    native_window from[NATIVE_BLOCK_PIECES], to[NATIVE_BLOCK_PIECES];
    native_window source[NATIVE_BLOCK_SOURCES], target[NATIVE_BLOCK_TARGETS];
    /* For each target and pair of sources, the latter changing faster: which byte of the pair each
     * byte is, and those that come from this pair. */
    const uint8_t *pick;
    const uint64_t *mask;
} native_block;

/* With so many sources, the picks of how many targets stay in registers beside them. */
static inline unsigned native_few(unsigned sources)
{
    static const uint8_t few[] = {0, 0, 8, 8, 8, 6, 6, 5, 4};
    return sources < sizeof few ? few[sources] : 0;
}

enum native_kind { NATIVE_COPY, NATIVE_SHUFFLE, NATIVE_TILES, NATIVE_ELEMENTS, NATIVE_BLOCK };

typedef struct native_job {
    enum native_kind kind;
    unsigned src, dst, rank, width; /* width: bytes of an element of tiles */
    int64_t in, out, bytes;         /* bytes: of a run */
    double cost;                    /* cycles, roughly: to choose among kinds, and for threads */
    native_loop loop[OPS_DIMS];     /* the outermost first */
    uint8_t value[32];              /* the element of OPS_FILL */
    union {
        native_shuffle shuffle;
        native_tiles tiles;
        native_block block;
    };
} native_job;

/* A panel of a transpose: out[column[c] + r·width] = in[row[r] + c·width]; without such lists,
 * out[c·column_step + r·width] = in[r·row_step + c·width]. Nothing at or behind `end` is read, and
 * nothing but the panel is written. */
typedef struct native_panel {
    const uint8_t *in, *end;
    uint8_t *out;
    const int64_t *row, *column;
    int64_t row_step, column_step;
    int64_t rows, columns;
    int64_t times, in_step, out_step; /* so many panels, these steps apart */
} native_panel;

/* Kernels of a machine. */
typedef struct native_set {
    const char *name;
    bool (*runs_here)(void); /* NULL: everywhere */
    unsigned window;         /* bytes of a step of a shuffle */
    double tile[4];          /* cycles of a tile of elements of 1, 2, 4, 8 bytes … */
    unsigned side[4];        /* … of so many a side */
    void (*panel[4])(const native_panel *panel);
    /* The rows of two loops: `from` has where the windows start, and nothing at or behind `end` is
     * read. Bytes behind a row may be written up to `limit`, if there is one, as they come later;
     * it goes on by `limit_step` with the outer loop. */
    void (*shuffle)(const native_shuffle *s, const native_loop *outer, const native_loop *rows,
                    uint8_t *to, const uint8_t *limit, int64_t limit_step,
                    const uint8_t *const *from, const uint8_t *const *end);
    /* Rows of so many bytes, which may be any number, in two loops. */
    void (*copy)(uint8_t *to, const uint8_t *from, int64_t bytes, const native_loop *outer,
                 const native_loop *inner);
    /* The rows of two loops; nothing at or behind `end` is read. NULL: there are no blocks. */
    void (*block)(const native_block *b, const native_loop *outer, const native_loop *rows,
                  uint8_t *const *to, const uint8_t *const *from, const uint8_t *const *end);
} native_set;

extern const native_set ztl_native_portable, ztl_native_avx2, ztl_native_avx512;

/* Those that run here, fastest first; NULL past the last. */
const native_set *ztl_native_set(size_t index);

/* The jobs of a map in canonical form, in bytes; `value` are the bytes of its constant. Returns how
 * many there are: no more than pieces. */
size_t ztl_native_build(const native_set *set, const ops_map *map, const uint8_t *value,
                        native_job *job);

/* The job of one piece alone. */
native_job ztl_native_alone(const native_set *set, const ops_piece *piece, unsigned element,
                            const uint8_t *value);

/* How many words of tables a job needs, and writing them there, at the start of a cache line. Only
 * blocks must have them. */
int64_t ztl_native_listed(const native_job *job);
void ztl_native_list(native_job *job, int64_t *list);

/* How many pieces, from the first on, have the same loops and can be one block; that block, with a
 * cost below 0 if there is none; and its tables. */
unsigned ztl_native_alike(const ops_map *map, const bool *used, size_t first);
native_job ztl_native_block(const ops_piece *piece, unsigned pieces, unsigned element);
int64_t ztl_native_block_words(const native_block *b);
void ztl_native_block_list(native_block *b, int64_t *words);

/* Where the elements of the buffers are, and one past the last. */
typedef struct native_buffers {
    const uint8_t *in[ZTL_OPS_BUFFERS], *in_end[ZTL_OPS_BUFFERS];
    uint8_t *out[ZTL_OPS_BUFFERS];
} native_buffers;

/* Part k of n of a job: the parts write different bytes, and all of them the whole job. */
void ztl_native_run(const native_set *set, const native_job *job, const native_buffers *buffers,
                    unsigned k, unsigned n);

#endif
