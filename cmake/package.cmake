# SPDX-License-Identifier: Apache-2.0
# Packages of all that is installed: cpack -G TGZ or cpack -G DEB in the build directory.
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_CONTACT "The Ztl project")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# By hand: dpkg-shlibdeps would stumble over the libraries for RISC-V. tests/install/package.sh
# compares.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libdw1, libelf1, libinih1, libjansson4, libprotobuf-c1, zlib1g")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/triggers)
file(WRITE ${PROJECT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
include(CPack)
