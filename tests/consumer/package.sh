# SPDX-License-Identifier: MPL-2.0
# cpack creates a .deb and a tarball that contain the programs, both libraries and the package configuration.
command -v dpkg-shlibdeps >/dev/null || { echo "dpkg-dev is missing"; exit 77; }
# Not compressed as well as a release is: that takes longer than all else here.
cpack --config "$BUILD/CPackConfig.cmake" -B "$PWD" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip
dpkg-deb --contents ./*.deb | tee deb.txt
tar tzf ./*.tar.gz >tar.txt
for name in bin/osiconvert libositrace.a libositrace.so ositraceConfig.cmake include/ositrace/schema.hpp; do
    grep -q "$name" deb.txt
    grep -q "$name" tar.txt
done
dpkg-deb --field ./*.deb Depends | grep -q libzstd

dpkg-deb --extract ./*.deb unpacked
unpacked/usr/bin/osiconvert --version
