#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# From a fresh clone to the three main uses: installs what is missing, builds all programs, converts a sample trace to
# FlatBuffers and back, replays it into the dummy sensor, draws it, benchmarks a conversion of it, reads it in Python.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake/debian_packages.sh build
cmake --preset release -DOSITRACE_TESTS=OFF
cmake --build --preset release

traces=build/quickstart
mkdir -p "$traces"
run() { echo; echo "\$ $*"; "$@"; }
PATH="$PWD/build/release/bin:$PATH"
python=$(sed -n 's/^OSITRACE_PACKAGE_PYTHON:INTERNAL=//p' build/release/CMakeCache.txt)

run osiconvert generate "$traces/sample.osi" --frames 100 --objects 20 --reflections 10000 --overwrite
run osiconvert proto2flat "$traces/sample.osi" "$traces/sample.osifb" --overwrite
run osiconvert flat2proto "$traces/sample.osifb" "$traces/back.osi" --overwrite
run cmp "$traces/sample.osi" "$traces/back.osi"
echo "back.osi is sample.osi, byte for byte."
run osiconvert info "$traces/sample.osifb"
run osiplay "$traces/sample.osi" --sink dummy --sink "record:$traces/detections.mcap" --overwrite --report
run osiview "$traces/sample.osi" --time 5 --screenshot "$traces/scene.png" --overwrite
echo "The picture is $PWD/$traces/scene.png."
run osiplay bench convert "$traces/sample.osi" --quick
PYTHONPATH=build/release/python run "$python" -c "
import ositrace
with ositrace.open('$traces/sample.osi') as trace:
    object = trace.at(5.0).message.global_ground_truth.moving_object[0]
    print(trace, len(trace), 'frames; the first object at 5 s:', object.base.position.to_dict())"

echo
echo "The programs are in build/release/bin, the traces in $traces."
if compgen -G 'build/release/fmu/*/*.fmu' >/dev/null; then
    echo "The FMUs are in build/release/fmu."
else
    echo "No FMU is built; the configure step, 'cmake --preset release', says why."
fi
echo "Look at one: build/release/bin/osiview $traces/sample.osi"
