# SPDX-License-Identifier: Apache-2.0
# <ztl/intrin/names.h>, printed from the instruction-set table when the build is configured, so that
# it is there for everything that is compiled, with whatever compiler. A change of the table or of
# its printer configures anew.
set(ZTL_GENERATED ${PROJECT_BINARY_DIR}/generated)
set(sources isa/table.c isa/check.c isa/print/intrin.c tools/print-intrinsics.c)
file(GLOB lists RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/isa/*.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${sources} ${lists} isa/print/print.h include/ztl/isa.h)

set(printer ${PROJECT_BINARY_DIR}/print-intrinsics)
execute_process(COMMAND ${CMAKE_C_COMPILER} -std=c17 -Iinclude -I. -o ${printer} ${sources}
                WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${printer} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
file(MAKE_DIRECTORY ${ZTL_GENERATED}/ztl/intrin)
file(CONFIGURE OUTPUT ${ZTL_GENERATED}/ztl/intrin/names.h CONTENT "${text}" @ONLY)
