# SPDX-License-Identifier: MPL-2.0
# cpack creates a .deb each of the programs, the viewer, the development files and the FMUs.
command -v dpkg-shlibdeps >/dev/null || { echo "dpkg-dev is missing"; exit 77; }
# Not compressed as well as a release is: that takes longer than all else here.
cpack --config "$BUILD/CPackConfig.cmake" -B "$PWD" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip

# contains PACKAGE NAME...: a .deb of this name has files of these names
contains() {
    local package=$1
    shift
    dpkg-deb --contents "$package"_*.deb >contents.txt
    for name in "$@" "usr/share/doc/$package/copyright"; do
        grep -q "$name" contents.txt || { echo "$package has no $name"; exit 1; }
    done
}
contains ositrace bin/osiconvert bin/osiplay libexec/ositrace/ositrace-fmu-host man1/osiconvert.1
contains libositrace-dev libositrace.a libositrace.so ositraceConfig.cmake include/ositrace/schema.hpp
dpkg-deb --field ositrace_*.deb Depends | grep -q libzstd1
dpkg-deb --field libositrace-dev_*.deb Depends | grep -q libzstd-dev
if [ -e "$BUILD/bin/osiview" ]; then
    contains osiview bin/osiview applications/osiview.desktop mime/packages/osiview-mime.xml scalable/apps/osiview.svg
    dpkg-deb --field osiview_*.deb Depends | grep -q libqt6
fi
if [ -d "$BUILD/fmu" ]; then contains ositrace-fmus fmu/fmi2/DummySensor.fmu fmu/fmi3/OsiTracePlayer.fmu; fi
# Every file is in one package: they can be installed together.
for package in *.deb; do dpkg-deb --contents "$package" | awk '$1 !~ /^d/ { print $6 }'; done | sort | uniq -d >twice.txt
[ ! -s twice.txt ] || { echo "in two packages:"; cat twice.txt; exit 1; }

dpkg-deb --extract ositrace_*.deb unpacked
unpacked/usr/bin/osiconvert --version
