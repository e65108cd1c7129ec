/* SPDX-License-Identifier: Apache-2.0
 * The exit statuses of every command.
 */
#ifndef ZTL_HOST_EXIT_H
#define ZTL_HOST_EXIT_H

enum ztl_exit {
    ZTL_EXIT_OK = 0,
    ZTL_EXIT_FAILURE = 1, /* the work could not be done */
    ZTL_EXIT_USAGE = 2,   /* the command line is wrong */
};

#endif
