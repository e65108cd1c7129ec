# SPDX-License-Identifier: Apache-2.0
# The one place for the libraries that libztl itself links against, as pkg-config modules, e.g.
# "libelf;zlib". The build, ztl.pc and the CMake package take them from here.
set(ZTL_PRIVATE_MODULES libelf zlib)

find_package(PkgConfig REQUIRED)
foreach(module IN LISTS ZTL_PRIVATE_MODULES)
  pkg_check_modules(${module} REQUIRED IMPORTED_TARGET ${module})
  foreach(target ztl_objects ztl ztl_static)
    target_link_libraries(${target} PRIVATE PkgConfig::${module})
  endforeach()
endforeach()
