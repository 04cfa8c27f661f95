# SPDX-License-Identifier: MPL-2.0
# cpack: a .deb and a tarball.

set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_VENDOR "ositrace")
set(CPACK_PACKAGE_CONTACT "ositrace developers")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libzstd-dev, liblz4-dev, zlib1g-dev, liblzma-dev")  # for the static library
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
