/* SPDX-License-Identifier: Apache-2.0
 * The kit of conformance/, a folder of programs in Python beside this one or installed with it.
 */
#ifndef ZTL_CLI_KIT_H
#define ZTL_CLI_KIT_H

/* Becomes a program of the kit, with the arguments of `ztl NAME`. Returns only if that fails. */
int ztl_kit_become(const char *name, char **argv);

#endif
