# SPDX-License-Identifier: MPL-2.0
"""Pictures, videos and web pages of traces, which osiview draws without a display."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from . import _arguments, _ositrace, _programs
from ._error import Error
from ._ositrace import Frame, TraceHandle
from ._remote import refuse_remote
from ._trace import Frames, Trace, span_of
from ._writer import create

View = Literal["3d", "bird"]
Theme = Literal["dark", "light"]
Size = tuple[int, int]

#: What is drawn of the past: trails, and whether a channel still sends.
_SECONDS_BEFORE = 5.0

_NO_QT = "osiview needs Qt: {} install 'ositrace[viewer]'"

#: Debian's packages of what Qt needs of the system.
_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}


class Picture(_arguments.PublicNames):
    """A picture of a scene, as a PNG; a notebook shows it."""

    def __init__(self, png: bytes, text: str) -> None:
        self.png = png  #: the bytes of a file
        self._text = text

    @property
    def size(self) -> Size:
        """Width and height in pixels."""
        return int.from_bytes(self.png[16:20], "big"), int.from_bytes(self.png[20:24], "big")

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the PNG.

        >>> trace.picture(5.0).save("scene.png")
        """
        _arguments.flags(overwrite=overwrite)
        refuse_remote("path", path)
        try:
            with open(path, "wb" if overwrite else "xb") as file:
                file.write(self.png)
        except FileExistsError:
            name = os.fspath(path)
            raise Error(f"{name} exists. Use overwrite=True to replace it.", code="exists", file=name) from None

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<Picture of {self._text}, {self.size[0]}x{self.size[1]}>"


