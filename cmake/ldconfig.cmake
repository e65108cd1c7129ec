# SPDX-License-Identifier: Apache-2.0
# Run at the end of an installation, which sets ZTL_INSTALL_LIBDIR: where the loader looks for
# libraries it finds new ones by its cache. Staged installations, those into other folders and those
# that may not change the cache leave it alone.
if(NOT "$ENV{DESTDIR}" STREQUAL "")
  return()
endif()
find_program(ZTL_LDCONFIG ldconfig PATHS /usr/sbin /sbin)
execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT ZTL_LDCONFIG OR NOT user STREQUAL 0)
  return()
endif()
# -v names the folders, -N and -X change nothing.
execute_process(COMMAND ${ZTL_LDCONFIG} -v -N -X OUTPUT_VARIABLE folders ERROR_QUIET)
string(FIND "\n${folders}" "\n${CMAKE_INSTALL_PREFIX}/${ZTL_INSTALL_LIBDIR}:" listed)
if(listed EQUAL -1)
  return()
endif()
execute_process(COMMAND ${ZTL_LDCONFIG} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
if(failed)
  message(WARNING "ldconfig failed: programs may not find libztl.so before it is run")
endif()
