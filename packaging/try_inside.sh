#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# What packaging/try.sh runs in a fresh system, as root. usage: try_inside.sh wheel|archive|debs
set -euo pipefail
cd /try
kind=$1
export DEBIAN_FRONTEND=noninteractive

# What a desktop has: without one, Qt needs it for pictures, and for windows.
of_pictures="libegl1 libgl1 libgl1-mesa-dri libglib2.0-0 libfontconfig1 libdbus-1-3 libxkbcommon0 fonts-dejavu-core"
of_windows="libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0
            libxcb-shape0 libxcb-xkb1 libx11-xcb1"

now() { date +%s.%N; }
# step TEXT COMMAND...: with its time; it ends here when it fails
step() {
    local text=$1 began
    shift
    began=$(now)
    "$@" >step.log 2>&1 || { echo "FAILED: $text: $*"; tail -30 step.log; exit 1; }
    printf '  %6.1f s  %s\n' "$(awk -v a="$began" -v b="$(now)" 'BEGIN { print b - a }')" "$text"
}
install() { apt-get -qq -o APT::Keep-Downloaded-Packages=true install --yes --no-install-recommends "$@"; }
fails_with() { # TEXT COMMAND...: it fails, in one line
    local text=$1
    shift
    ! "$@" >out.log 2>&1 && [ "$(wc -l <out.log)" = 1 ] && grep -q "$text" out.log || { cat out.log; return 1; }
}

step "apt-get update" apt-get -qq update
! command -v gcc cc c++ || { echo "there is a compiler"; exit 1; }

case $kind in
    wheel)
        wheel=$(ls /try/ositrace-*.whl)
        bin=/root/osi/bin
        step "apt-get install (what a desktop has, and python3-venv)" install python3-venv ca-certificates $of_pictures
        step "downloads of pip" sh -c "python3 -m venv /root/get && /root/get/bin/pip download -q -d /try/wheelhouse '${wheel}[viewer]'"
        # Without the extra it says what to install.
        step "without the extra" sh -c "python3 -m venv /root/plain && /root/plain/bin/pip install -q --no-index --find-links /try/wheelhouse '$wheel'"
        step "osiview without the extra names it" fails_with "pip install 'ositrace\[viewer\]'" /root/plain/bin/osiview --version
        echo "  three commands, without the downloads:"
        step "python3 -m venv ~/osi" python3 -m venv /root/osi
        step "pip install 'ositrace[viewer]' (without a network)" unshare -n $bin/pip install -q --no-index --find-links /try/wheelhouse 'ositrace[viewer]'
        ;;
    archive)
        step "apt-get install (what a desktop has)" install zstd $of_pictures
        step "unpack" sh -c 'mkdir -p /opt/some\ where && tar -C /opt/some\ where --zstd -xf /try/ositrace-*-linux-x86_64.tar.zst && ln -s /opt/some\ where/ositrace-*/ /root/osi'
        bin=/root/osi/bin
        ;;
    debs)
        step "apt-get install ./ositrace ./osiview ./ositrace-fmus ./libositrace-dev" install /try/ositrace_*.deb /try/osiview_*.deb \
            /try/ositrace-fmus_*.deb /try/libositrace-dev_*.deb libgl1-mesa-dri fonts-dejavu-core
        bin=/usr/bin
        ! command -v gcc c++ || { echo "there is a compiler"; exit 1; }
        ;;
esac
[ -f real.osi ] || $bin/osiconvert generate real.osi
step "osiview: a picture of a real trace" $bin/osiview real.osi --screenshot picture.png
step "generate" $bin/osiconvert generate drive.osi
step "convert" sh -c "$bin/osiconvert drive.osi -o drive.mcap && $bin/osiconvert proto2flat drive.osi && $bin/osiconvert diff drive.osi drive.osifb"
step "check" sh -c "$bin/osiconvert check drive.osi || [ \$? = 3 ]"
case $kind in
    wheel) dpkg-deb --extract /try/ositrace-fmus_*.deb fmus && fmu=$(ls fmus/usr/share/ositrace/fmu/fmi3/DummySensor.fmu) ;;
    archive) fmu=/root/osi/share/ositrace/fmu/fmi3/DummySensor.fmu ;;
    debs) fmu=/usr/share/ositrace/fmu/fmi3/DummySensor.fmu ;;
