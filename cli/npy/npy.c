/* SPDX-License-Identifier: Apache-2.0
 * NumPy's .npy files: a magic, a version, the length of a header, the header as a Python
 * dictionary, then the elements.
 */
#include "cli/npy/npy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/npy/header.h"
#include "host/error.h"

enum { MAGIC = 6, PREFIX_1 = 10, PREFIX_2 = 12, ALIGNED = 64, MOST_HEADER = 1 << 20 };

/* Why there are fewer bytes than there should be. */
static const char *why_short(FILE *file, const char *otherwise)
{
    return ferror(file) ? strerror(errno) : otherwise;
}

static bool take_header(const ztl_npy_header *header, ztl_npy *npy, ztl_error *error)
{
    memcpy(npy->descr, header->descr, sizeof npy->descr);
    npy->kind = header->kind;
    if (!ztl_ops_dense(&npy->tensor, header->bits, header->rank, header->extent))
        return ztl_fail(error, "the array is too large");
    ztl_npy_lay_out(&npy->tensor, header->fortran);
    return true;
}

/* Two half-bytes to a byte: the last dimension of the file counts bytes. */
static bool widen(ztl_npy *npy, unsigned bits, ztl_error *error)
{
    ztl_ops_tensor *t = &npy->tensor;
    if (bits == 0 || bits == t->bits)
        return true;
    if (bits != 4 || t->bits != 8 || t->rank == 0)
        return ztl_fail(error, "elements of %u bits, but the type has %u", t->bits, bits);
    if (t->stride[t->rank - 1] != 1)
        return ztl_fail(error, "packed half-bytes need C order");
    int64_t extent[ZTL_OPS_RANK];
    memcpy(extent, t->extent, sizeof extent);
    bool good = !__builtin_mul_overflow(extent[t->rank - 1], 2, &extent[t->rank - 1]) &&
                ztl_ops_dense(t, 4, t->rank, extent);
    return good || ztl_fail(error, "the array is too large");
}

static bool read_header(FILE *file, unsigned bits, ztl_npy *npy, ztl_error *error)
{
    uint8_t prefix[PREFIX_2];
    if (fread(prefix, 1, PREFIX_1, file) != PREFIX_1 || memcmp(prefix, "\x93NUMPY", MAGIC))
        return ztl_fail(error, "%s", why_short(file, "not a .npy file"));
    unsigned version = prefix[6];
    size_t length = prefix[8] | (size_t)prefix[9] << 8;
    if (version < 1 || version > 3 || prefix[7])
        return ztl_fail(error, ".npy version %u.%u is not known (1.0, 2.0 and 3.0 are)", version,
                        prefix[7]);
    if (version > 1) {
        if (fread(prefix + PREFIX_1, 1, 2, file) != 2)
            return ztl_fail(error, "%s", why_short(file, "the header is cut off"));
        length |= (size_t)prefix[10] << 16 | (size_t)prefix[11] << 24;
    }
    if (length > MOST_HEADER)
        return ztl_fail(error, "the header is too long");
    ztl_npy_header header;
    char *text = malloc(length + 1);
    bool good = text && fread(text, 1, length, file) == length;
    if (!good)
        ztl_fail(error, "%s", !text ? "out of memory" : why_short(file, "the header is cut off"));
    good = good && ztl_npy_header_read(text, length, version, &header, error) &&
           take_header(&header, npy, error) && widen(npy, bits, error);
    free(text);
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

bool ztl_npy_read(const char *path, unsigned bits, ztl_npy *npy, ztl_error *error)
{
    memset(npy, 0, sizeof *npy);
    bool is_standard = !strcmp(path, "-");
    FILE *file = is_standard ? stdin : fopen(path, "rb");
    if (!file)
        return ztl_fail(error, "%s", strerror(errno));
    bool good = read_header(file, bits, npy, error);
    npy->bytes = npy->tensor.size;
    if (good && !has_left(file, npy->bytes))
        good = ztl_fail(error, "the elements are cut off");
    npy->data = good ? malloc(npy->bytes + 1) : NULL;
    if (good && !npy->data)
        good = ztl_fail(error, "out of memory");
    if (good && fread(npy->data, 1, npy->bytes, file) != npy->bytes)
        good = ztl_fail(error, "%s", why_short(file, "the elements are cut off"));
    if (!is_standard) /* another array may follow there */
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
