/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the parts of an installation are, seen from the running program; a build directory has the
 * same layout around its `ztl`.
 */
#ifndef ZTL_TOOLCHAIN_INSTALL_H
#define ZTL_TOOLCHAIN_INSTALL_H

#include <stdbool.h>
#include <stddef.h>

/* The directory with our `as`, for gcc's -B. */
bool ztl_install_tools(char *path, size_t size);

/* The directory of the libraries for bare harts of an ISA's letters and a calling convention, as
 * rv64imac and lp64; false when there are none. */
bool ztl_install_bare(const char *letters, const char *abi, char *path, size_t size);

/* The directory that holds ztl/intrin.h. */
bool ztl_install_include(char *path, size_t size);

/* The folder of the site, with the playground in it. */
bool ztl_install_site(char *path, size_t size);

#endif
