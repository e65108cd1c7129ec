/* SPDX-License-Identifier: Apache-2.0
 * NumPy's .npy files: a magic, a version, the length of a header, the header as a Python
 * dictionary, then the elements.
 */
#include "cli/npy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAGIC = 6, PREFIX_1 = 10, PREFIX_2 = 12, ALIGNED = 64, MOST_HEADER = 1 << 20 };

static bool fail(char *error, size_t size, const char *text)
{
    snprintf(error, size, "%s", text);
    return false;
}

/* The value of a key of the dictionary. */
static const char *value_of(const char *header, const char *key)
{
    char quoted[32];
    for (unsigned q = 0; q < 2; q++) {
        snprintf(quoted, sizeof quoted, "%c%s%c", q ? '"' : '\'', key, q ? '"' : '\'');
        const char *at = strstr(header, quoted);
        if (!at)
            continue;
        at += strlen(quoted) + strspn(at + strlen(quoted), " ");
        if (*at == ':')
            return at + 1 + strspn(at + 1, " ");
    }
    return NULL;
}

static bool read_descr(const char *header, ztl_npy *npy, char *error, size_t size)
{
    const char *value = value_of(header, "descr");
    if (value && *value == '[')
        return fail(error, size, "structured dtypes are not supported");
    if (!value || (*value != '\'' && *value != '"'))
        return fail(error, size, "the header has no dtype ('descr')");
    size_t n = strcspn(value + 1, "'\""), printable = 0;
    while (printable < n && value[1 + printable] >= ' ' && value[1 + printable] <= '~')
        printable++;
    if (n < 2 || n >= sizeof npy->descr || printable < n)
        return fail(error, size, "the dtype is not understood");
    memcpy(npy->descr, value + 1, n);
    npy->descr[n] = 0;
    return true;
}

/* The sizes that each kind of number has; times have a unit behind it. */
static const struct {
    char kind;
    const char *sizes;
    bool has_unit;
} kinds[] = {{'b', " 1 ", false},        {'i', " 1 2 4 8 ", false}, {'u', " 1 2 4 8 ", false},
             {'f', " 2 4 8 16 ", false}, {'c', " 8 16 32 ", false}, {'V', " 1 2 4 8 16 32 ", false},
             {'m', " 8 ", true},         {'M', " 8 ", true}};

/* Bits of an element, or 0 with a message. */
static unsigned bits_of(ztl_npy *npy, char *error, size_t size)
{
    const char *descr = npy->descr, *kind = descr + (strchr("<>|=", descr[0]) ? 1 : 0);
    char *end, wanted[24];
    long bytes = strtol(kind + 1, &end, 10);
    size_t k = 0;
    while (k < sizeof kinds / sizeof kinds[0] && kinds[k].kind != kind[0])
        k++;
    if (k == sizeof kinds / sizeof kinds[0] || end == kind + 1 ||
        (*end && !(kinds[k].has_unit && *end == '['))) {
        snprintf(error, size, "dtype '%s' is not numeric", descr);
        return 0;
    }
    if (descr[0] == '>' && bytes > 1) {
        snprintf(error, size, "dtype '%s': big-endian elements are not supported", descr);
        return 0;
    }
    snprintf(wanted, sizeof wanted, " %ld ", bytes);
    if (!strstr(kinds[k].sizes, wanted)) {
        snprintf(error, size, "dtype '%s': elements of %ld bytes are not supported (only%.*s)",
                 descr, bytes, (int)strlen(kinds[k].sizes) - 1, kinds[k].sizes);
        return 0;
    }
    npy->kind = kind[0];
    return (unsigned)bytes * 8;
}

/* A tuple as Python writes it, with a comma behind a single extent. */
static bool read_extents(const char *at, int64_t *extent, unsigned *rank, char *error, size_t size)
{
    for (at += strspn(at, " "), *rank = 0; *at != ')'; at += strspn(at, " ")) {
        char *end;
        errno = 0;
        long long n = strtoll(at, &end, 10);
        if (*at < '0' || *at > '9' || errno)
            return fail(error, size, "the shape is not understood");
        if (*rank == ZTL_OPS_RANK)
            return fail(error, size, "the rank is above 8");
        extent[(*rank)++] = n;
        at = end + strspn(end, " ");
        if (*at != ',' && (*at != ')' || *rank == 1))
            return fail(error, size, "the shape is not understood");
        at += *at == ',';
    }
    return true;
}

static bool read_shape(const char *header, unsigned bits, ztl_npy *npy, char *error, size_t size)
{
    const char *at = value_of(header, "shape"), *order = value_of(header, "fortran_order");
    int64_t extent[ZTL_OPS_RANK];
    unsigned rank = 0;
    if (!at || *at != '(' || !order)
        return fail(error, size, "the header lacks 'shape' or 'fortran_order'");
    if (!read_extents(at + 1, extent, &rank, error, size))
        return false;
    if (!ztl_ops_dense(&npy->tensor, bits, rank, extent))
        return fail(error, size, "the array is too large");
    size_t n = strcspn(order, " ,}");
    if ((n != 4 || strncmp(order, "True", n)) && (n != 5 || strncmp(order, "False", n)))
        return fail(error, size, "'fortran_order' is neither True nor False");
    ztl_npy_lay_out(&npy->tensor, order[0] == 'T');
    return true;
}

