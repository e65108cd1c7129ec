# SPDX-License-Identifier: Apache-2.0
# The same warnings for gcc and clang, as errors unless a packager turns that off. All of this is for
# this folder and below; who links against the libraries gets none of it.
add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
                    -Wpointer-arith -Wwrite-strings)
set(CMAKE_COMPILE_WARNING_AS_ERROR ${ZTL_WERROR})

if(ZTL_SANITIZE)
  add_compile_definitions(ZTL_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(ZTL_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(ZTL_COVERAGE)
  add_compile_options(--coverage -O0)
  add_link_options(--coverage)
endif()
