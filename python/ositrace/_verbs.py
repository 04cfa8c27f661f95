# SPDX-License-Identifier: MPL-2.0
"""The verbs of osiconvert as functions."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, Union, get_type_hints, overload

from . import _arguments, _ositrace, _programs
from ._error import MissingFileError, unknown_name
from ._programs import ProgressOption
from ._remote import refuse_remote
from ._results import (
    Comparison,
    Difference,
    DifferingField,
    DifferingFrame,
    Extracted,
    FieldCount,
    Findings,
    Output,
    Recovered,
    Renaming,
    TrajectoryDifference,
    flat,
    row_of,
    timed_row_of,
)
from ._rows import Rows
from ._trace import TOLERANCE_NS

if TYPE_CHECKING:
    from typing_extensions import Unpack

Path = Union[str, os.PathLike[str]]
Paths = Union[Path, Iterable[Path]]
#: `(2, 5)`, `(None, 5)`, `slice(0, 10)`, half-open, or a text as on the command line: `+3:`, `-5:`.
Range = Union[str, slice, tuple[Any, Any]]
#: A number, or a text: `512M`.
Bytes = Union[int, str]
Seconds = Union[float, str]
T = TypeVar("T")

#: More than a program lists.
_ALL = 2**63 - 1


# The attributes are made by tests/option_tables.py --update.


class InputOptions(TypedDict, total=False):
    """How inputs are read."""

    type: str  #: message type of the input, if the content is ambiguous: sv|svc|gt|hvd|sd|tc|tcu|tu|mr|su
    #: encoding of the input instead of recognising it: protobuf|flatbuffers
    input_encoding: Literal["protobuf", "flatbuffers"]
    #: FlatBuffers layout of the input instead of recognising it: numbered|declared
    layout: Literal["numbered", "declared"]
    schema: Path  #: descriptor set of another OSI release, instead of the built-in schema
    max_message: Bytes  #: largest message accepted (default 512M; K, M, G: powers of 1024)


class SelectionOptions(InputOptions, total=False):
    """Which part of a trace is read."""

    #: frames from time A until before B: 3.5 (seconds), 90s, 1m, with A..B also 1:02:03.5; +T from the start, -T from
    #: the end, or RFC 3339
    time: Range
    #: a frame up to S seconds before A or B counts as being at it; half-step: half the median step of the trace
    time_tolerance: Seconds
    frames: Range  #: frames from number A until before B, counted from 0
    topic: str  #: channels whose topic has a match of this regular expression


class OutputOptions(InputOptions, total=False):
    """What is written."""

    #: container to write, if the name of the output does not state it: mcap|osi|osifb|txth|jsonl, the latter four also
    #: with .zst or .lz4
    to: str
    #: compression of MCAP chunks: none|lz4|zstd (default lz4; recover: that of the input)
    compression: Literal["none", "lz4", "zstd"]
    level: int  #: compression level: lz4 1 to 12 (default 1), zstd 1 to 22 (default 3)
    chunk_size: Bytes  #: size at which an MCAP chunk is closed (default 4M; K, M, G: powers of 1024)
    overwrite: bool  #: replace existing outputs
    threads: int  #: number of threads; 0 (default): one per core


class ConvertOptions(OutputOptions, total=False):
    """What is converted."""

    #: encoding to write, if the extension of the output does not determine it: protobuf|flatbuffers
    encoding: Literal["protobuf", "flatbuffers"]
    unpack_series: bool  #: the frames of IN are SensorDataSeries: write each SensorData in them as a frame
    topic: str  #: only channels whose topic matches
    rename: Mapping[str, str]  #: rename the topic of a channel
    #: add an entry to the metadata record net.asam.osi.trace (MCAP), instead of that of the inputs
    meta: Mapping[str, str]
    attach: Iterable[Path]  #: add a file, such as a map, as an attachment (MCAP)
    attach_map: Path  #: add an OpenDRIVE map (.xodr) as the channel /ground_truth_map of the omega-prime profile (MCAP)
    #: write GroundTruth and its map as a profile requires, and list what is missing (MCAP): omega-prime
    profile: Literal["omega-prime"]
    map: Path  #: the OpenDRIVE map (.xodr) for --profile, instead of the one in or beside the trace
    #: how far lines of an OpenDRIVE map may be from its curves, in metres (default 0.05, as OSI allows); more: fewer
    #: points
    map_deviation: float
    skip_bad_frames: bool  #: skip damaged frames and continue with the next intact one
    keep_empty: bool  #: keep empty messages that otherwise count as damage: at the end, many in a row, or FlatBuffers


class CutOptions(OutputOptions, total=False):
    """Which part is extracted."""

    #: frames from time A until before B: 3.5 (seconds), 90s, 1m, with A..B also 1:02:03.5; +T from the start, -T from
    #: the end, or RFC 3339
    time: Range
    #: a frame up to S seconds before A or B counts as being at it; half-step: half the median step of the trace
    time_tolerance: Seconds
    frames: Range  #: frames from number A until before B, counted from 0
    topic: str  #: channels whose topic has a match of this regular expression
    every: int  #: every N-th frame of each channel in the range
    #: carry (default): copy the static data of dropped frames into the first frame that is kept | drop
    static: Literal["carry", "drop"]


class SplitOptions(OutputOptions, total=False):
    """Where a piece ends."""

    every_frames: int  #: a piece has at most N frames of each channel
    every_seconds: Seconds  #: a piece has S seconds of OSI time
    #: a piece has at most this many bytes of messages (K, M, G: powers of 1024), but at least one frame
    every_bytes: Bytes
    channels: bool  #: one file for each OSI channel; with --to mcap for every channel, with metadata
    static: Literal["carry", "drop"]  #: carry (default): copy the static data of earlier frames into each piece | drop


class ExtractOptions(InputOptions, total=False):
    """How files are written."""

    overwrite: bool  #: replace existing outputs


class EditOptions(OutputOptions, total=False):
    """What is changed."""

    drop: Iterable[str]  #: leave out this field, or these elements
    keep: Iterable[str]  #: leave out all fields but this one
    #: set a field, and create the messages on the way to it: a number, true, an enumerator or a text
    set: Mapping[str, Any]
    round: Mapping[str, float]  #: round the real numbers at PATH and below
    shift_time: Seconds  #: move every point in time by S seconds, log times too: 2.5, -90s, 1m


class ResampleOptions(OutputOptions, total=False):
    """How messages are written at equal steps of time."""

    period: Seconds  #: time between two messages: 0.02 (seconds), 20ms


class StaticOptions(OutputOptions, total=False):
    """Which map `add` writes, and where."""

    map: Path  #: add: the OpenDRIVE map, instead of the one in or beside the trace
    #: how far lines of an OpenDRIVE map may be from its curves, in metres (default 0.05, as OSI allows); more: fewer
    #: points
    map_deviation: float
    into: Literal["first", "every"]  #: add: the frames that get the map: first (default) | every


class WrapOptions(OutputOptions, total=False):
    """What a ground truth does not state."""

    host: int  #: gt2sv: host_vehicle_id (default: that of each ground truth)
    sensor_id: int  #: gt2sv: sensor_id
    mounting: Sequence[float]  #: gt2sv: mounting_position: x,y,z,roll,pitch,yaw in metres and radians


class RecoverOptions(InputOptions, total=False):
    """What is saved."""

    #: container to write, if the name of the output does not state it: mcap|osi|osifb|txth|jsonl, the latter four also
    #: with .zst or .lz4
    to: str
    #: compression of MCAP chunks: none|lz4|zstd (default lz4; recover: that of the input)
    compression: Literal["none", "lz4", "zstd"]
    level: int  #: compression level: lz4 1 to 12 (default 1), zstd 1 to 22 (default 3)
    chunk_size: Bytes  #: size at which an MCAP chunk is closed (default 4M; K, M, G: powers of 1024)
    overwrite: bool  #: replace existing outputs
    keep_empty: bool  #: keep empty messages that otherwise count as damage: at the end, many in a row, or FlatBuffers


@overload
def convert(
    inputs: Paths, output: Path, *, progress: ProgressOption = None, **options: Unpack[ConvertOptions]
) -> Output: ...
@overload
def convert(
    inputs: Paths,
    *,
    out_dir: Path,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Unpack[ConvertOptions],
) -> list[Output]: ...
def convert(
    inputs: Paths,
    output: Path | None = None,
    *,
    out_dir: Path | None = None,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Any,
) -> Output | list[Output]:
    """Convert traces from any container and encoding to any other.

    The extension of the output decides: `.osi`, `.osifb`, `.txth`, `.jsonl`, each also with `.zst` or `.lz4`, `.mcap`.
    Several inputs become channels of one MCAP file; with `out_dir` each input, or each trace in a folder, becomes a
    file of its own, and `resume` skips those that are complete. Options: `ConvertOptions`.

    >>> ositrace.convert("drive.osi", "drive.mcap").frames

    Raises
    ------
    Error
        Nothing is written then. With `out_dir` a bad file does not stop the others: it is a warning, and the `error`
        of its row.
    """
    return _written(Output, "convert", [], inputs, output, out_dir, resume, progress, options, ConvertOptions)


@overload
def cut(inputs: Path, output: Path, *, progress: ProgressOption = None, **options: Unpack[CutOptions]) -> Output: ...
@overload
def cut(
    inputs: Paths,
    *,
    out_dir: Path,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Unpack[CutOptions],
) -> list[Output]: ...
def cut(
    inputs: Paths,
    output: Path | None = None,
    *,
    out_dir: Path | None = None,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Any,
) -> Output | list[Output]:
    """Extract a part of a trace, by time, frames or topic. Options: `CutOptions`.

    A time up to 1 us before a bound counts as the bound, unless `time_tolerance` says otherwise.

    Static data that only dropped frames have is copied into the first frame that is kept, unless `static="drop"`.

    >>> ositrace.cut("drive.osi", "part.osi", time=(2, 5))
    """
    return _written(Output, "cut", [], inputs, output, out_dir, resume, progress, options, CutOptions)


def concat(
    inputs: Iterable[Path],
    output: Path,
    *,
    retime: bool = False,
    progress: ProgressOption = None,
    **options: Unpack[OutputOptions],
) -> Output:
    """Append traces to one another, in the order of their times if they do not overlap.

    `retime` keeps the order given and shifts each to begin one step after the end of the one before.
    Times that jump back from one trace to the next are a warning.

    >>> ositrace.concat(["first.osi", "second.osi"], "both.osi", retime=True)
    """
    _arguments.flag("retime", retime)
    mode = ["--retime"] if retime else []
    return _one(Output, "concat", mode, inputs, output, progress, options, OutputOptions)


def split(
    input: Path, out_dir: Path, *, progress: ProgressOption = None, **options: Unpack[SplitOptions]
) -> list[Output]:
    """Split a trace into files with the standard's names, by frames, seconds, bytes or channels (`SplitOptions`).

    >>> [piece.output for piece in ositrace.split("drive.osi", "parts", every_seconds=60)]
    """
    given = _options("split", {**options, "out_dir": out_dir}, SplitOptions)
    printed = _run("split", given + _words(_one_path("input", input), "input"), progress).result(several=False)
    return [row_of(Output, file) for file in printed["files"]]


def extract(
    input: Path,
    out_dir: Path,
    names: Iterable[str] = (),
    *,
    progress: ProgressOption = None,
    **options: Unpack[ExtractOptions],
) -> list[Extracted]:
    """Write attachments and the map of a trace to files.

    Parameters
    ----------
    names : list of str, optional
        Of attachments, or `map`: the OpenDRIVE map in or beside the trace. Without names: all attachments, and the map
        of a channel.

    >>> [file.output for file in ositrace.extract("drive.mcap", "drive", ["map"])]
    """
    _arguments.texts("names", names, "names")
    given = _options("extract", {**options, "out_dir": out_dir}, ExtractOptions)
    words = [*_words(_one_path("input", input), "input"), *names]
    printed = _run("extract", given + words, progress).result(several=False)
    return [row_of(Extracted, file) for file in printed["files"]]


@overload
def edit(inputs: Path, output: Path, *, progress: ProgressOption = None, **options: Unpack[EditOptions]) -> Output: ...
@overload
def edit(
    inputs: Paths,
    *,
    out_dir: Path,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Unpack[EditOptions],
) -> list[Output]: ...
def edit(
    inputs: Paths,
    output: Path | None = None,
    *,
    out_dir: Path | None = None,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Any,
) -> Output | list[Output]:
    """Drop, keep, set or round fields of every message, and move its times, in one pass. Options: `EditOptions`.

    A path is that of a field of every element, `moving_object.base.velocity`, or of some: `moving_object[name=Ego]`.
    Everything else keeps its bytes. `Output.edits` has what was done, with the largest error of rounded numbers.

    >>> ositrace.edit("lidar.osi", "small.osi.zst", round={"lidar_sensor_view.reflection.signal_strength": 0.1}).edits
    """
    return _written(Output, "edit", [], inputs, output, out_dir, resume, progress, options, EditOptions)


@overload
def resample(
    inputs: Path, output: Path, *, progress: ProgressOption = None, **options: Unpack[ResampleOptions]
) -> Output: ...
@overload
def resample(
    inputs: Paths,
    *,
    out_dir: Path,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Unpack[ResampleOptions],
) -> list[Output]: ...
def resample(
    inputs: Paths,
    output: Path | None = None,
    *,
    out_dir: Path | None = None,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Any,
) -> Output | list[Output]:
    """Write messages at equal steps of time, `period=0.02`, with the poses of objects interpolated by id.

    Between two messages everything else is that of the earlier one. `Output.resampled` has what was interpolated.

    >>> ositrace.resample("drive.osi", "drive_50hz.osi", period=0.02).resampled
    """
    return _written(Output, "resample", [], inputs, output, out_dir, resume, progress, options, ResampleOptions)


@overload
def static(
    mode: Literal["expand", "compact", "add"],
    inputs: Path,
    output: Path,
    *,
    progress: ProgressOption = None,
    **options: Unpack[StaticOptions],
) -> Output: ...
@overload
def static(
    mode: Literal["expand", "compact", "add"],
    inputs: Paths,
    *,
    out_dir: Path,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Unpack[StaticOptions],
) -> list[Output]: ...
def static(
    mode: Literal["expand", "compact", "add"],
    inputs: Paths,
    output: Path | None = None,
    *,
    out_dir: Path | None = None,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Any,
) -> Output | list[Output]:
    """Write the map into every frame (`expand`), or only where it changes (`compact`), or `add` an OpenDRIVE map.

    >>> ositrace.static("expand", "drive.osi", "whole.osi")
    """
    return _written(Output, "static", [mode], inputs, output, out_dir, resume, progress, options, StaticOptions)


@overload
def wrap(
    mode: Literal["gt2sv", "sv2gt"],
    inputs: Path,
    output: Path,
    *,
    progress: ProgressOption = None,
    **options: Unpack[WrapOptions],
) -> Output: ...
@overload
def wrap(
    mode: Literal["gt2sv", "sv2gt"],
    inputs: Paths,
    *,
    out_dir: Path,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Unpack[WrapOptions],
) -> list[Output]: ...
def wrap(
    mode: Literal["gt2sv", "sv2gt"],
    inputs: Paths,
    output: Path | None = None,
    *,
    out_dir: Path | None = None,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Any,
) -> Output | list[Output]:
    """Wrap ground truths in sensor views (`gt2sv`; `WrapOptions`), or extract them (`sv2gt`).

    A host that is not a moving object of the ground truth is a warning.

    >>> ositrace.wrap("gt2sv", "drive.osi", "views.osi")
    """
    return _written(Output, "wrap", [mode], inputs, output, out_dir, resume, progress, options, WrapOptions)


@overload
def recover(
    inputs: Path, output: Path, *, progress: ProgressOption = None, **options: Unpack[RecoverOptions]
) -> Recovered: ...
@overload
def recover(
    inputs: Paths,
    *,
    out_dir: Path,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Unpack[RecoverOptions],
) -> list[Recovered]: ...
def recover(
    inputs: Paths,
    output: Path | None = None,
    *,
    out_dir: Path | None = None,
    resume: bool = False,
    progress: ProgressOption = None,
    **options: Any,
) -> Recovered | list[Recovered]:
    """Save the readable frames of a damaged trace. `Recovered.lost` has what was lost, and where.

    >>> ositrace.recover("damaged.osi", "saved.osi").lost.to_pandas()
    """
    return _written(Recovered, "recover", [], inputs, output, out_dir, resume, progress, options, RecoverOptions)


def rename(
    paths: Paths, *, apply: bool = False, progress: ProgressOption = None, **options: Unpack[InputOptions]
) -> Rows[Renaming]:
    """The names that the standard has for traces, from their content. `apply` renames, and never replaces a file.

    >>> [(row.path, row.name) for row in ositrace.rename("lake/")]
    """
    _arguments.flag("apply", apply)
    given = _options("rename", options, InputOptions) + (["--apply"] if apply else []) + _words(paths)
    printed = _run("rename", given, progress).result(_is_many(paths))
    return Rows(Renaming, [row_of(Renaming, file) for file in printed["files"]])


def check(
    paths: Paths,
    *,
    disable: Iterable[str] = (),
    rules: Path | None = None,
    profile: Literal["omega-prime"] | None = None,
    findings: int | None = 10,
    map: Path | None = None,
    progress: ProgressOption = None,
    **options: Unpack[InputOptions],
) -> Findings:
    """Find what does not conform to the standard, or cannot be correct, in files and folders.

    Parameters
    ----------
    disable : list of str
        Ids of rules that are not checked, in full or what follows the last colon.
    rules : path, optional
        Rules from a descriptor set with comments or a text file; `none` for no rules of OSI's comments.
    profile : str, optional
        Whose rules are checked, too: `omega-prime`.
    findings : int, optional
        How many of one id are listed for a file; None: all. Each has in `count` how many there are, as `counts` has it
        of every id.
    map : path, optional
        The OpenDRIVE map to compare with, instead of the one in or beside each trace.

    >>> ositrace.check("drive.osi", findings=None).to_pandas()

    Raises
    ------
    Error
        The file cannot be checked. With several files that is a warning, and in `notes`.
    """
    _arguments.texts("disable", disable, "ids")
    _arguments.whole_number("findings", findings, range(_ALL))
    if profile is not None:
        _arguments.choice("profile", profile, ("omega-prime",))
    given = _options("check", options, InputOptions) + [f"--disable={id}" for id in disable]
    given.append(f"--findings={_ALL if findings is None else findings}")
    given += [] if rules is None else [f"--rules={_path('rules', rules)}"]
    given += [] if map is None else [f"--map={_path('map', map)}"]
    given += [] if profile is None else [f"--profile={profile}"]
    return Findings(_run("check", given + _words(paths), progress).result(_is_many(paths)))


@overload
def diff(
    a: Path,
    b: Path,
    *,
    trajectory: Literal[True],
    time: Range | None = None,
    pair_by: Literal["id", "name"] = "id",
    progress: ProgressOption = None,
    **options: Unpack[InputOptions],
) -> Rows[TrajectoryDifference]: ...
@overload
def diff(
    a: Path,
    b: Path,
    *,
    tolerance: Mapping[str, float] | None = None,
    ignore: Iterable[str] = (),
    time: Range | None = None,
    time_tolerance: float | None = None,
    pair_by: Literal["id", "name"] = "id",
    carry_static: bool = False,
    list_frames: bool = False,
    differences: int | None = 1000,
    trajectory: Literal[False] = False,
    progress: ProgressOption = None,
    **options: Unpack[InputOptions],
) -> Comparison: ...
def diff(
    a: Path,
    b: Path,
    *,
    tolerance: Mapping[str, float] | None = None,
    ignore: Iterable[str] = (),
    time: Range | None = None,
    time_tolerance: float | None = None,
    pair_by: Literal["id", "name"] = "id",
    carry_static: bool = False,
    list_frames: bool = False,
    differences: int | None = 1000,
    trajectory: bool = False,
    progress: ProgressOption = None,
    **options: Unpack[InputOptions],
) -> Comparison | Rows[TrajectoryDifference]:
    """Compare two traces by content: frames paired by time, objects by id. Containers and encodings may differ.

    Parameters
    ----------
    tolerance : mapping of paths to numbers, optional
        How much the numbers at a path and below may differ: `{"moving_object.base.position": 0.001}`.
    ignore : list of str
        Paths that are not compared.
    time : (start, stop), optional
        Only frames of this range, as `between()` has it.
    pair_by : {"id", "name"}
        `name`: objects that have a name in a scenario are paired by it, the others by id.
    time_tolerance : float, optional
        Frames whose times differ by at most so many seconds are a pair; None: 1 us.
    carry_static : bool
        Compare each frame with the static data that it inherits from earlier ones.
    list_frames : bool
        List the frames that differ, in `Comparison.frames`.
    differences : int, optional
        How many are listed; None: all. `Comparison.difference_count` is how many there are.
    trajectory : bool
        Instead of fields, compare where the moving objects of two ground truths are: a row for each, with its lag and
        its errors along and across its heading.

    >>> bool(ositrace.diff("drive.osi", "drive.mcap", tolerance={"moving_object.base": 1e-9}))
    """
    _arguments.mapping("tolerance", tolerance, 'paths and numbers: {"moving_object.base": 1e-9}')
    for path, value in (tolerance or {}).items():
        _arguments.number(f'tolerance["{path}"]', value)
    _arguments.texts("ignore", ignore, "paths")
    _arguments.flags(carry_static=carry_static, list_frames=list_frames, trajectory=trajectory)
    _arguments.whole_number("differences", differences, range(_ALL))
    given = _options("diff", options, InputOptions) + [f"--ignore={path}" for path in ignore]
    given += [f"--tolerance={path}={float(value)!r}" for path, value in (tolerance or {}).items()]
    _arguments.choice("pair_by", pair_by, ("id", "name"))
    given += [] if pair_by == "id" else [f"--pair-by={pair_by}"]
    given += [] if time is None else [f"--time={_range_of('time', time, _seconds)}"]
    if time_tolerance is not None:
        _arguments.number("time_tolerance", time_tolerance)
        given.append(f"--time-tolerance={time_tolerance:.9f}")
    given += (["--carry-static"] if carry_static else []) + (["--list-frames"] if list_frames else [])
    files = _words([_one_path("a", a), _one_path("b", b)])
    if trajectory:
        if differences != 1000:
            raise ValueError("differences: trajectory=True compares no fields")
        printed = _run("diff", [*given, "--trajectory", *files], progress).result(several=False)
        return Rows(TrajectoryDifference, [row_of(TrajectoryDifference, flat(one)) for one in printed["objects"]])
    given.append(f"--differences={_ALL if differences is None else differences}")
    printed = _run("diff", given + files, progress).result(several=False)
    fields = Rows(DifferingField, [row_of(DifferingField, field) for field in printed["fields"]])
    return Comparison(
        **{name: printed[name] for name in ("same", "equal", "different", "only_in_a", "only_in_b")},
        fields=fields,
        differences=Rows(Difference, [timed_row_of(Difference, row) for row in printed["differences"]]),
        difference_count=printed["only_in_a"] + printed["only_in_b"] + sum(field.differences for field in fields),
        frames=Rows(DifferingFrame, [timed_row_of(DifferingFrame, row) for row in printed.get("frames", [])]),
    )


def stats(paths: Paths, *, progress: ProgressOption = None, **options: Unpack[SelectionOptions]) -> Rows[FieldCount]:
    """Count fields, their bytes, and values per frame. Options: `SelectionOptions`.

    >>> ositrace.stats("drive.osi").to_pandas().sort_values("bytes")
    """
    given = _options("stats", options, SelectionOptions)
    printed = _run("stats", given + _words(paths), progress).result(_is_many(paths))
    rows = []
    for file in printed["files"]:
        for channel in file["channels"]:
            place = {"file": file["path"], "topic": channel["topic"], "type": channel["type"]}
            for field in channel["fields"]:
                rows.append(row_of(FieldCount, {**field, **field["per_frame"], **place, "field": field["path"]}))
    return Rows(FieldCount, rows)


def _range_of(name: str, bounds: Range, form: Callable[[str, Any], str]) -> str:
    if isinstance(bounds, str):
        return bounds
    if isinstance(bounds, slice):
        if bounds.step is not None:
            raise ValueError(f"{name}={bounds}: a range has no step")
        bounds = (bounds.start, bounds.stop)
    if not isinstance(bounds, (list, tuple)) or len(bounds) != 2:
        raise _arguments.wrong_type(name, bounds, "(start, stop), where None is open, a slice or a text")
    return ":".join("" if bound is None else form(f"{name}: bound", bound) for bound in bounds)


def _seconds(name: str, value: float | str) -> str:
    if isinstance(value, str):
        return value
    _arguments.number(name, value)
    return f"{float(value):.9f}"


def _whole_number(name: str, value: int) -> str:
    _arguments.whole_number(name, value)
    return str(value)


def _bytes(name: str, value: int | str) -> str:
    return value if isinstance(value, str) else _whole_number(name, value)


def _text(name: str, value: str) -> str:
    _arguments.text(name, value)
    return value


def _flag(name: str, value: bool) -> bool:
    _arguments.flag(name, value)
    return value


def _path(name: str, value: Path) -> str:
    _arguments.path(name, value)
    refuse_remote(name, value)
    return os.fspath(value)


def _pairs(name: str, value: Mapping[str, str]) -> list[str]:
    _arguments.mapping(name, value, "texts")
    return [f"{key}={text}" for key, text in value.items()]


def _texts(name: str, words: Iterable[str]) -> list[str]:
    _arguments.texts(name, words, "paths")
    return list(words)


def _items(name: str, values: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    if not isinstance(values, Mapping):
        raise _arguments.wrong_type(name, values, "a dict of paths and values")
    return values.items()


def _value(name: str, path: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int)):
        return str(value)
    _arguments.number(f'{name}["{path}"]', value)
    return repr(float(value))


def _step(name: str, path: str, value: float) -> str:
    _arguments.number(f'{name}["{path}"]', value)
    return repr(float(value))


def _mounting(name: str, value: Sequence[float]) -> str:
    expected = "six numbers: x, y, z in metres, roll, pitch, yaw in radians"
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable) or len(pose := list(value)) != 6:
        raise _arguments.wrong_type(name, value, expected)
    for one in pose:
        _arguments.number(name, one)
    return ",".join(repr(float(one)) for one in pose)


#: How the values of options are checked, and written on the command line: by name, else by what they are.
_FORMS: dict[Any, Callable[[str, Any], Any]] = {
    "frames": lambda name, bounds: _range_of(name, bounds, _whole_number),
    "out_dir": _path,
    "output": _path,
    "resume": _flag,
    "set": lambda name, values: [f"{path}={_value(name, path, one)}" for path, one in _items(name, values)],
    "round": lambda name, steps: [f"{path}={_step(name, path, one)}" for path, one in _items(name, steps)],
    "type": lambda name, value: _ositrace.type_code(_text(name, value)),
    bool: _flag,
    int: _whole_number,
    str: _text,
    Bytes: _bytes,
    Iterable[str]: lambda name, words: _texts(name, words),
    Iterable[Path]: lambda name, files: [os.fspath(file) for file in _arguments.paths(files, name)],
    Mapping[str, str]: _pairs,
    Path: _path,
    Range: lambda name, bounds: _range_of(name, bounds, _seconds),
    Seconds: _seconds,
    Sequence[float]: _mounting,
}


def _options(verb: str, given: Mapping[str, Any], known: Any) -> list[str]:
    kinds = get_type_hints(known)
    own = [name for name, one in inspect.signature(globals()[verb]).parameters.items() if one.kind != one.VAR_KEYWORD]
    for name in given:
        if name not in kinds and name not in own:
            raise TypeError(f"{verb}(): {unknown_name(name, 'option', [*kinds, *own]).text}")
    if given.get("time") is not None:
        given = {"time_tolerance": TOLERANCE_NS / 1e9, **given}
    forms = {name: _FORMS.get(name) or _FORMS.get(kinds[name], _text) for name in given}
    return ["--json", *_programs.options(given, {name: partial(form, name) for name, form in forms.items()})]


def _is_many(paths: Paths) -> bool:
    return not isinstance(paths, (str, os.PathLike)) or os.path.isdir(paths)


def _one_path(name: str, value: Path) -> Path:
    if value is None:
        raise _arguments.wrong_type(name, value, "a path")
    _arguments.path(name, value)
    return value


def _words(paths: Paths, name: str = "paths") -> list[str]:
    listed = _arguments.paths(paths, name)
    if not listed:
        raise ValueError(f"{name}: the list of paths is empty" if name != "paths" else "the list of paths is empty")
    if "" in listed:
        raise MissingFileError(f"{name}='': No such file or directory", code="missing", file="")
    for one in listed:
        refuse_remote(name, one)
    return _programs.words(*listed)


def _run(verb: str, arguments: list[str], progress: ProgressOption) -> _programs.Outcome:
    return _programs.run("osiconvert", [verb, *arguments], progress)


def _one(
    kind: type[T],
    verb: str,
    mode: list[str],
    inputs: Paths,
    output: Path,
    progress: ProgressOption,
    options: Mapping[str, Any],
    known: Any,
) -> T:
    given = _options(verb, {**options, "output": output}, known)
    printed = _run(verb, given + mode + _words(inputs, "inputs"), progress).result(several=False)
    return row_of(kind, printed["files"][0])


def _written(
    kind: type[T],
    verb: str,
    mode: list[str],
    inputs: Paths,
    output: Path | None,
    out_dir: Path | None,
    resume: bool,
    progress: ProgressOption,
    options: Mapping[str, Any],
    known: Any,
) -> T | list[T]:
    if output is not None and out_dir is None and not resume:
        return _one(kind, verb, mode, inputs, output, progress, options, known)
    if output is not None or out_dir is None:
        raise TypeError(f"{verb}() needs either an output or out_dir; resume belongs to out_dir")
    given = _options(verb, {**options, "out_dir": out_dir, "resume": resume}, known)
    printed = _run(verb, given + mode + _words(inputs, "inputs"), progress).result(several=True)
    return [row_of(kind, file) for file in printed["files"]]
