#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Compiles the Qt of osiview.exe, as DLLs, from the source package of Debian 12, whose upstream archive is pinned below;
# prints the folder, which stays in the user's cache. Takes 40 minutes on two cores.
# usage: packaging/windows/qt.sh [BUILD]     BUILD: a folder for the build, which is kept and goes on where it stopped
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
hash=4f14b89a9463a540fd84a6718b8519a2297119b454ef547721015a9e9019ae9e

key=$(sha256sum <"${BASH_SOURCE[0]}" | cut -c1-16)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/ositrace/windows/qt-$key
if [ -e "$folder/complete" ]; then
    echo "$folder"
    exit
fi
build=${1:-$folder/build}
rm -rf "$folder"
mkdir -p "$folder" "$build"

# Everything that is printed goes into the log, which is shown if something fails.
exec 3>&1 >"$folder/log" 2>&1
trap '[ $? = 0 ] || { tail -30 "$folder/log"; echo "The log is $folder/log"; } >&3' EXIT

cd "$build"
[ -d qt6-base ] || "$project/packaging/windows/debian_source.sh" qt6-base $hash
# Without Direct2D there is no QWindowsDirectWriteFontDatabase, which this file forgets.
sed -i 's/^#if QT_CONFIG(directwrite3)$/& \&\& QT_CONFIG(direct2d)/' \
    qt6-base/src/plugins/platforms/windows/qwindowsintegration.cpp

# The programs that a build with Qt runs are those of this machine. Debian leaves out wintab.h, of the tablet events.
off() { printf -- '-DFEATURE_%s=OFF ' "$@"; }
# shellcheck disable=SC2046  # one argument per word
cmake -G Ninja -S qt6-base -B qt -DCMAKE_TOOLCHAIN_FILE="$project/cmake/windows.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$folder" -DCMAKE_FIND_ROOT_PATH="$folder" -DBUILD_SHARED_LIBS=ON \
    -DQT_HOST_PATH=/usr -DQT_HOST_PATH_CMAKE_DIR=/usr/lib/x86_64-linux-gnu/cmake \
    -DQt6HostInfo_DIR=/usr/lib/x86_64-linux-gnu/cmake/Qt6HostInfo \
    -DQT_BUILD_TESTS=OFF -DQT_BUILD_EXAMPLES=OFF -DINPUT_opengl=desktop \
    $(off tabletevent sql dbus printsupport testlib xml concurrent openssl icu glib vulkan direct2d zstd pkg_config) \
    $(off system_zlib system_png system_jpeg system_freetype system_harfbuzz system_pcre2 system_doubleconversion)
cmake --build qt
cmake --install qt
cp qt6-base/debian/copyright "$folder/copyright"

[ $# = 1 ] || rm -rf "$build"
touch "$folder/complete"
echo "$folder" >&3
