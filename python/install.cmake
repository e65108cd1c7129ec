# SPDX-License-Identifier: Apache-2.0
# Run by an installation, which sets `package` and `version`: the prefix is known only then.
set(folder python${version})
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(folder python3)
endif()
file(GLOB modules "${package}/*.py" "${package}/py.typed")
file(INSTALL ${modules} DESTINATION "${CMAKE_INSTALL_PREFIX}/lib/${folder}/dist-packages/ztl")
