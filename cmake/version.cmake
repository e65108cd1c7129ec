# SPDX-License-Identifier: Apache-2.0
# ZTL_HEADER_VERSION: the version, from the one place where it is written down.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../include/ztl/version.h lines
     REGEX "^#define ZTL_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
list(TRANSFORM lines REPLACE "^.* " "")
list(JOIN lines "." ZTL_HEADER_VERSION)
