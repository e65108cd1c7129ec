# SPDX-License-Identifier: Apache-2.0
# RISC-V programs and libraries beside the host's, with Debian's cross compilers.
find_program(ZTL_RISCV_LINUX_CC riscv64-linux-gnu-gcc)
find_program(ZTL_RISCV_LINUX_CXX riscv64-linux-gnu-g++)
find_program(ZTL_RISCV_ELF_CC riscv64-unknown-elf-gcc)
find_program(ZTL_QEMU_USER qemu-riscv64)
find_program(ZTL_QEMU_SYSTEM_64 qemu-system-riscv64)
find_program(ZTL_QEMU_SYSTEM_32 qemu-system-riscv32)
set(ZTL_RISCV_SYSROOT /usr/riscv64-linux-gnu CACHE PATH "Libraries of RISC-V Linux programs")

set(ZTL_CROSS_FLAGS -O2 -Wall -Wextra -Wshadow -I${CMAKE_SOURCE_DIR}/include -I${CMAKE_SOURCE_DIR})
if(ZTL_WERROR)
  list(APPEND ZTL_CROSS_FLAGS -Werror)
endif()

# ztl_cross(OUTPUT path COMPILER cc SOURCES ... FLAGS ... DEPENDS ...): one file by one run of the
# compiler; relative sources are below the current directory.
function(ztl_cross)
  cmake_parse_arguments(CROSS "" "OUTPUT;COMPILER" "SOURCES;FLAGS;DEPENDS" ${ARGN})
  set(sources)
  foreach(source ${CROSS_SOURCES})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND sources ${source})
  endforeach()
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/ztl/*.h
       ${CMAKE_SOURCE_DIR}/include/ztl/intrin/*.h ${CMAKE_SOURCE_DIR}/isa/*.def
       ${CMAKE_SOURCE_DIR}/model/*.h ${CMAKE_SOURCE_DIR}/fast/*.h ${CMAKE_SOURCE_DIR}/fast/*.def ${CMAKE_SOURCE_DIR}/fast/kernels/*.h ${CMAKE_SOURCE_DIR}/adapters/qemu/*.h
       ${CMAKE_SOURCE_DIR}/adapters/qemu/*/*.h)
  get_filename_component(name ${CROSS_OUTPUT} NAME)
  add_custom_command(
    OUTPUT ${CROSS_OUTPUT}
    COMMAND ${CROSS_COMPILER} ${ZTL_CROSS_FLAGS} -o ${CROSS_OUTPUT} ${sources} ${CROSS_FLAGS}
    DEPENDS ${sources} ${headers} ${CROSS_DEPENDS}
    COMMENT "Cross-compiling ${name}"
    VERBATIM)
endfunction()
