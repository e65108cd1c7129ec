# SPDX-License-Identifier: Apache-2.0
# What `make install` puts where: libraries, headers, pkg-config file, CMake package, man pages.
install(TARGETS ztl ztl_static)
install(DIRECTORY include/ztl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
install(DIRECTORY isa DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ztl FILES_MATCHING PATTERN *.def)
