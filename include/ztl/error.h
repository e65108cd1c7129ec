/* SPDX-License-Identifier: Apache-2.0
 * Why something failed, as a sentence: every function that can fail for a reason takes one.
 *
 *     ztl_error error;
 *     ztl_hart *hart = ztl_hart_create(NULL, &error);
 *     if (!hart)
 *         fprintf(stderr, "%s\n", error.text);
 *
 * A caller who does not want to know passes NULL.
 */
#ifndef ZTL_ERROR_H
#define ZTL_ERROR_H

#define ZTL_ERROR_SIZE 1024

typedef struct ztl_error {
    char text[ZTL_ERROR_SIZE]; /* written by a call that fails, ends with a 0; cut if too long */
} ztl_error;

#endif
