# SPDX-License-Identifier: Apache-2.0
# As part of another project: its warnings and include folders are for its own sources. Everything
# else that it says about how to compile (optimization, sanitizers, ...) holds here too.
if(PROJECT_IS_TOP_LEVEL)
  return()
endif()
get_directory_property(options COMPILE_OPTIONS)
list(FILTER options EXCLUDE REGEX "^-(W([^alp]|[alp][^,])|pedantic)")
set_directory_properties(PROPERTIES COMPILE_OPTIONS "${options}" INCLUDE_DIRECTORIES "")
string(REGEX REPLACE "(^| )-(W([^alp ]|[alp][^, ])|pedantic)[^ ]*" "" CMAKE_C_FLAGS "${CMAKE_C_FLAGS}")
