#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Compiles what our Windows programs link, as static libraries, from the sources of Debian 12; prints the folder, which
# stays in the user's cache. Their archives are pinned below, and have Debian's patches.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
toolchain=$project/cmake/windows.cmake

# The source package, and the SHA-256 of its upstream archive.
pins='
zlib        71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1
libzstd     8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953
lz4         0b0e3aa07c8c063ddf40b082bdf7e37a1562bda40a0ff5272957f3e987e0e54b
xz-utils    5d9827aa1875b21c288f78864bb26d2650b436ea8d2cad364e4921eb6266a5a5
pugixml     5c5ad5d7caeb791420408042a7d88c2c6180781bf218feca259fd9d840a888e1
zeromq3     0ff5a531c9ffaf0dfdc7dc78d13d1383088f454896d252934c429b2554d10559
protobuf    930c2c3b5ecc6c9c12615cf5ad93f1cd6e12d0aba862b572e076259970ac3a53
'

key=$(sha256sum <"${BASH_SOURCE[0]}" | cut -c1-16)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/ositrace/windows/$key
if [ -e "$folder/complete" ]; then
    echo "$folder"
    exit
fi
rm -rf "$folder"
mkdir -p "$folder/sources" "$folder/build" "$folder/include"

# Everything that is printed goes into the log, which is shown if something fails.
exec 3>&1 >"$folder/log" 2>&1
trap '[ $? = 0 ] || { tail -30 "$folder/log"; echo "The log is $folder/log"; } >&3' EXIT

cd "$folder/sources"
# shellcheck disable=SC2086  # one argument per word
"$project/packaging/windows/debian_source.sh" $pins

# library PACKAGE FOLDER [OPTION of cmake...]
library() {
    local build=$folder/build/$1 source=$folder/sources/$1/$2
    shift 2
    cmake -G Ninja -S "$source" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_FIND_ROOT_PATH="$folder" \
        -DCMAKE_INSTALL_PREFIX="$folder" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_TYPE=Release \
        -DBUILD_SHARED_LIBS=OFF "$@"
    cmake --build "$build" --target install
}

# Its CMakeLists.txt always makes a DLL, too, of files that Debian leaves out.
(
    cd zlib
    x86_64-w64-mingw32-gcc-posix -O2 -c ./*.c
    mkdir -p "$folder/lib"
    x86_64-w64-mingw32-ar rcs "$folder/lib/libz.a" ./*.o
    cp zlib.h zconf.h "$folder/include"
)
library libzstd build/cmake -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF -DZSTD_MULTITHREAD_SUPPORT=ON
library lz4 build/cmake -DBUILD_STATIC_LIBS=ON -DLZ4_BUILD_CLI=OFF -DLZ4_BUILD_LEGACY_LZ4C=OFF
library xz-utils . -DBUILD_TESTING=OFF
library pugixml .
# Without ipc://, for which it includes headers that this compiler does not have.
library zeromq3 . -DZMQ_WIN32_WINNT=0x0A00 -DZMQ_HAVE_IPC=OFF -DBUILD_SHARED=OFF -DBUILD_TESTS=OFF -DWITH_DOCS=OFF \
    -DENABLE_CURVE=OFF -DWITH_LIBSODIUM=OFF -DENABLE_WS=OFF
# It reads texts alone; -O3 takes more than twice as long to compile it.
library protobuf . -DCMAKE_CXX_FLAGS_RELEASE=-O1 -Dprotobuf_BUILD_TESTS=OFF -Dprotobuf_BUILD_PROTOC_BINARIES=OFF -Dprotobuf_WITH_ZLIB=OFF

# Headers alone: those of this machine.
for header in CLI boost nlohmann; do ln -s "/usr/include/$header" "$folder/include"; done
mkdir -p "$folder/share/cmake"
for package in CLI11 nlohmann_json; do ln -s "/usr/share/cmake/$package" "$folder/share/cmake"; done

rm -rf "$folder/build" "$folder/sources" "$folder/bin"
touch "$folder/complete"
echo "$folder" >&3