/* Two half-bytes to a byte: the last dimension of the file counts bytes. */
static bool widen(ztl_npy *npy, unsigned bits, char *error, size_t size)
{
    ztl_ops_tensor *t = &npy->tensor;
    if (bits == 0 || bits == t->bits)
        return true;
    if (bits != 4 || t->bits != 8 || t->rank == 0) {
        snprintf(error, size, "elements of %u bits, but the type has %u", t->bits, bits);
        return false;
    }
    if (t->stride[t->rank - 1] != 1)
        return fail(error, size, "packed half-bytes need C order");
    int64_t extent[ZTL_OPS_RANK];
    memcpy(extent, t->extent, sizeof extent);
    bool good = !__builtin_mul_overflow(extent[t->rank - 1], 2, &extent[t->rank - 1]) &&
                ztl_ops_dense(t, 4, t->rank, extent);
    return good || fail(error, size, "the array is too large");
}

static bool read_header(FILE *file, unsigned bits, ztl_npy *npy, char *error, size_t size)
{
    uint8_t prefix[PREFIX_2];
    if (fread(prefix, 1, PREFIX_1, file) != PREFIX_1 || memcmp(prefix, "\x93NUMPY", MAGIC))
        return fail(error, size, "not a .npy file");
    unsigned version = prefix[6];
    size_t length = prefix[8] | (size_t)prefix[9] << 8;
    if (version < 1 || version > 3 || prefix[7]) {
        snprintf(error, size, ".npy version %u.%u is not known (1.0, 2.0 and 3.0 are)", version,
                 prefix[7]);
        return false;
    }
    if (version > 1) {
        if (fread(prefix + PREFIX_1, 1, 2, file) != 2)
            return fail(error, size, "the header is cut off");
        length |= (size_t)prefix[10] << 16 | (size_t)prefix[11] << 24;
    }
    if (length > MOST_HEADER)
        return fail(error, size, "the header is too long");
    char *header = calloc(1, length + 1);
    bool good = header && fread(header, 1, length, file) == length;
    if (!good)
        fail(error, size, "the header is cut off");
    unsigned own = 0;
    good = good && read_descr(header, npy, error, size) && (own = bits_of(npy, error, size)) &&
           read_shape(header, own, npy, error, size) && widen(npy, bits, error, size);
    free(header);
    return good;
}

/* Whether a file has so many bytes left, as far as can be told: not of a pipe. Memory is taken only
 * then, however many elements the header promises. */
static bool has_left(FILE *file, uint64_t bytes)
{
    struct stat status;
    off_t at = ftello(file);
    return fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode) || at < 0 ||
           (status.st_size >= at && (uint64_t)(status.st_size - at) >= bytes);
}

bool ztl_npy_read(const char *path, unsigned bits, ztl_npy *npy, char *error, size_t size)
{
    memset(npy, 0, sizeof *npy);
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(error, size, strerror(errno));
    bool good = read_header(file, bits, npy, error, size);
    npy->bytes = npy->tensor.size;
    if (good && !has_left(file, npy->bytes))
        good = fail(error, size, "the elements are cut off");
    npy->data = good ? malloc(npy->bytes + 1) : NULL;
    if (good && !npy->data)
        good = fail(error, size, "out of memory");
    if (good && fread(npy->data, 1, npy->bytes, file) != npy->bytes)
        good = fail(error, size, "the elements are cut off");
    if (good && fgetc(file) != EOF)
        good = fail(error, size, "there are bytes after the elements");
    fclose(file);
    if (!good)
        ztl_npy_free(npy);
    return good;
}

bool ztl_npy_alike(const ztl_npy *a, const ztl_npy *b)
{
    const char *unit = strchr(a->descr, '['), *other = strchr(b->descr, '[');
    return a->kind == b->kind && a->tensor.bits == b->tensor.bits &&
           !strcmp(unit ? unit : "", other ? other : "");
}

void ztl_npy_free(ztl_npy *npy)
{
    free(npy->data);
    npy->data = NULL;
}

void ztl_npy_lay_out(ztl_ops_tensor *t, bool fortran)
{
    int64_t step = t->bits == 4 ? 1 : t->bits / 8;
    for (unsigned k = 0; k < t->rank; k++) {
        unsigned d = fortran ? k : t->rank - 1 - k;
        t->stride[d] = step;
        step *= t->extent[d];
        step += k == 0 && t->bits == 4 ? step % 2 : 0;
    }
    t->size = (uint64_t)(t->bits == 4 ? (step + 1) / 2 : step);
}

/* The dictionary, padded so that the elements are aligned. */
static size_t write_header(const ztl_npy *npy, char *text, size_t size)
{
    const ztl_ops_tensor *t = &npy->tensor;
    int n = snprintf(text, size, "{'descr': '%s', 'fortran_order': %s, 'shape': (", npy->descr,
                     npy->fortran ? "True" : "False");
    for (unsigned d = 0; d < t->rank; d++) {
        int64_t extent = t->bits == 4 && d + 1 == t->rank ? (t->extent[d] + 1) / 2 : t->extent[d];
        n += snprintf(text + n, size - (size_t)n, "%s%" PRId64 "%s", d ? ", " : "", extent,
                      t->rank == 1 ? "," : "");
    }
    n += snprintf(text + n, size - (size_t)n, "), }");
    while ((n + 1 + PREFIX_1) % ALIGNED)
        text[n++] = ' ';
    text[n++] = '\n';
    return (size_t)n;
}

bool ztl_npy_write(FILE *file, const void *context)
{
    const ztl_npy *npy = context;
    char header[512];
    size_t length = write_header(npy, header, sizeof header);
    uint8_t prefix[PREFIX_1] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (uint8_t)length, (uint8_t)(length >> 8)};
    return fwrite(prefix, sizeof prefix, 1, file) == 1 && fwrite(header, length, 1, file) == 1 &&
           (!npy->bytes || fwrite(npy->data, npy->bytes, 1, file) == 1);
}
