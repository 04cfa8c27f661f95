#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# The published experiment with Debug builds: builds the Debug preset with the benchmarks and all generated code unoptimised, runs
# `osiplay bench cosim` in Release and in Debug, and puts them side by side. Options are handed on: --quick, --repetitions N.
# Leaves build/bench-debug/release.json and debug.json. libprotobuf itself stays the system's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

release=build/release debug=build/bench-debug
cmake --preset release
cmake --build "$release" --target osiplay ositrace-bench
cmake --preset debug -B "$debug" -DOSITRACE_BENCH=ON -DOSITRACE_TESTS=OFF -DOSITRACE_OSI_PROTOBUF_DIR= "-DOSITRACE_OSI_CODE_FLAGS=-O0;-g0;-w"
cmake --build "$debug" --target osiplay ositrace-bench

# A Debug run takes minutes, so there are fewer repetitions; what stands behind on the command line counts.
run() { "$1/bin/osiplay" bench cosim --reflections 829440 --objects 10 --repetitions 3 "${@:2}"; }
run "$release" "$@" --json >"$debug/release.json"
run "$debug" "$@" --json --compare "$debug/release.json" >"$debug/debug.json" || [ $? = 3 ]  # 3: it differs, as it should
python3 samples/bench_report.py --show "$debug/debug.json"
