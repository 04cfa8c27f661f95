#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Compiles osiconvert, osiplay and our FMUs for 64-bit Windows, on Debian 12: into build/windows/bin and build/windows/fmu,
# where each FMU has the library for Linux, too. Needs the Debian archive once, for the libraries that they contain; these take ten
# minutes.
# usage: packaging/windows/make.sh [--quick] [TARGET...]     default: all that is built for Windows without osiview
# The target osiview needs Qt, which is compiled once, too: forty minutes.
# --quick is for a try: osiconvert, osiplay and the programs of the MCAP conformance cases, less optimised, into
# build/windows-quick, in a third of the time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

build=build/windows optimise=()
if [ "${1-}" = --quick ]; then
    build=build/windows-quick optimise=(-DCMAKE_CXX_FLAGS_RELEASE=-O1)
    set -- osiconvert osiplay mcap_read mcap_write
fi
cmake/debian_packages.sh build windows
libraries=$(packaging/windows/libraries.sh)

# What the build runs is a program of this machine.
[ -f build/release/build.ninja ] || cmake --preset release -DOSITRACE_TESTS=OFF
cmake --build --preset release --target extract_comments fmus

viewer=(-DOSITRACE_GUI=OFF)
roots=$libraries
if grep -qw osiview <<<"$*"; then
    qt=$(packaging/windows/qt.sh)
    roots="$roots;$qt"
    # What a build with Qt runs is of this machine, too.
    viewer=(-DOSITRACE_GUI=ON -DQT_HOST_PATH=/usr -DQT_HOST_PATH_CMAKE_DIR=/usr/lib/x86_64-linux-gnu/cmake
        -DQt6HostInfo_DIR=/usr/lib/x86_64-linux-gnu/cmake/Qt6HostInfo)
fi
# What was found in another folder of libraries is looked for again.
fresh=()
grep -qxF "CMAKE_FIND_ROOT_PATH:UNINITIALIZED=$roots" "$build/CMakeCache.txt" 2>/dev/null || fresh=(--fresh)
cmake "${fresh[@]}" -G Ninja -S . -B "$build" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/windows.cmake" \
    -DCMAKE_FIND_ROOT_PATH="$roots" -DCMAKE_BUILD_TYPE=Release -DOSITRACE_NATIVE_BUILD="$PWD/build/release" \
    -DOSITRACE_TESTS=OFF "${viewer[@]}" "${optimise[@]}"
cmake --build "$build" --target ${*:-osiconvert osiplay ositrace-fmu-host fmus mcap_read mcap_write}

# A program and an FMU need only what Windows has, and osiview also Qt.
system='Qt6[A-Za-z]*|OPENGL32|GDI32|USER32|KERNEL32|msvcrt|SHELL32|WINMM|MSWSOCK|WS2_32|ADVAPI32|IPHLPAPI'
for file in "$build"/bin/*.exe "$build"/app/fmu/*.dll; do
    [ -f "$file" ] || continue
    for library in $(x86_64-w64-mingw32-objdump -p "$file" | sed -n 's/.*DLL Name: \(.*\)\.dll/\1/p'); do
        grep -qiE "^($system)$" <<<"$library" || { echo "$file needs $library.dll" >&2; exit 1; }
    done
done
