# SPDX-License-Identifier: MPL-2.0
"""Traces that are played into a model."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Union, cast, get_args

from . import _arguments, _ositrace, _programs
from ._error import Error, from_library, warn
from ._ositrace import Frame
from ._programs import Progress, ProgressOption
from ._remote import refuse_remote
from ._trace import TOLERANCE_NS, StaticData, Trace, span_of, open as open_trace
from ._writer import Writable, Writer, create

_SECONDS_OF_PROGRESS = 0.1

#: What a function returns: a message, several, messages by topic, or nothing.
Returned = Union[Writable, Iterable[Writable], Mapping[str, Writable], None]

#: A function, an FMU, or the dummy sensor.
Model = Union[Callable[[Frame], Returned], str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Lateness:
    """Seconds from the time at which a frame was due to its delivery. 0 without a rate."""

    mean: float
    p50: float
    p99: float
    max: float


@dataclass(frozen=True)
class PlayReport:
    """How punctual a replay was."""

    frames: int  #: that were played
    late: int  #: of these, more than 1 ms
    lost: int  #: dropped because the next frame was due (`drop_late`)
    lateness: Lateness
    seconds: float  #: by the clock
    cpu_percent: float | None  #: of one core; None for a replay that was too short


@dataclass(frozen=True)
class Played:
    """What a model returned, and how punctual it was."""

    outputs: Trace | None  #: None: the model returned no message
    report: PlayReport


def play(
    trace: Trace | str | os.PathLike[str],
    model: Model,
    *,
    rate: float | None = None,
    time: tuple[float | None, float | None] = (None, None),
    step_size: float | None = None,
    loop: int = 1,
    drop_late: bool = False,
    static: StaticData = "carry",
    skip_bad_frames: bool = False,
    record: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    type: str | None = None,
    set: Mapping[str, Any] | None = None,
    connect: Mapping[str, str] | None = None,
    timeout: float | None = None,
    in_process: bool = False,
    progress: ProgressOption = None,
) -> Played:
    """Play a trace into a model, frame by frame, and return what the model returns.

    Parameters
    ----------
    trace : Trace or path
        All channels of it, or those that `trace[topic]` selects. An FMU and the dummy sensor need a file.
    model : callable, path or "dummy"
        A function that takes a `Frame`, whose `time` is that of the step, and returns a message to write
        (`Writer.write()`), several, a mapping of topics to messages, or None; the path of an FMU; or the dummy sensor. A
        function is called in this thread.
    rate : float, optional
        Seconds of the trace in a second, 0.1 to 100; without one every frame follows at once.
    time : (float, float)
        Seconds; the second is excluded, None is open. A time up to 1 us before a bound counts as the bound.
    step_size : float, optional
        Seconds: at each step the last frame at or before it, instead of the frames at their times.
    loop : int
        Iterations. Their times go on, as a model sees them (`frame.time`); the messages keep their timestamps.
    drop_late : bool
        Drop a frame when the next one of its channel is due already.
    static : {"carry", "drop"}
        Give the first frame of a section the static data that frames before it sent.
    skip_bad_frames : bool
        Leave out frames that cannot be read, with a warning.
    record : path, optional
        Where the outputs are written; else into a temporary file that goes away with `Played.outputs`.
    overwrite : bool
        Replace an existing file.
    type : str, optional
        What a function returns as bytes.
    set, connect, timeout, in_process
        Of an FMU (`set` also of the dummy sensor), as for osiplay: parameters, the variables for topics, seconds that a
        step may take, and whether it runs in the process of osiplay.

    Raises
    ------
    Error
        What ends the replay before its end is raised: an exception of the function, a failure of an FMU, Ctrl-C. Then
        there is no recording, and an older file of its name is unchanged.

    >>> played = ositrace.play("drive.osi", "dummy", rate=10)
    >>> played.report.lateness.p99, len(played.outputs)
    """
    if not isinstance(trace, (Trace, str, os.PathLike)):
        raise _arguments.wrong_type("trace", trace, "a Trace or a path")
    if not callable(model) and not isinstance(model, (str, os.PathLike)):
        raise _arguments.wrong_type("model", model, 'a function, the path of an FMU, or "dummy"')
    _arguments.number("rate", rate)
    _arguments.number("step_size", step_size)
    _arguments.number("timeout", timeout)
    _arguments.time_range("time", time)
    _arguments.whole_number("loop", loop)
    _arguments.flags(
        drop_late=drop_late, skip_bad_frames=skip_bad_frames, overwrite=overwrite, in_process=in_process
    )
    _arguments.choice("static", static, get_args(StaticData))
    _arguments.path("record", record)
    refuse_remote("record", record)
    _arguments.text("type", type)
    _arguments.mapping("set", set, "names and values")
    _arguments.mapping("connect", connect, "topics and variables")
    if loop < 1:
        raise ValueError(f"loop={loop}: expected at least 1")
    if record is not None:
        _refuse_inputs(record, [trace.info.file if isinstance(trace, Trace) else trace, model])
    if callable(model):
        for name, given in (("set", set), ("connect", connect), ("timeout", timeout)):
            if given:
                raise ValueError(f"{name} is for an FMU or the dummy sensor, but the model is a function")
        with tempfile.TemporaryDirectory() as folder, _programs.shown(progress) as show:
            target = Path(folder) / "outputs.mcap" if record is None else record
            opened = trace if isinstance(trace, Trace) else open_trace(trace)
            steps = _Steps(opened, model, target, overwrite, type)
            options = (
                rate,
                *span_of(*time),
                None if step_size is None else round(step_size * 1e9),
                loop,
                drop_late,
                static == "carry",
                skip_bad_frames,
            )
            report = steps.play(options, show)
            return Played(open_trace(target) if steps.returned else None, report)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "outputs.mcap" if record is None else Path(record)
        words = ["--json", f"--sink={'dummy' if model == 'dummy' else 'fmu:' + os.fspath(model)}"]
        words += [f"--set={name}={_text(value)}" for name, value in (set or {}).items()]
        words += [f"--connect={topic}={variable}" for topic, variable in (connect or {}).items()]
        words += [] if timeout is None else [f"--timeout={timeout:.9f}"]
        words += ["--in-process"] if in_process else []
        words += [f"--rate={'max' if rate is None else repr(float(rate))}"]
        if time != (None, None):
            start, stop = ("" if bound is None else f"{bound:.9f}" for bound in time)
            words += [f"--time={start}..{stop}", f"--time-tolerance={TOLERANCE_NS / 1e9:.9f}"]
        words += [] if step_size is None else [f"--step-size={step_size:.9f}"]
        words += [f"--loop={loop}", f"--late={'drop' if drop_late else 'deliver'}", f"--static={static}"]
        words += ["--skip-bad-frames"] if skip_bad_frames else []
        path, selection = _file_of(trace)
        words += selection
        with _written_beside(target, overwrite) as beside:
            words.append(f"--sink=record:{beside}")
            outcome = _programs.run("osiplay", words + _programs.words(path), progress, {str(beside): str(target)})
            printed = outcome.result(several=False)
            returned = beside.exists()
        return Played(open_trace(target) if returned else None, _report_of(printed))


class _Steps:
    """Calls a function with frames, and writes what it returns."""

    def __init__(
        self,
        trace: Trace,
        model: Callable[[Frame], Returned],
        target: str | os.PathLike[str],
        overwrite: bool,
        type: str | None,
    ) -> None:
        self.returned = False
        self._frames = 0
        self._shown_at = monotonic()
        self._trace = trace
        self._model = model
        self._writer: Writer = create(target, overwrite=overwrite, type=type)

    def play(self, options: tuple[Any, ...], show: Callable[[Progress], object]) -> PlayReport:
        known = len(self._trace.skipped)
        self._show = show
        try:
            report = _ositrace.play(self._trace._handle, _pattern_of(self._trace), self._step, *options)
        except BaseException:
            self._writer.discard()
            raise
        if self.returned:
            self._writer.close()
        else:
            self._writer.discard()
        show(Progress(self._trace.info.file, report["frames"], None, 1.0))
        for place in self._trace.skipped[known:]:
            warn(place)
        return PlayReport(**{**report, "lateness": Lateness(**report["lateness"])})

    def _step(self, frame: Frame, now_ns: int) -> None:
        self._frames += 1
        if (now := monotonic()) - self._shown_at >= _SECONDS_OF_PROGRESS:
            self._shown_at = now
            self._show(Progress(self._trace.info.file, self._frames, None, None))
        returned = self._model(frame)
        if returned is None:
            return
        if isinstance(returned, Mapping):
            for topic, message in cast("Mapping[str, Writable]", returned).items():
                self._write(message, now_ns, topic)
        elif isinstance(returned, (list, tuple)):
            for message in returned:
                self._write(message, now_ns, None)
        else:
            self._write(returned, now_ns, None)

    def _write(self, message: Writable, now_ns: int, topic: str | None) -> None:
        has_times = self._writer._handle.several_channels
        self._writer.write(message, time_ns=now_ns if has_times else None, channel=topic)
        self.returned = True


def _refuse_inputs(record: str | os.PathLike[str], inputs: Iterable[object]) -> None:
    """Raises where a recording would replace what it is made of."""
    if not os.path.isfile(record):
        return
    for path in inputs:
        if isinstance(path, (str, os.PathLike)) and os.path.exists(path) and os.path.samefile(record, path):
            name, reason = os.fspath(record), "is also an input. Choose another output."
            raise Error(f"{name}: {reason}", code="usage", file=name, reason=reason)


@contextmanager
def _written_beside(target: Path, overwrite: bool) -> Iterator[Path]:
    """A name for osiplay, which also keeps a recording that has no end. A file of it gets its real name, unless the
    block ends with an exception."""
    exists = Error(f"{target} exists. Use overwrite=True to replace it.", code="exists", file=str(target))
    if os.path.lexists(target) and not overwrite:
        raise exists
    final = Path(os.path.realpath(target))
    if final.exists() and not final.is_file():
        yield final  # a pipe or a device, which has no older content
        return
    try:
        folder = tempfile.TemporaryDirectory(prefix=f".{final.name}.", dir=final.parent)
    except OSError as error:
        reason = str(error.strerror)
        code = "missing" if isinstance(error, FileNotFoundError) else "io"
        raise from_library(f"{target}: {reason}", reason, code, str(target), None, None, "") from None
    with folder as name:
        beside = Path(name) / final.name
        yield beside
        if not beside.exists():
            return
        try:
            os.link(beside, final)
        except FileExistsError:
            if not overwrite:
                raise exists from None  # another program made it meanwhile
            os.replace(beside, final)
        except OSError:  # a file system without links
            os.replace(beside, final)


def _file_of(trace: Trace | str | os.PathLike[str]) -> tuple[str, list[str]]:
    """The file, and options that select what the trace selects."""
    if not isinstance(trace, Trace):
        return os.fspath(trace), []
    info = trace.info
    if not os.path.exists(info.file):
        raise Error(f"{info.file}: an FMU and the dummy sensor play files only", code="unsupported", file=info.file)
    if info.several_channels:
        return info.file, [f"--topic={_pattern_of(trace)}"]
    return info.file, [f"--type={_ositrace.type_code(trace.channels[0].type)}"]


def _pattern_of(trace: Trace) -> str:
    """A regular expression of the topics of its channels."""
    quoted = ("".join("\\" + c if c in r"\^$.|?*+()[]{}" else c for c in channel.topic) for channel in trace.channels)
    return f"^({'|'.join(quoted)})$"


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _report_of(printed: Mapping[str, Any]) -> PlayReport:
    lateness = {name: int(nanoseconds) / 1e9 for name, nanoseconds in printed["lateness_ns"].items()}
    fields = {name: printed[name] for name in ("frames", "late", "lost", "seconds", "cpu_percent")}
    return PlayReport(**fields, lateness=Lateness(**lateness))
