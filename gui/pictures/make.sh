#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Draws the pictures of README.md and docs/ with the programs themselves; needs no display.
# usage: make.sh DIRECTORY_OF_THE_PROGRAMS
# The same Mesa and FreeType draw the same bits. Look at the pictures before you commit them.
set -euo pipefail
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LIBGL_ALWAYS_SOFTWARE=1 LC_ALL=C.UTF-8

"$bin/osiconvert" generate "$scratch/sample.osi" --type sv --frames 40 --reflections 40000 --quiet
"$bin/osiview" "$scratch/sample.osi" --time 2 --size 1000x560 --screenshot "$here/scene.png" --overwrite
"$bin/osiview" "$scratch/sample.osi" --time 2 --size 1000x560 --view bird --theme light \
    --screenshot "$here/bird.png" --overwrite

# The window: --layout shows the panel of the picture.
"$bin/osiconvert" generate "$scratch/drive.osi" --type sv --frames 100 --reflections 40000 --quiet
"$bin/osiplay" "$scratch/drive.osi" --sink dummy --sink "record:$scratch/detections.mcap" --quiet
cd "$scratch"  # the window shows the paths of the files
window() { "$bin/osiview" "${@:2}" --time 4 --window --screenshot "$here/$1.png" --overwrite; }
window window drive.osi detections.mcap --size 1200x740
window plots drive.osi --size 1000x680 --layout "$here/plots.osiview.json"
window states drive.osi --size 1000x680 --layout "$here/states.osiview.json"
