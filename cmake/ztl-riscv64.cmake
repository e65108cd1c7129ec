# SPDX-License-Identifier: Apache-2.0
# A CMake toolchain file: bare-metal RISC-V with Ztl in inline assembly and assembly files.
#
#   cmake -S . -B build --toolchain $(dirname $(command -v ztl))/../share/ztl/ztl-riscv64.cmake
#
# ZTL_REVISION (1 or 2) chooses the revision, ZTL_MARCH and ZTL_MABI the rest of the ISA. Programs
# are linked with picolibc from 0x80000000 on, with semihosting.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH ztl_root)
cmake_path(GET ztl_root PARENT_PATH ztl_root)
if(NOT DEFINED ZTL_REVISION)
  set(ZTL_REVISION 2)
endif()
if(NOT DEFINED ZTL_MARCH)
  set(ZTL_MARCH rv64imac)
  set(ZTL_MABI lp64)
endif()

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_CXX_COMPILER riscv64-unknown-elf-g++)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZTL_REVISION ZTL_MARCH ZTL_MABI)

# The older specification has Zicsr in the base; named apart, GNU would find no library for it.
set(ztl_flags "-B${ztl_root}/libexec/ztl/bin/ -isystem ${ztl_root}/include -Wa,--revision=${ZTL_REVISION} \
-DZTL_REVISION=${ZTL_REVISION} \
-march=${ZTL_MARCH} -mabi=${ZTL_MABI} -misa-spec=2.2 -mcmodel=medany --specs=picolibc.specs")
set(CMAKE_C_FLAGS_INIT "${ztl_flags}")
set(CMAKE_CXX_FLAGS_INIT "${ztl_flags}")
set(CMAKE_ASM_FLAGS_INIT "${ztl_flags}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "--oslib=semihost --crt0=hosted \
-Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=0x4000000 \
-Wl,--defsym=__ram=0x84000000 -Wl,--defsym=__ram_size=0x4000000")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
