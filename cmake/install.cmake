# SPDX-License-Identifier: Apache-2.0
# What `make install` puts where: libraries, headers, pkg-config file, CMake package, man pages,
# gdb's mnemonics, examples. The folders of other things say so themselves. All paths are relative to
# the prefix, so an installed tree may be moved.
include(CMakePackageConfigHelpers)

install(TARGETS ztl ztl_static ztlops ztlops_static ztlmovers ztlmovers_static
                ztltiming ztltiming_static EXPORT ztl-targets)
install(EXPORT ztl-targets NAMESPACE ztl:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ztl)

install(DIRECTORY include/ztl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
install(FILES ${ZTL_GENERATED}/ztl/intrin/names.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ztl/intrin)
install(DIRECTORY isa DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ztl
        FILES_MATCHING PATTERN *.def PATTERN print EXCLUDE PATTERN export EXCLUDE)
install(FILES ops/operators.def ops/formats.def DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ztl/ops)

configure_package_config_file(cmake/ztl-config.cmake.in ${PROJECT_BINARY_DIR}/ztl-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ztl)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ztl-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ztl-config.cmake ${PROJECT_BINARY_DIR}/ztl-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ztl)

string(REPLACE ";" " " ZTL_REQUIRES_PRIVATE "${ZTL_PRIVATE_MODULES}")
# From lib/pkgconfig the prefix is two levels up, or three below lib/<architecture>.
file(RELATIVE_PATH ZTL_PKGCONFIG_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(module ztl ztlops ztlmovers ztltiming)
  configure_file(cmake/${module}.pc.in ${PROJECT_BINARY_DIR}/${module}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${module}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(FILES adapters/gdb/ztl.py DESTINATION share/ztl)
# Pages are installed by doc/, the README of the examples too.
install(DIRECTORY examples DESTINATION share/ztl PATTERN CMakeLists.txt EXCLUDE
                                                 PATTERN README.md EXCLUDE)
foreach(section 1 3)
  file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/doc/man/*.${section})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

install(CODE "set(ZTL_INSTALL_LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")")
install(SCRIPT cmake/ldconfig.cmake)
