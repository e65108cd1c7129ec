/* SPDX-License-Identifier: Apache-2.0
 *
 * The version of these headers; ztl_version() and ztl_version_number() give that of the library in
 * use. doc/api.md says what a version promises. The build takes the version from here.
 */
#ifndef ZTL_VERSION_H
#define ZTL_VERSION_H

#define ZTL_VERSION_MAJOR 0
#define ZTL_VERSION_MINOR 1
#define ZTL_VERSION_PATCH 0

#define ZTL_VERSION_NUMBER (ZTL_VERSION_MAJOR * 10000 + ZTL_VERSION_MINOR * 100 + ZTL_VERSION_PATCH)

#define ZTL_VERSION_TEXT_OF_(number) #number
#define ZTL_VERSION_TEXT_(number)    ZTL_VERSION_TEXT_OF_(number)
#define ZTL_VERSION                                                                                \
    ZTL_VERSION_TEXT_(ZTL_VERSION_MAJOR)                                                           \
    "." ZTL_VERSION_TEXT_(ZTL_VERSION_MINOR) "." ZTL_VERSION_TEXT_(ZTL_VERSION_PATCH)

#endif
