#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Compiles our programs for 64-bit Windows, on Debian 12: into build/windows/bin. Needs the Debian archive once, for the
# libraries that they contain, which takes ten minutes.
# usage: packaging/windows/make.sh [TARGET...]     default: what is built for Windows
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

cmake/debian_packages.sh build windows
libraries=$(packaging/windows/libraries.sh)

# What the build runs is a program of this machine.
[ -f build/release/build.ninja ] || cmake --preset release -DOSITRACE_TESTS=OFF
cmake --build --preset release --target extract_comments

cmake -G Ninja -S . -B build/windows -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/windows.cmake" \
    -DCMAKE_FIND_ROOT_PATH="$libraries" -DCMAKE_BUILD_TYPE=Release -DOSITRACE_NATIVE_BUILD="$PWD/build/release" \
    -DOSITRACE_TESTS=OFF -DOSITRACE_GUI=OFF
cmake --build build/windows --target ${*:-ositrace_formats}
