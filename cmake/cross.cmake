# SPDX-License-Identifier: Apache-2.0
# RISC-V programs and libraries beside the host's, with Debian's cross compilers.
find_program(ZTL_RISCV_LINUX_CC riscv64-linux-gnu-gcc)
find_program(ZTL_RISCV_LINUX_CXX riscv64-linux-gnu-g++)
find_program(ZTL_RISCV_ELF_CC riscv64-unknown-elf-gcc)
if(ZTL_RISCV_ELF_CC) # for C it needs picolibc: as if it were not there
  execute_process(COMMAND ${ZTL_RISCV_ELF_CC} -print-file-name=picolibc.specs
                  OUTPUT_VARIABLE specs OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT IS_ABSOLUTE "${specs}")
    set(ZTL_RISCV_ELF_CC "")
  endif()
endif()
find_program(ZTL_QEMU_USER qemu-riscv64)
find_program(ZTL_QEMU_SYSTEM_64 qemu-system-riscv64)
find_program(ZTL_QEMU_SYSTEM_32 qemu-system-riscv32)
set(ZTL_RISCV_SYSROOT /usr/riscv64-linux-gnu CACHE PATH "Libraries of RISC-V Linux programs")

set(ZTL_CROSS_FLAGS -O2 -Wall -Wextra -Wshadow -I${PROJECT_SOURCE_DIR}/include -I${ZTL_GENERATED}
    -I${PROJECT_SOURCE_DIR})
if(ZTL_WERROR)
  list(APPEND ZTL_CROSS_FLAGS -Werror)
endif()

# ztl_cross_objects(variable FOLDER folder COMPILER cc SOURCES ... FLAGS ...): objects for RISC-V, each
# made anew when anything that it includes has changed: the compiler says what that is. Sources are
# relative to the current directory.
function(ztl_cross_objects variable)
  cmake_parse_arguments(CROSS "" "FOLDER;COMPILER" "SOURCES;FLAGS" ${ARGN})
  set(objects)
  foreach(source ${CROSS_SOURCES})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH place)
    set(object ${CROSS_FOLDER}/${name}.o)
    file(MAKE_DIRECTORY ${CROSS_FOLDER}/${place})
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${CROSS_COMPILER} ${ZTL_CROSS_FLAGS} ${CROSS_FLAGS}
              -MD -MF ${object}.d -MQ ${object} -c ${source} -o ${object}
      DEPENDS ${source}
      DEPFILE ${object}.d
      COMMENT "Cross-compiling ${name}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${variable} ${objects} PARENT_SCOPE)
endfunction()

# ztl_cross(OUTPUT path COMPILER cc SOURCES ... FLAGS ... DEPENDS ...): a program or library from
# sources, linked anew when a file among DEPENDS has changed.
function(ztl_cross)
  cmake_parse_arguments(CROSS "" "OUTPUT;COMPILER" "SOURCES;FLAGS;DEPENDS" ${ARGN})
  set(flags ${CROSS_FLAGS})
  list(FILTER flags EXCLUDE REGEX "^(-Wl,|-l|-L|-T|-shared$|-static$|-s$|-r$|-nostdlib$)")
  ztl_cross_objects(objects FOLDER ${CROSS_OUTPUT}.objects COMPILER ${CROSS_COMPILER}
                    SOURCES ${CROSS_SOURCES} FLAGS ${flags})
  get_filename_component(name ${CROSS_OUTPUT} NAME)
  add_custom_command(
    OUTPUT ${CROSS_OUTPUT}
    COMMAND ${CROSS_COMPILER} ${ZTL_CROSS_FLAGS} -o ${CROSS_OUTPUT} ${objects} ${CROSS_FLAGS}
    DEPENDS ${objects} ${CROSS_DEPENDS}
    COMMENT "Cross-linking ${name}" VERBATIM)
endfunction()

# ztl_cross_archive(OUTPUT path COMPILER cc OBJECTS ... OBJCOPY ...): an archive, with what objcopy's
# options make of a single object if there are any. ar and objcopy are those beside the compiler.
function(ztl_cross_archive)
  cmake_parse_arguments(CROSS "" "OUTPUT;COMPILER" "OBJECTS;OBJCOPY" ${ARGN})
  string(REGEX REPLACE "gcc$" "" prefix ${CROSS_COMPILER})
  set(objcopy)
  if(CROSS_OBJCOPY)
    set(objcopy COMMAND ${prefix}objcopy ${CROSS_OBJCOPY} ${CROSS_OBJECTS})
  endif()
  cmake_path(GET CROSS_OUTPUT PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${CROSS_OUTPUT}
    ${objcopy}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${CROSS_OUTPUT}
    COMMAND ${prefix}ar rcs ${CROSS_OUTPUT} ${CROSS_OBJECTS}
    DEPENDS ${CROSS_OBJECTS}
    COMMENT "Cross-archiving ${CROSS_OUTPUT}" VERBATIM)
endfunction()

# ztl_cross_binary(OUTPUT path COMPILER cc PROGRAM elf): what the program loads into memory, alone.
function(ztl_cross_binary)
  cmake_parse_arguments(CROSS "" "OUTPUT;COMPILER;PROGRAM" "" ${ARGN})
  string(REGEX REPLACE "gcc$" "objcopy" objcopy ${CROSS_COMPILER})
  add_custom_command(OUTPUT ${CROSS_OUTPUT}
                     COMMAND ${objcopy} -O binary ${CROSS_PROGRAM} ${CROSS_OUTPUT}
                     DEPENDS ${CROSS_PROGRAM} VERBATIM)
endfunction()
