/* SPDX-License-Identifier: Apache-2.0
 * C++ names as they are written: those of symbols are mangled, by the rules of the Itanium C++ ABI.
 */
#ifndef ZTL_HOST_DEMANGLE_H
#define ZTL_HOST_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the name that a symbol stands for, a function's without its parameters:
 * std::vector<int, std::allocator<int> >::push_back. False, and `text` is the symbol itself, when
 * it is none of C++, or one with expressions in it, which are not taken apart. What is longer than
 * `size` is cut. */
bool ztl_demangle(const char *symbol, char *text, size_t size);

#endif
