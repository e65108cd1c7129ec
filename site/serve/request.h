/* SPDX-License-Identifier: Apache-2.0
 * What a browser asks for.
 */
#ifndef ZTL_SITE_REQUEST_H
#define ZTL_SITE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum { REQUEST_ROOM = 8192, REQUEST_PATH = 1024 };

typedef struct request {
    char path[REQUEST_PATH]; /* below the folder, without a slash before it */
    bool only_head;
} request;

/* Reads a request, which ends with an empty line. 0, or the status of the answer that refuses it.
 */
int ztl_request_read(char *text, request *wanted);

/* The type of a file's content, by its name. */
const char *ztl_request_type(const char *path);

#endif
