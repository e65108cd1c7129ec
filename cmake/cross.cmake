# SPDX-License-Identifier: Apache-2.0
# RISC-V programs and libraries beside the host's, with Debian's cross compilers.
find_program(ZTL_RISCV_LINUX_CC riscv64-linux-gnu-gcc)
find_program(ZTL_RISCV_LINUX_CXX riscv64-linux-gnu-g++)
find_program(ZTL_RISCV_ELF_CC riscv64-unknown-elf-gcc)
find_program(ZTL_QEMU_USER qemu-riscv64)
find_program(ZTL_QEMU_SYSTEM_64 qemu-system-riscv64)
find_program(ZTL_QEMU_SYSTEM_32 qemu-system-riscv32)
set(ZTL_RISCV_SYSROOT /usr/riscv64-linux-gnu CACHE PATH "Libraries of RISC-V Linux programs")

set(ZTL_CROSS_FLAGS -O2 -Wall -Wextra -Wshadow -I${CMAKE_SOURCE_DIR}/include -I${ZTL_GENERATED}
    -I${CMAKE_SOURCE_DIR})
if(ZTL_WERROR)
  list(APPEND ZTL_CROSS_FLAGS -Werror)
endif()

# ztl_cross(OUTPUT path COMPILER cc SOURCES ... FLAGS ... DEPENDS ...): one file from sources, which
# are relative to the current directory. Each source is compiled by itself, so that the compiler says
# which headers it depends on. With -c among the flags the one source is all there is.
function(ztl_cross)
  cmake_parse_arguments(CROSS "" "OUTPUT;COMPILER" "SOURCES;FLAGS;DEPENDS" ${ARGN})
  get_filename_component(name ${CROSS_OUTPUT} NAME)
  set(compiler ${CMAKE_C_COMPILER_LAUNCHER} ${CROSS_COMPILER})
  set(link_flags ${CROSS_FLAGS})
  list(FILTER CROSS_FLAGS EXCLUDE REGEX "^(-Wl,|-l|-shared$|-static$|-s$|-r$|-nostdlib$)")
  set(objects)
  foreach(source ${CROSS_SOURCES})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(LENGTH objects number)
    set(object ${CROSS_OUTPUT}.objects/${number}.o)
    if("-c" IN_LIST CROSS_FLAGS)
      set(object ${CROSS_OUTPUT})
    endif()
    cmake_path(GET object PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${compiler} ${ZTL_CROSS_FLAGS} ${CROSS_FLAGS} -MD -MF ${object}.d -MQ ${object} -c
              ${source} -o ${object}
      DEPENDS ${source} ${CROSS_DEPENDS}
      DEPFILE ${object}.d
      COMMENT "Cross-compiling ${name}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  if(NOT "-c" IN_LIST CROSS_FLAGS)
    add_custom_command(
      OUTPUT ${CROSS_OUTPUT}
      COMMAND ${CROSS_COMPILER} ${ZTL_CROSS_FLAGS} -o ${CROSS_OUTPUT} ${objects} ${link_flags}
      DEPENDS ${objects}
      COMMENT "Cross-linking ${name}" VERBATIM)
  endif()
endfunction()
