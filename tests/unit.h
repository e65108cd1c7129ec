/* SPDX-License-Identifier: Apache-2.0
 * cmocka wants these before itself.
 */
#ifndef ZTL_TEST_UNIT_H
#define ZTL_TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