esac
step "replay into the dummy FMU" $bin/osiplay drive.osi --sink "fmu:$fmu" --sink record:seen.mcap
$bin/osiconvert info seen.mcap | grep -q SensorData
step "a picture of the window" $bin/osiview drive.mcap --time 5 --window --screenshot window.png
for file in picture.png window.png; do
    [ "$(wc -c <$file)" -gt 20000 ] || { echo "$file shows nothing"; exit 1; }
done

# A notebook cell: with the package, or with the programs alone.
step "apt-get install python3-venv" install python3-venv ca-certificates
python3 -c 'import sys; print("         Python", sys.version.split()[0])'
notebook=/root/notebook
[ $kind != wheel ] || notebook=/root/osi
[ -d $notebook ] || python3 -m venv $notebook
step "pip install nbclient ipykernel" $notebook/bin/pip install -q nbclient ipykernel
cat >cell.py <<'PYTHON'
import sys
import nbformat
from nbclient import NotebookClient

sources = {
    "wheel": ["import ositrace\nt = ositrace.open('drive.osi')", "t.picture(5.0)", "t[-1].picture(view='bird')"],
    "else": [
        "import subprocess; from IPython.display import Image",
        "subprocess.run([sys.argv[1] if False else BIN + '/osiview', 'drive.osi', '--time', '5', '--screenshot', 'cell.png',"
        " '--overwrite'], check=True); Image('cell.png')",
    ],
}
kind, folder = sys.argv[1:]
cells = [f"BIN = {folder!r}", *sources.get(kind, sources["else"])]
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
pictures = [out for cell in notebook.cells for out in cell.outputs if "image/png" in out.get("data", {})]
print(len(pictures), "pictures")
assert pictures and all(len(out["data"]["image/png"]) > 20_000 for out in pictures)
PYTHON
step "a notebook cell" $notebook/bin/python cell.py $kind $bin

step "apt-get install (what a window needs, and what clicks)" install xvfb xauth xdotool imagemagick $of_windows
step "a clicked window" bash /try/window.sh $bin/osiview /try/drive.osi /try/clicked.png

if [ $kind = wheel ]; then
    step "a video without ffmpeg says what is missing" fails_with "ffmpeg, which encodes videos, is not in PATH" \
        $bin/osiview drive.osi --time 2..3 --video x.mp4
    step "apt-get install pipx" install pipx
    step "pipx install" sh -c "pipx install --pip-args='--no-index --find-links /try/wheelhouse' '${wheel}[viewer]' || pipx install '${wheel}[viewer]'"
    step "pipx: a picture" /root/.local/bin/osiview drive.osi --time 5 --screenshot pipx.png
    step "pipx: a clicked window" bash /try/window.sh /root/.local/bin/osiview /try/drive.osi
    step "pip install uv" $notebook/bin/pip install -q uv
    step "uv tool install" env UV_TOOL_BIN_DIR=/root/uv $notebook/bin/uv tool install -q --no-index --find-links /try/wheelhouse "${wheel}[viewer]"
    step "uv: a picture" /root/uv/osiview drive.osi --time 5 --screenshot uv.png
    step "uv: a clicked window" bash /try/window.sh /root/uv/osiview /try/drive.osi
fi
if [ $kind = wheel ]; then
    step "pip install PyQt6-Qt6==6.5.3, the oldest that the extra allows" $bin/pip install -q PyQt6-Qt6==6.5.3
    step "with it: a picture" $bin/osiview drive.osi --time 5 --screenshot oldest.png
    step "with it: a clicked window" bash /try/window.sh $bin/osiview /try/drive.osi
fi
if [ $kind = debs ]; then
    step "desktop entry, MIME type and icon" sh -c 'apt-get -qq install --yes --no-install-recommends shared-mime-info desktop-file-utils libglib2.0-bin &&
        desktop-file-validate /usr/share/applications/osiview.desktop &&
        gio info -a standard::content-type drive.osi | grep -q application/x-osi-trace &&
        [ -f /usr/share/icons/hicolor/scalable/apps/osiview.svg ]'
fi
