/* SPDX-License-Identifier: Apache-2.0
 * The parts of ztl onnx.
 */
#ifndef ZTL_CLI_ONNX_H
#define ZTL_CLI_ONNX_H

#include "host/command/options.h"
#include "onnx/graph/graph.h"

enum { ONNX_DIMS = 16 };

/* --dim NAME=EXTENT, several times. */
typedef struct onnx_dims {
    onnx_dim dim[ONNX_DIMS];
    char name[ONNX_DIMS][64];
    size_t count;
} onnx_dims;

bool onnx_take_dim(void *context, const char *value, ztl_error *error);

/* Takes the options of a part and its one model, which is then argv[1]. -1, or the exit status when
 * there is nothing more to do. */
int onnx_take_model(const char *command, const ztl_option *table, int argc, char **argv,
                    void (*help)(void));

int onnx_cli_run(int argc, char **argv);
int onnx_cli_test(int argc, char **argv);
int onnx_cli_report(int argc, char **argv);

#endif
