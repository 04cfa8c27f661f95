#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# From a fresh clone to a converted trace: installs what is missing, builds osiconvert and osiplay, generates a sample trace,
# converts it to FlatBuffers and back, and compares the bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake/debian_packages.sh build
cmake --preset release -DOSITRACE_TESTS=OFF -DOSITRACE_BENCH=OFF
cmake --build --preset release --target osiconvert osiplay

traces=build/quickstart
mkdir -p "$traces"
run() { echo; echo "\$ $*"; "$@"; }
PATH="$PWD/build/release/bin:$PATH"

run osiconvert generate "$traces/sample.osi" --frames 100 --objects 20 --reflections 10000 --overwrite
run osiconvert proto2flat "$traces/sample.osi" "$traces/sample.osifb" --overwrite
run osiconvert flat2proto "$traces/sample.osifb" "$traces/back.osi" --overwrite
run cmp "$traces/sample.osi" "$traces/back.osi"
echo "back.osi is sample.osi, byte for byte."
run osiconvert info "$traces/sample.osifb"

echo
echo "The programs are in build/release/bin, the traces in $traces; cmake --build --preset release builds all the rest, osiview and the FMUs."
