#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# --screenshot as a script uses it: sizes, exit codes, messages, and that no file remains after an error.
# usage: screenshot_test.sh OSIVIEW OSICONVERT
set -euo pipefail
osiview=$1 osiconvert=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
unset DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR
export LC_ALL=C.UTF-8 LIBGL_ALWAYS_SOFTWARE=1

fail() { echo "FAILED: $*"; exit 1; }

# expect CODE TEXT COMMAND...: the exit code, and a part of standard error
expect() {
    local code=$1 text=$2 got=0
    shift 2
    "$@" >out 2>err || got=$?
    [ "$got" = "$code" ] || fail "exit $got, expected $code: $* ($(cat err))"
    grep -qF -- "$text" err || [ -z "$text" ] || fail "'$text' is missing in standard error: $* ($(cat err))"
}

# size FILE: width and height of a PNG, from its header
size() {
    od -An -tu1 -j16 -N8 "$1" |
        awk 'function number(i) { return (($i * 256 + $(i + 1)) * 256 + $(i + 2)) * 256 + $(i + 3) }
             { print number(1) "x" number(5) }'
}

"$osiconvert" generate trace.osi --frames 5 --reflections 500 --quiet

expect 0 "" "$osiview" trace.osi --screenshot scene.png --size 333x217
[ "$(size scene.png)" = 333x217 ] || fail "a size of $(size scene.png)"
[ ! -s err ] || fail "a warning: $(cat err)"
expect 1 "scene.png exists. Use --overwrite to replace it." "$osiview" trace.osi --screenshot scene.png
cp scene.png before.png
expect 0 "" "$osiview" trace.osi --screenshot scene.png --size 333x217 --overwrite
cmp scene.png before.png || fail "the same picture is not the same bytes"
expect 0 "" "$osiview" trace.osi --screenshot later.png --size 333x217 --time 0.4
! cmp -s scene.png later.png || fail "another time shows the same"
expect 0 "" "$osiview" trace.osi --screenshot bird.png --size 333x217 --view bird --theme light
! cmp -s scene.png bird.png || fail "another view shows the same"
expect 0 "drawn from above by Qt's painter" env OSIVIEW_CANVAS=painter \
    "$osiview" trace.osi --screenshot painted.png --size 333x217
[ "$(size painted.png)" = 333x217 ] || fail "painted, a size of $(size painted.png)"
"$osiview" help | cmp - <("$osiview" --help) || fail "help is not --help"
expect 0 "" "$osiview" trace.osi --screenshot early.png --size 333x217 --time 0:00.4
cmp early.png later.png || fail "0:00.4 is not 0.4"
"$osiview" trace.osi --screenshot - --size 64x48 >piped.png 2>/dev/null
[ "$(size piped.png)" = 64x48 ] || fail "to standard output, a size of $(size piped.png)"
expect 0 "" "$osiview" trace.osi --screenshot window.png --window --size 900x600
[ ! -s err ] || fail "a warning: $(cat err)"
[ "$(size window.png)" = 900x600 ] || fail "of the window, a size of $(size window.png)"
expect 0 "" env QT_SCREEN_SCALE_FACTORS=2 QT_FONT_DPI=192 \
    "$osiview" trace.osi --screenshot scaled.png --window --size 900x600
[ "$(size scaled.png)" = 900x600 ] || fail "of the window on a screen of twice the scale, a size of $(size scaled.png)"

expect 1 "absent.osi: No such file or directory" "$osiview" absent.osi --screenshot none.png
expect 1 "absent.osi: No such file or directory" "$osiview" trace.osi absent.osi --screenshot none.png --window
expect 1 "window.png exists" "$osiview" trace.osi --screenshot window.png --window
expect 1 "absent/none.png" "$osiview" trace.osi --screenshot absent/none.png
expect 2 "is not a time" "$osiview" trace.osi --screenshot none.png --time soon
expect 1 "this trace has no calendar time" "$osiview" trace.osi --screenshot none.png --time 1970-01-01T00:00:00.2Z
expect 2 "--size: the window needs at least" "$osiview" trace.osi --screenshot none.png --window --size 200x150
expect 2 "is not the name of a PNG file" "$osiview" trace.osi --screenshot none.jpg
expect 2 "is not a size" "$osiview" trace.osi --screenshot none.png --size 10
expect 2 "needs a trace" "$osiview" --screenshot none.png
"$osiconvert" generate truth.osi --frames 2 --type gt --quiet
expect 0 "nothing is coloured by 'intensity'" \
    "$osiview" truth.osi --screenshot truth.png --size 64x48 --colour-by intensity
"$osiconvert" generate packed.osi.zst --frames 2000 --reflections 0 --quiet
head -c $(($(stat -c %s packed.osi.zst) / 2)) packed.osi.zst >cut.osi.zst
for window in "" --window; do
    expect 1 "cut.osi.zst" "$osiview" cut.osi.zst --screenshot none.png --time 100 $window
done
head -c 100 /dev/urandom >noise.osi
expect 1 "noise.osi" "$osiview" noise.osi --screenshot none.png
expect 1 "there is no display" "$osiview" trace.osi
expect 1 "could not connect to display :4711. Use --screenshot" env DISPLAY=:4711 "$osiview" trace.osi
[ "$(wc -l <err)" = 1 ] || fail "a display that is not there takes more than a line: $(cat err)"
# A part of Qt that is a package by itself is named.
! env QT_QPA_PLATFORM=wayland WAYLAND_DISPLAY=none "$osiview" trace.osi 2>err || fail "there is a display named none"
! grep -q "Could not find the Qt platform plugin" err || grep -q "Install qt6-wayland (Debian" err || fail "$(cat err)"
[ ! -e none.png ] || fail "a picture remains after an error"
[ "$(find . -name '*none*' -o -name '*.tmp' -o -name '*.part' | wc -l)" = 0 ] || fail "debris: $(ls)"
echo "all as expected"
