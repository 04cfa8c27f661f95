#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# The published experiment with Debug builds: builds the Debug preset with the benchmarks and all generated code
# unoptimised, runs `osiplay bench cosim` in Release and in Debug, and compares them. Leaves
# build/bench-debug/release.json and debug.json.
# usage: bench_debug.sh [--build-only] [OPTION OF COSIM...]      such as --quick, --repetitions N (default 3)
# libprotobuf itself is the one of the system. The FMUs are not measured.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

release=build/release debug=build/bench-debug
cmake --preset release >/dev/null
cmake --build "$release" --target ositrace-bench
cmake --preset debug -B "$debug" -DOSITRACE_BENCH=ON -DOSITRACE_TESTS=OFF -DOSITRACE_GUI=OFF -DOSITRACE_FMUS=OFF \
    -DOSITRACE_OSI_PROTOBUF_DIR= "-DOSITRACE_OSI_CODE_FLAGS=-O0;-g0;-w" >/dev/null
cmake --build "$debug" --target ositrace-bench
if [ "${1:-}" = --build-only ]; then exit; fi

# An unoptimised step takes a second. The last one of equal options applies.
run() { "$1/bin/ositrace-bench" cosim --reflections 829440 --objects 10 --repetitions 3 --steps 1 "${@:2}"; }
run "$release" "$@" --json >"$debug/release.json"
# Exit code 3: the two differ, as expected.
run "$debug" "$@" --json --compare "$debug/release.json" >"$debug/debug.json" || [ $? = 3 ]
python3 samples/bench_report.py --show "$debug/debug.json"
