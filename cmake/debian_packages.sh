#!/bin/sh
# SPDX-License-Identifier: MPL-2.0
# Installs the Debian packages that are missing: as root, with sudo, or else prints the line to run and fails.
# usage: cmake/debian_packages.sh [--check] GROUP...
#   build   library, programs, viewer, benchmarks        test      tests, oracles, fuzz targets, packages
#   wheel   the Python package with its programs         package   wheel, archive and .deb (packaging/make.sh)
#   windows programs for Windows (packaging/windows/make.sh) and Wine, to try them
# --check installs nothing: it prints the line to run, and fails, if packages are missing.
set -eu

checks=
if [ "${1-}" = --check ]; then
    checks=1
    shift
fi

packages_build="g++ cmake ninja-build ccache libzstd-dev liblz4-dev zlib1g-dev liblzma-dev libcli11-dev
                libzmq3-dev libpugixml-dev libboost-dev nlohmann-json3-dev
                protobuf-compiler libprotobuf-dev flatbuffers-compiler libflatbuffers-dev
                libjson-c-dev libfastjson-dev libcbor-dev libprotobuf-c-dev protobuf-c-compiler libtirpc-dev
                rpcsvc-proto
                qt6-base-dev libqt6opengl6-dev libgl-dev libegl-dev libgl1-mesa-dri libegl1 libglx-mesa0
                fonts-dejavu-core
                python3 python3-dev python3-pip ca-certificates"
packages_wheel="g++ libzstd-dev liblz4-dev zlib1g-dev liblzma-dev libcli11-dev libzmq3-dev libpugixml-dev libboost-dev
                nlohmann-json3-dev protobuf-compiler libprotobuf-dev qt6-base-dev libqt6opengl6-dev libgl-dev libegl-dev
                python3-dev"
packages_package="dpkg-dev zstd binutils python3-venv file"
packages_windows="g++-mingw-w64-x86-64-posix wine wine64 dpkg-dev debian-archive-keyring"
packages_test="catch2 libzip-dev clang lld libclang-rt-dev pkgconf binutils file dpkg-dev zstd lz4 valgrind xvfb xauth xdotool imagemagick chromium
               default-jre-headless python3-venv python3-genpy python3-std-msgs python3-geometry-msgs"

wanted=
for group in "$@"; do
    case $group in
        build) wanted="$wanted $packages_build" ;;
        test) wanted="$wanted $packages_test" ;;
        wheel) wanted="$wanted $packages_wheel" ;;
        package) wanted="$wanted $packages_package" ;;
        windows) wanted="$wanted $packages_windows" ;;
        *) echo "unknown group '$group' (known: build, test, wheel, package, windows)" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian: the counterparts of these packages are expected:" $wanted >&2
    exit 0
fi

missing=
for package in $wanted; do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
        *" installed") ;;
        *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ -n "$checks" ]; then
    as_root=none
elif [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=sudo
else
    as_root=none
fi
if [ "$as_root" = none ]; then
    echo "Packages are missing. As root, run:" >&2
    echo "    apt-get update && apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

echo "Installing$missing"
$as_root apt-get -qq update
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends $missing >/dev/null
