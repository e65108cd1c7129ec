# SPDX-License-Identifier: Apache-2.0
# Run by an installation, which sets `package` and `version`: the prefix is known only then.
set(folder python${version})
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(folder python3)
endif()
set(target "${CMAKE_INSTALL_PREFIX}/lib/${folder}/dist-packages/ztl")
file(GLOB modules "${package}/*.py" "${package}/py.typed")
file(INSTALL ${modules} DESTINATION "${target}")
file(GLOB modules "${package}/names/*.py")
file(INSTALL ${modules} DESTINATION "${target}/names")
