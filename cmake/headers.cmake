# SPDX-License-Identifier: Apache-2.0
# The headers as an installation has them: what programs see that are built with this tree, by ztl cc
# of the build directory or as parts of the same CMake project. Copies, since gcc looks through links
# and would miss what stands beside them.
set(ZTL_PUBLIC_HEADERS ${PROJECT_BINARY_DIR}/include)
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/include/ztl/*.h)
foreach(header ${headers})
  configure_file(${PROJECT_SOURCE_DIR}/include/${header} ${ZTL_PUBLIC_HEADERS}/${header} COPYONLY)
endforeach()
file(GLOB lists RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/isa/*.def
     ${PROJECT_SOURCE_DIR}/ops/*.def)
foreach(list ${lists})
  configure_file(${PROJECT_SOURCE_DIR}/${list} ${ZTL_PUBLIC_HEADERS}/ztl/${list} COPYONLY)
endforeach()
configure_file(${ZTL_GENERATED}/ztl/intrin/names.h ${ZTL_PUBLIC_HEADERS}/ztl/intrin/names.h COPYONLY)
