/* SPDX-License-Identifier: Apache-2.0
 * ztl onnx: networks in ONNX files.
 */
#include "cli/onnx/onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "host/command/message.h"
#include "host/command/names.h"
#include "host/error.h"

static void print_help(FILE *out)
{
    fputs("usage: ztl onnx report MODEL ...   what Ztl does for a network, node by node\n"
          "       ztl onnx run MODEL ...      execute a graph of data-movement operators\n"
          "       ztl onnx test DIR...        run tests in ONNX's layout\n\n"
          "'ztl onnx report --help' and the like explain one.\n\n"
          "Data movement is Transpose, Concat, Reshape, Flatten, Squeeze, Unsqueeze,\n"
          "Identity, BitCast, Slice, Split, Pad, Compress, Gather, GatherElements,\n"
          "GatherND, ScatterElements, ScatterND, TensorScatter, DepthToSpace,\n"
          "SpaceToDepth, Tile, Expand, ReverseSequence, Resize and Upsample (nearest),\n"
          "Where, OneHot, Trilu, EyeLike, ConstantOfShape and CenterCropPad.\n",
          out);
}

bool onnx_take_dim(void *context, const char *value, ztl_error *error)
{
    onnx_dims *dims = context;
    const char *equals = strchr(value, '=');
    char *end;
    long long extent = equals ? strtoll(equals + 1, &end, 10) : -1;
    if (dims->count == ONNX_DIMS)
        return ztl_fail(error, "at most %d of them", ONNX_DIMS);
    if (!equals || equals == value || equals - value >= 64 || equals[1] < '0' || equals[1] > '9' ||
        *end || extent > INT32_MAX)
        return ztl_fail(error, "'%s' is not NAME=EXTENT, as batch=1", value);
    onnx_dim *dim = &dims->dim[dims->count];
    snprintf(dims->name[dims->count], 64, "%.*s", (int)(equals - value), value);
    dim->name = dims->name[dims->count++];
    dim->extent = extent;
    return true;
}

int onnx_take_model(const char *command, const ztl_option *table, int argc, char **argv,
                    void (*help)(void))
{
    int words = ztl_options_take(command, table, argc, argv);
    if (words == 1)
        return -1;
    if (words == ZTL_OPTIONS_HELP) {
        help();
        return ZTL_EXIT_OK;
    }
    if (words >= 0)
        ztl_message(command, words ? "one model at a time" : "no model");
    return ZTL_EXIT_USAGE;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} parts[] = {{"report", onnx_cli_report}, {"run", onnx_cli_run}, {"test", onnx_cli_test}};

enum { PARTS = sizeof parts / sizeof parts[0] };

static const char *name_of(size_t index)
{
    return index < PARTS ? parts[index].name : NULL;
}

int ztl_cli_onnx(int argc, char **argv)
{
    ztl_error error;
    for (size_t i = 0; argc > 1 && i < PARTS; i++)
        if (!strcmp(argv[1], parts[i].name))
            return parts[i].run(argc - 1, argv + 1);
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        print_help(stdout);
        return ZTL_EXIT_OK;
    }
    if (argc > 1) {
        ztl_name_unknown(&error, "command", argv[1], name_of, "ztl onnx");
        ztl_message("ztl onnx", "%s", error.text);
    } else {
        print_help(stderr);
    }
    return ZTL_EXIT_USAGE;
}
