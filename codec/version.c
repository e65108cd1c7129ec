/* SPDX-License-Identifier: Apache-2.0
 * The version of the library that a program runs with.
 */
#include <ztl/ztl.h>

const char *ztl_version(void)
{
    return ZTL_VERSION;
}

unsigned ztl_version_number(void)
{
    return ZTL_VERSION_NUMBER;
}
