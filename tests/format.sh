#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Checks that the pinned clang-format would change nothing. With --fix it formats the files instead.
# usage: tests/format.sh [--fix] [FOLDER]
# FOLDER is the unpacked wheel of cmake/clang-format.txt (default: the one of the release build).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=(--dry-run -Werror)
if [ "${1:-}" = --fix ]; then
    mode=(-i)
    shift
fi
formatter=${1:-build/release/clang-format}/clang_format/data/bin/clang-format
if [ ! -f "$formatter" ]; then
    echo "skipped: $formatter is missing (configure the build with network access)"
    exit 77
fi
chmod +x "$formatter"  # CMake unpacks a wheel without the permission
find formats lib app gui python samples tests cmake -name '*.[ch]pp' -print0 |
    xargs -0 -n 100 -P "$(nproc)" "$formatter" "${mode[@]}" --style=file
