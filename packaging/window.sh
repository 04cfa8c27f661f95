#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Opens a window of osiview on a display of its own, clicks into it and types, and checks that it shows something else then.
# Needs xvfb, xauth, xdotool and ImageMagick's import. usage: packaging/window.sh OSIVIEW TRACE [PICTURE.png]
set -euo pipefail
if [ -z "${OSITRACE_WINDOW_TEST:-}" ]; then
    OSITRACE_WINDOW_TEST=1 exec xvfb-run --auto-servernum --server-args="-screen 0 1400x900x24" "$0" "$@"
fi
export LIBGL_ALWAYS_SOFTWARE=1 XDG_CONFIG_HOME
XDG_CONFIG_HOME=$(mktemp -d)
"$1" "$2" &
viewer=$!
trap 'kill "$viewer" 2>/dev/null || true; rm -rf "$XDG_CONFIG_HOME"' EXIT
# A window that is there for a moment only may be found first.
window=
for _ in $(seq 60); do
    window=$(xdotool search --onlyvisible --pid "$viewer" 2>/dev/null | tail -1) || true
    [ -z "$window" ] || ! xdotool getwindowgeometry "$window" >/dev/null 2>&1 || break
    sleep 0.5
done
sleep 3
shown() { import -silent -window "$window" png:- ; }
shown >"$XDG_CONFIG_HOME/before.png"
eval "$(xdotool getwindowgeometry --shell "$window")"
# Into the scene, which is in the middle, then the key that shows it from above.
xdotool mousemove --window "$window" $((WIDTH / 2)) $((HEIGHT / 2)) click 1
xdotool key --window "$window" b
sleep 3
shown >"$XDG_CONFIG_HOME/after.png"
kill -0 "$viewer"
[ "$(compare -metric AE "$XDG_CONFIG_HOME/before.png" "$XDG_CONFIG_HOME/after.png" null: 2>&1 | sed 's/[^0-9].*//')" -gt 10000 ]
[ -z "${3:-}" ] || cp "$XDG_CONFIG_HOME/after.png" "$3"
echo "a window of ${WIDTH}x$HEIGHT was clicked"
