#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Tries osiconvert.exe under Wine: it writes the same bytes as osiconvert of this machine, from generated and real traces
# into every container, and back; and prints the same. The last line is 'N passed, M failed'.
# usage: packaging/windows/try.sh [WINDOWS_BIN [NATIVE_BIN]]      default: build/windows/bin build/release/bin
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
windows=$(realpath "${1:-build/windows/bin}") native=$(realpath "${2:-build/release/bin}")
traces=$(realpath -m ../shared/traces)
if ! command -v wine >/dev/null || [ ! -f "$windows/osiconvert.exe" ]; then
    echo "skipped: wine or $windows/osiconvert.exe is missing"
    exit 77
fi

scratch=$(mktemp -d)
export LC_ALL=C.UTF-8 WINEPREFIX=$scratch/wine WINEDEBUG=-all
trap 'wineserver -k 2>/dev/null; rm -rf "$scratch"' EXIT
wine wineboot --init >/dev/null 2>&1
mkdir "$scratch/windows" "$scratch/native"

passed=0 failed=0
# judge NAME: of the command before
judge() {
    if [ $? = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $1"
    fi
}

# both ARGUMENT...: the same files, output and exit code
both() {
    (cd "$scratch/windows" && timeout 60 wine "$windows/osiconvert.exe" "$@" >../windows.out 2>../windows.err; echo $? >>../windows.out)
    (cd "$scratch/native" && "$native/osiconvert" "$@" >../native.out 2>../native.err; echo $? >>../native.out)
    cmp "$scratch/windows.out" "$scratch/native.out" && cmp "$scratch/windows.err" "$scratch/native.err"
    judge "osiconvert $*: output, exit code"
}
same_files() {
    (cd "$scratch/windows" && sha256sum -- *) >"$scratch/windows.sums"
    (cd "$scratch/native" && sha256sum -- *) >"$scratch/native.sums"
    diff "$scratch/windows.sums" "$scratch/native.sums"
    judge "$1: the same bytes"
    rm -f "$scratch"/windows/* "$scratch"/native/*
}

both --help
both convert --help
for trace in sensor_view lidar "$traces"/*.osi "$traces"/*.mcap; do
    case $trace in
        sensor_view) both generate here.osi --frames 20 --objects 5 ;;
        lidar) both generate here.osi --frames 3 --objects 2 --reflections 20000 ;;
        *) [ -f "$trace" ] || continue
           extension=${trace##*.}
           cp "$trace" "$scratch/windows/here.$extension"; cp "$trace" "$scratch/native/here.$extension" ;;
    esac
    here=here.${extension:-osi}
    both info "$here"
    both stats "$here"
    both check "$here"
    both cat "$here" --frames 0
    for to in mcap osi osi.zst osi.lz4 osifb osifb.zst txth jsonl; do
        both "$here" -o "to.$to"
        both info "to.$to"
        both "to.$to" -o "back-from-$to.osi"
    done
    both diff "$here" to.osifb
    both cut "$here" -o cut.osi --frames 1:3
    both "$here" -o to.mcap
    same_files "$(basename "$trace")"
done

# Only on Windows.
run() { (cd "$scratch/windows" && wine "$windows/osiconvert.exe" "$@"); }
run generate ü日本.osi --frames 2 >/dev/null 2>&1 && [ -f "$scratch/windows/ü日本.osi" ]
judge "a name in Unicode"
deep=$(printf 'folder-%03d-of-a-long-path/' {1..14})
mkdir -p "$scratch/windows/$deep"
run generate "${deep}long.osi" --frames 2 >/dev/null 2>&1 && run info "${deep}long.osi" >/dev/null
judge "a path of $(printf %s "$scratch/windows/${deep}long.osi" | wc -c) characters"
run generate - --frames 5 2>/dev/null | cmp - <("$native/osiconvert" generate - --frames 5 2>/dev/null)
judge "- writes binary"
"$native/osiconvert" generate - --frames 5 2>/dev/null | run info - >"$scratch/windows.out" 2>&1
grep -q 'frames  *5' "$scratch/windows.out"
judge "- reads binary"
left=$(find "$scratch/windows" -name '.ositrace*' | wc -l)
[ "$left" = 0 ]
judge "no temporary file is left"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
