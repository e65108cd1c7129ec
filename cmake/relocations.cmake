# SPDX-License-Identifier: Apache-2.0
# ZTL_RELOCATIONS: the linker's option for relocations of a bit each instead of 24 bytes, which are
# what tables of pointers have. The loader must know them: glibc does from 2.36 on.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_LINK_OPTIONS LINKER:-z,pack-relative-relocs)
check_c_source_compiles("
  #include <features.h>
  #if !__GLIBC_PREREQ(2, 36)
  #error an older loader
  #endif
  int main(void) { return 0; }" ZTL_PACKS_RELOCATIONS FAIL_REGEX "pack-relative-relocs")
unset(CMAKE_REQUIRED_LINK_OPTIONS)
set(ZTL_RELOCATIONS)
if(ZTL_PACKS_RELOCATIONS)
  set(ZTL_RELOCATIONS LINKER:-z,pack-relative-relocs)
endif()
