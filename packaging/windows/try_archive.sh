#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Tries the archive for Windows that is in dist/ under Wine, unpacked into a folder whose name has a space and an umlaut:
# every program runs there, a picture is that of this machine, and a window is clicked. The last line is
# 'N passed, M failed'. Needs what cmake/debian_packages.sh installs for windows and test, and unzip.
# usage: packaging/windows/try_archive.sh [NATIVE_BIN [PICTURES]]      default: build/release/bin build/package-windows/pictures
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
native=$(realpath "${1:-build/release/bin}") pictures=$(realpath -m "${2:-build/package-windows/pictures}")
archive=$(realpath dist/ositrace-*-windows-x86_64.zip) || exit 1
window=$PWD/packaging/window.sh
real=$(ls ../shared/traces/*.osi 2>/dev/null | head -1)
mkdir -p "$pictures"

scratch=$(mktemp -d)
export LC_ALL=C.UTF-8 WINEPREFIX=$scratch/wine WINEDEBUG=-all LIBGL_ALWAYS_SOFTWARE=1
trap 'wineserver -k 2>/dev/null; rm -rf "$scratch"' EXIT
wine wineboot --init >/dev/null 2>&1
place="$scratch/Prüf Ordner"
mkdir "$place"
unzip -q "$archive" -d "$place"
bin=$(echo "$place"/ositrace-*/bin) fmu=$(echo "$place"/ositrace-*/fmu)
cd "$scratch"

passed=0 failed=0
# step TEXT COMMAND...
step() {
    local text=$1
    shift
    if "$@" >step.log 2>&1; then
        passed=$((passed + 1))
        echo "passed: $text"
    else
        failed=$((failed + 1))
        echo "failed: $text: $*"
        tail -20 step.log
    fi
}
# run PROGRAM ARGUMENT...: on a display of its own
run() {
    local program=$1
    shift
    timeout 300 xvfb-run --auto-servernum --server-args="-screen 0 1400x900x24" wine "$bin/$program.exe" "$@"
}
# same_picture A B: as many colours as a picture has, and the same but for the texts, whose letters have other hints
same_picture() {
    local differ
    [ "$(identify -format %k "$1")" -gt 100 ] || { echo "$1 shows nothing"; return 1; }
    differ=$(compare -metric AE "$1" "$2" null: 2>&1)
    echo "$differ pixels differ"
    [ "$differ" -lt 30000 ]
}

for program in osiconvert osiplay osiview; do
    step "$program --version" run $program --version
done
step "generate" run osiconvert generate drive.osi
"$native/osiconvert" generate native.osi >/dev/null
step "the same bytes" cmp drive.osi native.osi
step "info" run osiconvert info drive.osi
step "replay into the dummy" run osiplay drive.osi --sink dummy --sink record:seen.osi
step "what it returned" run osiconvert info seen.osi
for version in fmi2 fmi3; do
    step "replay into DummySensor.fmu, $version" run osiplay drive.osi --sink "fmu:$fmu/$version/DummySensor.fmu" \
        --sink record:$version.mcap
    step "what it returned" sh -c "'$native/osiconvert' info $version.mcap | grep -q SensorData"
done
for trace in drive.osi ${real:+"$real"}; do
    name=$(basename "$trace" .osi)
    step "a picture of $name" run osiview "$trace" --screenshot "$pictures/$name.png" --overwrite
    "$native/osiview" "$trace" --screenshot "$pictures/$name-native.png" --overwrite
    step "is that of this machine" same_picture "$pictures/$name.png" "$pictures/$name-native.png"
done
step "a picture of the window" run osiview drive.osi --window --screenshot "$pictures/window.png" --overwrite
"$native/osiview" drive.osi --window --screenshot "$pictures/window-native.png" --overwrite
printf '#!/bin/sh\nexec wine "%s/osiview.exe" "$@"\n' "$bin" >osiview
chmod +x osiview
step "a clicked window" "$window" ./osiview drive.osi "$pictures/clicked.png"

echo "The pictures are in $pictures."
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
