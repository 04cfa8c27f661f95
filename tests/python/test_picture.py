# SPDX-License-Identifier: MPL-2.0
"""Pictures and videos of traces, and what they say where something is missing."""

import io
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from PIL import Image, ImageChops

import ositrace
from ositrace import _picture, _programs

pytestmark = pytest.mark.skipif(
    not (Path(_programs._FOLDER) / "osiview").exists(), reason="osiview is not built"
)
SMALL = {"size": (320, 200)}


def generated(folder, *words):
    path = folder / "drive.osi"
    subprocess.run([_programs.path_of("osiconvert"), "generate", path, "--frames", "20", *words], check=True)
    return path


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    return generated(tmp_path_factory.mktemp("sv"), "--reflections", "500")


@pytest.fixture(scope="module")
def ground_truth_drive(tmp_path_factory):
    return generated(tmp_path_factory.mktemp("gt"), "--type", "gt")


def scene(picture):
    """The image below the caption, which names the file."""
    image = Image.open(io.BytesIO(picture.png)).convert("RGB")
    return image.crop((0, 40, *image.size))


def test_a_trace_has_pictures(drive, tmp_path):
    with ositrace.open(drive) as trace:
        first, later = trace.picture(**SMALL), trace.picture(0.5, **SMALL)
        above = trace.picture(0.5, view="bird", theme="light", **SMALL)
        assert first.size == (320, 200) and later._repr_png_() == later.png
        assert later.png.startswith(b"\x89PNG") and len({first.png, later.png, above.png}) == 3
        assert repr(later) == f"<Picture of {str(drive)!r} at 0.5 s, 320x200>"
        later.save(tmp_path / "p.png")
        assert (tmp_path / "p.png").read_bytes() == later.png
        with pytest.raises(ositrace.Error, match="overwrite=True"):
            later.save(tmp_path / "p.png")
        later.save(tmp_path / "p.png", overwrite=True)


def test_what_is_no_file_has_the_same_pictures(drive):
    contents = Path(drive).read_bytes()
    expected = scene(ositrace.open(drive).picture(0.5, **SMALL))
    for source in (contents, io.BytesIO(contents)):
        found = scene(ositrace.open(source, type="SensorView").picture(0.5, **SMALL))
        assert ImageChops.difference(found, expected).getbbox() is None


def test_a_channel_has_pictures_of_its_own(drive, ground_truth_drive, tmp_path):
    ositrace.convert([drive, ground_truth_drive], tmp_path / "both.mcap")
    both = ositrace.open(tmp_path / "both.mcap")
    pictures = [trace.picture(0.5, view="bird", **SMALL) for trace in (both, both["SensorView"], both["GroundTruth"])]
    assert len({picture.png for picture in pictures}) == 3


def test_a_frame_has_a_picture(drive):
    frame = ositrace.open(drive)[3]
    picture = frame.picture(theme="light", **SMALL)
    assert picture.size == (320, 200) and repr(picture) == "<Picture of frame 3, 320x200>"


def test_arguments_are_checked(drive):
    trace = ositrace.open(drive)
    with pytest.raises(TypeError, match=r"size=3: expected \(width, height\)"):
        trace.picture(size=3)
    with pytest.raises(ValueError, match="view='above': expected '3d' or 'bird'"):
        trace.picture(view="above")
    with pytest.raises(ValueError, match="time=-1"):
        trace.picture(-1)
    with pytest.raises(TypeError, match="time"):
        trace.picture("5")
    with pytest.raises(ositrace.Error, match="colour"):
        trace.picture(0.5, colour_by="no_such_field")


def test_a_video(drive, tmp_path, monkeypatch):
    trace = ositrace.open(drive)
    assert trace.video(tmp_path / "frames", time=(0, 0.5), fps=4, **SMALL) == 2
    assert len(list((tmp_path / "frames").glob("*.png"))) == 2
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ositrace.Error, match="ffmpeg, which encodes videos, is not in PATH") as raised:
        trace.video(tmp_path / "x.mp4", time=(0, 0.5), **SMALL)
    assert "\n" not in str(raised.value)
    encoder = tmp_path / "ffmpeg"
    encoder.write_text('#!/bin/sh\nfor last; do :; done\n/bin/cat >"${last#file:}"\n')
    encoder.chmod(encoder.stat().st_mode | stat.S_IXUSR)
    assert trace.video(tmp_path / "x.mp4", time=(0, 0.5), fps=10, **SMALL) == 5
    assert (tmp_path / "x.mp4").stat().st_size == 5 * 320 * 200 * 4
    with pytest.raises(ositrace.Error, match="exists"):
        trace.video(tmp_path / "x.mp4", time=(0, 0.5), **SMALL)


def test_without_qt_it_names_the_extra(drive, tmp_path, monkeypatch):
    """With programs that need libraries which no system has."""
    if not shutil.which("gcc"):
        pytest.skip("no compiler is here")
    for name, expected in (
        ("libQt6Core.so.6", "install 'ositrace[viewer]'"),
        ("libEGL.so.1", "osiview needs libEGL.so.1: as root, apt-get install libegl1"),
        ("libxcb-cursor.so.0", "apt-get install libxcb-cursor0"),
    ):
        folder = tmp_path / name / "bin"
        folder.mkdir(parents=True)
        (folder / "a.c").write_text("int f(void) { return 0; }")
        (folder / "m.c").write_text("int f(void); int main(void) { return f(); }")
        assert os.system(f"cd {folder} && gcc -shared -Wl,-soname,{name} -o {name} a.c && gcc -o osiview m.c {name}") == 0
        (folder / name).unlink()
        monkeypatch.setattr(_programs, "_FOLDER", folder)
        monkeypatch.setenv("LD_LIBRARY_PATH", "/nowhere")
        if _picture.why_no_viewer(opens_window=False) is None:
            continue  # the system has the library
        with pytest.raises(ositrace.Error) as raised:
            ositrace.open(drive).picture(**SMALL)
        assert expected in str(raised.value) and "\n" not in str(raised.value)
