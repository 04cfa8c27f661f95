#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Makes the pictures of the pages, docs/pictures, from traces that it generates. Needs the programs of the preset `release`,
# xvfb, xdotool, ImageMagick and chromium. usage: packaging/site/pictures.sh [NAME...]     as window, detections: these alone
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
PATH=${OSITRACE_BIN:-$PWD/build/release/bin}:$PATH
output=$PWD/docs/pictures
maps=$PWD/samples/maps
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export LIBGL_ALWAYS_SOFTWARE=1 XDG_CONFIG_HOME=$folder/config
mkdir -p "$output"
wanted=" $* "

is_wanted() { [ "$wanted" = "  " ] || [[ $wanted == *" $1 "* ]]; }
# A third of the size of a PNG of all colours.
keep() { convert "$folder/$1.png" -resize '1280x>' +dither -colors 200 "PNG8:$output/$1.png"; }

# scene NAME OPTION...: a picture without a window
scene() {
    is_wanted "$1" || return 0
    osiview --screenshot "$folder/$1.png" "${@:2}"
    keep "$1"
}

# window NAME KEYS TRACE...: a picture of the window after these keys of xdotool; `click:X,Y` is a click
window() {
    is_wanted "$1" || return 0
    NAME=$1 KEYS=$2 FOLDER=$folder xvfb-run --auto-servernum --server-args="-screen 0 1400x900x24" bash -c '
        osiview "$@" & viewer=$!
        trap "kill $viewer" EXIT
        window=$(timeout 30 xdotool search --sync --onlyvisible --pid $viewer | tail -1)
        sleep 3
        eval "$(xdotool getwindowgeometry --shell "$window")"
        xdotool mousemove --window "$window" $((WIDTH / 2)) $((HEIGHT / 2)) click 1
        for key in $KEYS; do
            case $key in
                click:*) at=${key#click:}; xdotool mousemove --window "$window" ${at/,/ } click 1 ;;
                *) xdotool key --window "$window" "$key" ;;
            esac
            sleep 2
        done
        sleep 3
        import -silent -window "$window" "$FOLDER/$NAME.png"' picture "${@:3}"
    keep "$1"
}

# page NAME TIME TRACE: a web page of the trace, in a browser
page() {
    is_wanted "$1" || return 0
    osiview "$3" --web "$folder/$1.html"
    python3 - "$source/tests/gui/web" "$folder/$1" "$2" <<'PY'
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
import chromium

with chromium.Browser() as browser:
    page = browser.page(f"{sys.argv[2]}.html", 1280, 720)
    page.evaluate(f"viewer.player.seek({sys.argv[3]}); viewer.select(viewer.host()); 0")
    page.drawn()
    page.picture(Path(f"{sys.argv[2]}.png"))
PY
    keep "$1"
}

source=$PWD
cd "$folder"
osiconvert generate drive.osi
osiplay drive.osi --sink dummy --sink record:seen.osi >/dev/null
cat >states.osiview.json <<'JSON'
{"format": "osiview layout", "version": 1, "states": [
  "global_ground_truth.moving_object[*].vehicle_classification.light_state.brake_light_state",
  "global_ground_truth.moving_object[*].vehicle_classification.light_state.indicator_state",
  "global_ground_truth.traffic_light[*].classification.mode"]}
JSON

scene window drive.osi --time 5 --window
scene detections drive.osi seen.osi --time 5 --size 1280x640
scene above drive.osi --time 5 --view bird --size 1280x640
scene map "$maps/street.xodr" --view bird --size 1280x720
# A gap, and times that go backward.
osiconvert cut drive.osi --time 0..3 -o first.osi 2>first.log
osiconvert cut drive.osi --time 4..7 -o second.osi 2>second.log
osiconvert cut drive.osi --time 6.5..10 -o third.osi 2>third.log
cat first.osi second.osi third.osi >joined.osi
window findings 'Escape click:1110,656' joined.osi --time 6.5  # the tab Statistics
window states 'ctrl+shift+t' drive.osi --time 5 --layout states.osiview.json
page page 5 drive.osi
window compare 'shift+c' drive.osi seen.osi --time 5
ls -l "$output"
