# SPDX-License-Identifier: Apache-2.0
# A CMake toolchain file: bare-metal RISC-V, with Ztl in C, C++ and assembly files.
#
#   cmake -S . -B build --toolchain PREFIX/share/ztl/ztl-riscv64.cmake
#
# -DZTL_MARCH=rv32imac_zicsr_zba_ztl1p0 gives another ISA string, the revision of Ztl included;
# -DZTL_MABI its calling convention. Programs are linked with picolibc from 0x80000000 on and use
# semihosting.
if(NOT DEFINED ZTL_MARCH)
  set(ZTL_MARCH rv64imac_zicsr_ztl)
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZTL_MARCH ZTL_MABI)

# GNU knows no Ztl, and has C libraries for the single letters only; its older specification, which
# has Zicsr and Zifencei in the base, goes with these.
string(REGEX REPLACE "_(ztl[xcamp]?([12]p0)?|zicsr|zifencei)" "" ztl_march ${ZTL_MARCH})
string(REGEX REPLACE "_.*" "" ztl_letters ${ztl_march})
set(ztl_revision 2)
if(ZTL_MARCH MATCHES "_ztl[xcam]?1p0")
  set(ztl_revision 1)
endif()
if(NOT DEFINED ZTL_MABI)
  set(ZTL_MABI lp64)
  if(ztl_letters MATCHES "^rv32")
    set(ZTL_MABI ilp32)
  endif()
  if(ztl_letters MATCHES "^rv[0-9]+.*[dg]")
    string(APPEND ZTL_MABI d)
  endif()
endif()

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_CXX_COMPILER riscv64-unknown-elf-g++)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)

cmake_path(SET ztl_root NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)
string(CONCAT ztl_flags "\"-B${ztl_root}libexec/ztl/bin/\" -isystem \"${ztl_root}include\" "
  "-Wa,--revision=${ztl_revision} -DZTL_REVISION=${ztl_revision} -march=${ztl_march} "
  "-mabi=${ZTL_MABI} -misa-spec=2.2 -mcmodel=medany --specs=picolibc.specs")
set(CMAKE_C_FLAGS_INIT "${ztl_flags}")
set(CMAKE_CXX_FLAGS_INIT "${ztl_flags}")
set(CMAKE_ASM_FLAGS_INIT "${ztl_flags}")
string(CONCAT CMAKE_EXE_LINKER_FLAGS_INIT "-march=${ztl_letters} --oslib=semihost --crt0=hosted "
  "-Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=0x4000000 "
  "-Wl,--defsym=__ram=0x84000000 -Wl,--defsym=__ram_size=0x4000000")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