def picture_of_frame(frame: Frame, options: dict[str, Any]) -> Picture:
    """Frame.picture()."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "frame.mcap"
        frame.save(file)
        return _picture(str(file), [], options, f"frame {frame.index}")


def picture_of_trace(trace: Trace, time: float | None, options: dict[str, Any]) -> Picture:
    """Trace.picture()."""
    with _file_of(trace, time, time, 2 if time is None else None) as (file, words):
        words += [] if time is None else [f"--time={_seconds('time', time)}"]
        where = "" if time is None else f" at {time} s"
        return _picture(file, words, options, f"{trace.info.file!r}{where}")


def video_of_trace(
    trace: Trace,
    output: str | os.PathLike[str],
    time: tuple[float | None, float | None],
    fps: float,
    rate: float,
    overwrite: bool,
    options: dict[str, Any],
) -> int:
    """Trace.video()."""
    _arguments.number("fps", fps)
    _arguments.number("rate", rate)
    return _write_section(trace, "video", output, time, overwrite, [f"--fps={fps}", f"--rate={rate}"], options)


def page_of_trace(
    trace: Trace,
    output: str | os.PathLike[str],
    time: tuple[float | None, float | None],
    points: int,
    overwrite: bool,
) -> int:
    """Trace.page()."""
    if not isinstance(points, int) or points < 0:
        raise _arguments.wrong_type("points", points, "a number of points from 0")
    return _write_section(trace, "web", output, time, overwrite, [f"--points={points}"], {})


def _write_section(
    trace: Trace,
    option: str,
    output: str | os.PathLike[str],
    time: tuple[float | None, float | None],
    overwrite: bool,
    more: list[str],
    options: dict[str, Any],
) -> int:
    """Writes what `--video` or `--web` writes of a section; returns the number of frames."""
    _arguments.path("output", output)
    refuse_remote("output", output)
    _arguments.time_range("time", time)
    _arguments.flags(overwrite=overwrite)
    with _file_of(trace, *time) as (file, words):
        if time != (None, None):
            start, stop = ("" if bound is None else _seconds("time", bound) for bound in time)
            words.append(f"--time={start}..{stop}")
        words += [f"--{option}={os.fspath(output)}", *more, *(_words_of(**options) if options else [])]
        words += ["--overwrite"] if overwrite else []
        printed = _run_viewer(words + _programs.words(file))
    return int(match[0]) if (match := re.search(r"\d+", printed)) else 0


def _picture(file: str, words: list[str], options: dict[str, Any], text: str) -> Picture:
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "picture.png"
        _run_viewer([*words, *_words_of(**options), f"--screenshot={output}", *_programs.words(file)])
        return Picture(output.read_bytes(), text)


def _words_of(
    size: Size = (1280, 800), view: View | None = None, theme: Theme | None = None, colour_by: str | None = None
) -> list[str]:
    try:
        width, height = (int(one) for one in size)
    except (TypeError, ValueError):
        raise _arguments.wrong_type("size", size, "(width, height)") from None
    if view is not None:
        _arguments.choice("view", view, ("3d", "bird"))
    if theme is not None:
        _arguments.choice("theme", theme, ("dark", "light"))
    _arguments.text("colour_by", colour_by)
    given = {"size": f"{width}x{height}", "view": view, "theme": theme, "colour-by": colour_by}
    return [f"--{name}={value}" for name, value in given.items() if value is not None]


def _seconds(name: str, time: float) -> str:
    _arguments.number(name, time)
    if not 0 <= time < 9.2e9:  # a sign means from the end, or from the beginning
        raise ValueError(f"{name}={time}: expected seconds from 0")
    nanoseconds = round(time * 1e9)
    return f"{nanoseconds // 1_000_000_000}.{nanoseconds % 1_000_000_000:09}"


@contextmanager
def _file_of(
    trace: Trace, start: float | None, stop: float | None, most_frames: int | None = None
) -> Iterator[tuple[str, list[str]]]:
    """A file of what the trace selects, and options for it. Channels of a trace, and what is no file, are copied to one:
    what is drawn, or at most so many frames of each channel."""
    info = trace.info
    words = [f"--map={trace._handle.map_file}"] if trace._handle.map_file else []
    if len(trace.channels) == len(trace._handle.channels()) and os.path.isfile(info.file) and not trace.skipped:
        words += [] if info.several_channels else [f"--type={_ositrace.type_code(trace.channels[0].type)}"]
        yield info.file, words
        return
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, f"{Path(info.file).stem.strip('<>')[:100] or 'trace'}.mcap")  # the caption names it
        span = span_of(None if start is None else start - _SECONDS_BEFORE, stop)
        with create(file) as writer:
            for channel in trace._selected:
                frames = _frames_for(trace._handle, channel, trace._between(channel, span, carries=True), start)
                for frame in islice(frames, most_frames):
                    writer.write(frame, channel=frame.channel.topic)
        yield file, words


def _frames_for(handle: TraceHandle, channel: int, frames: Frames, start: float | None) -> Iterator[Frame]:
    """Of a channel: these frames, or the last one before them, and the next one, which says that there is more."""
    if not frames and start is not None:
        found = handle.frame_at(channel, round(start * 1e9))
        if found is not None:
            frames = Frames(handle, channel, range(found, found + 1), carries=True)
    yield from frames
    after = frames.numbers[-1] + 1 if frames else 0
    if after < handle.frame_count(channel):
        yield handle.frame(channel, after)


def _run_viewer(words: list[str]) -> str:
    """What osiview prints."""
    ended = subprocess.run(
        [_programs.path_of("osiview"), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if ended.returncode == 0:
        return ended.stdout
    lacks = why_no_viewer(opens_window=False)
    text = lacks or ended.stderr.strip().removeprefix("osiview: ") or f"osiview ended with {ended.returncode}"
    raise Error(text, code="unsupported" if lacks else "usage" if ended.returncode == 2 else "io")


def why_no_viewer(opens_window: bool) -> str | None:
    """What osiview lacks, and how to install it, in one line; None if it starts."""
    path = _programs.path_of("osiview")  # an Error where it is not in the package
    environment = {**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}
    qt = Path(path).parents[2] / "PyQt6/Qt6"
    if (Path(path).parent / "qt.conf").exists() and not (qt / "lib/libQt6Core.so.6").exists():
        return _NO_QT.format(_pip())  # also where the system has a Qt: its plugins are elsewhere
    plugin = qt / "plugins/platforms/libqxcb.so"
    if opens_window and plugin.exists():  # Qt loads it when it has connected to nothing else
        environment["LD_PRELOAD"] = str(plugin)
    listed = subprocess.run([path], env=environment, capture_output=True, text=True, check=False).stdout
    missing = sorted(set(re.findall(r"^\s*(\S+) => not found", listed, re.MULTILINE)))
    if any(name.startswith("libQt6") for name in missing):
        return _NO_QT.format(_pip())
    if not missing:
        return None
    packages = sorted({_PACKAGES.get(name) or _xcb_package(name) for name in missing})
    return f"osiview needs {', '.join(missing)}: as root, apt-get install {' '.join(packages)} (on Debian and Ubuntu)"


def _xcb_package(library: str) -> str:
    """`libxcb-cursor0` for `libxcb-cursor.so.0`."""
    name, _, version = library.partition(".so.")
    return name + version


def _pip() -> str:
    return "pip" if sys.prefix != sys.base_prefix else f"{sys.executable} -m pip"
