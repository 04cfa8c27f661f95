# SPDX-License-Identifier: MPL-2.0
"""Traces and ranges of their frames."""

from __future__ import annotations

import builtins
import copyreg
import functools
import heapq
import io
import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple, Optional, Union, get_args, overload

from . import _arguments, _html, _ositrace
from ._error import ChannelError, Error, MissingFileError, unknown_name
from ._fields import FieldPath, made_path
from ._ositrace import Batch, Channel, Frame, Message, TablePlan, TrafficPlan
from ._remote import RemoteFile, StorageOptions, is_remote, refuse_remote
from ._rows import counted
from ._table import Table, Tables, TimeRange, TrafficColumns, Wanted

if TYPE_CHECKING:
    from ._picture import Picture

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]

#: What becomes of static data, such as a map, that a trace sends only once.
StaticData = Literal["carry", "drop"]

#: Times are compared with this tolerance, because stamps are often one off: 14.255999999 is meant to be 14.256.
TOLERANCE_NS = 1_000
MOST_SECONDS = 9.2e9  # nanoseconds have 64 bits
_INT64 = range(-(2**63), 2**63)
_LONGEST_PATH = 4096

#: From, and to before, in nanoseconds; None is open.
Span = tuple[Optional[int], Optional[int]]
_ANY_TIME: Span = (None, None)


def open(
    source: Source,
    topic: str | None = None,
    type: str | None = None,
    schema: str | os.PathLike[str] | bytes | None = None,
    errors: Literal["raise", "skip"] = "raise",
    storage_options: StorageOptions | None = None,
    map: str | os.PathLike[str] | None = None,
) -> Trace:
    """Open a trace. Frames are read when they are asked for.

    Parameters
    ----------
    source : path, bytes or binary file object
        Container, compression, encoding and message type are recognised by content. A file object that cannot seek is
        read to its end. A text trace (`.txth`, `.jsonl`) is a path, and is converted in memory first. A URL, as
        `s3://bucket/drive.mcap`, is an object of a store, which the package obstore reads in ranges.
    topic : str, optional
        Selects the channel of this topic, as `trace[topic]` does.
    type : str, optional
        `GroundTruth`, `osi3.GroundTruth` or `gt`: what the messages are, where the content does not say; in a file of
        several channels it selects those of this type.
    schema : path or bytes, optional
        A serialized FileDescriptorSet of another OSI release than the built-in one.
    errors : {"raise", "skip"}
        What to do with damaged frames; `Trace.skipped` says what was left out.
    storage_options : dict, optional
        Of a URL: what `obstore.store.from_url()` takes, as `{"endpoint": ..., "access_key_id": ...}`; else the
        environment says it.
    map : path, optional
        An OpenDRIVE map (`.xodr`) for a trace without lanes: `trace.map` is it, instead of the one in or beside the
        trace, and `static="carry"` adds it.

    Raises
    ------
    Error
        With file, frame and byte; a missing file is also a FileNotFoundError, an unknown topic also a KeyError.

    >>> with ositrace.open("drive.osi") as trace:
    ...     print(len(trace), trace[0].time)
    """
    _arguments.choice("errors", errors, ("raise", "skip"))
    if isinstance(source, io.TextIOBase):
        raise TypeError("source: the file is open as text; open it with mode 'rb'")
    if not isinstance(source, (str, os.PathLike, bytes, bytearray, memoryview)) and not hasattr(source, "read"):
        raise _arguments.wrong_type("source", source, "a path, bytes or a binary file object")
    if not isinstance(schema, (str, os.PathLike, bytes, builtins.type(None))):
        raise _arguments.wrong_type("schema", schema, "a path or bytes")
    _arguments.text("topic", topic)
    _arguments.text("type", type)
    if map is not None:
        _arguments.path("map", map)
        refuse_remote("map", map)
    if source == "":
        raise MissingFileError("source='': No such file or directory", code="missing", file="")
    opened = _Opened(source, type, schema, errors, storage_options, map)
    try:
        trace = opened.open()
    except Error as error:
        if isinstance(source, bytes) and len(source) < _LONGEST_PATH and os.path.exists(source):
            raise TypeError(f"source={source!r}: bytes are the contents of a trace, a path is a str") from error
        raise
    if topic is not None:
        trace = trace[topic]
    if type is not None and trace.info.several_channels:
        trace = trace.of_type(type)
    return trace


def open_unless_text(file: Any, type: str | None, schema: Any, skip: bool) -> Trace | None:
    """None: it is text, which the program reads. For the package itself."""
    handle = _ositrace.open(file, type=type, schema=schema, skip=skip, far=isinstance(file, RemoteFile))
    return None if handle is None else _trace_of(handle)


def _trace_of(handle: _ositrace.TraceHandle, left_out: Sequence[str] = (), opened: _Opened | None = None) -> Trace:
    return Trace(handle, range(len(handle.channels())), left_out, opened)


@dataclass(frozen=True)
class _Opened:
    """How a trace was opened: a pickled one is opened again by it."""

    source: Any
    type: str | None
    schema: Any
    errors: Literal["raise", "skip"]
    storage_options: StorageOptions | None
    map: str | os.PathLike[str] | None

    def open(self) -> Trace:
        """All channels."""
        remote = is_remote(self.source)
        file: Any = RemoteFile(str(self.source), self.storage_options) if remote else self.source
        trace = open_unless_text(file, self.type, self.schema, self.errors == "skip")
        if trace is None:
            from ._text import open_text  # which needs this module

            trace = _trace_of(*open_text(file, self.type, self.schema, self.errors == "skip"))
        handle = trace._handle if self.map is None else trace._handle.with_map(self.map)
        has_path = isinstance(self.source, (str, os.PathLike))
        return _trace_of(handle, trace._left_out, self if has_path else None)

    def pickled(self) -> _Opened:
        """For another process, which may be in another folder."""
        files: dict[str, Any] = {
            name: os.path.abspath(value)
            for name in ("source", "schema", "map")
            if isinstance(value := getattr(self, name), (str, os.PathLike)) and not is_remote(value)
        }
        return replace(self, **files)


def _again(opened: _Opened, kind: builtins.type[Trace], selected: Sequence[int]) -> Trace:
    """A pickled trace."""
    trace = opened.open()
    handle = trace._handle.map() if kind is Map else trace._handle
    if handle is None:
        raise Error(f"{opened.source}: the map is not there any more", code="missing", file=str(opened.source))
    return kind(handle, selected, trace._left_out, opened)


@dataclass(frozen=True)
class TraceInfo:
    """What is known of a trace before its frames are read."""

    file: str
    container: str  #: `length-prefixed`, `mcap`; of a text trace that of what it was converted to
    several_channels: bool  #: can a file of this kind have several channels?
    chunks: bool  #: are frames compressed in chunks?
    compression: str  #: of the whole file: `none`, `zstd`, `lz4`, `gzip`, `xz`
    chunk_compression: str  #: MCAP: `none`, `lz4`, `zstd`; empty without chunks
    profile: str  #: MCAP: of the header
    library: str  #: MCAP: the program that wrote the file


class Share(NamedTuple):
    """From `start / whole` to `stop / whole` of some frames. Two shares that meet have no frame in common."""

    start: int
    stop: int
    whole: int

    def of(self, numbers: Sequence[int]) -> Sequence[int]:
        return numbers[len(numbers) * self.start // self.whole : len(numbers) * self.stop // self.whole]


class _Fields:
    """The fields of the messages, as attributes; Tab completes them, and `table()` takes them as paths."""

    # No property: what completes names in notebooks believes the annotation of a property, and evaluates this.

    @overload
    def __get__(self, trace: None, owner: type[Trace]) -> _Fields: ...
    @overload
    def __get__(self, trace: Trace, owner: type[Trace]) -> FieldPath: ...
    def __get__(self, trace: Trace | None, owner: type[Trace]) -> FieldPath | _Fields:
        return self if trace is None else trace._fields()


class Trace(Tables[Table]):
    """An open trace, or some channels of one. A context manager; frames outlive it.

    `len(trace)`, `trace[i]`, slices and `at()` need one channel: select it by `trace[topic]` or `trace[type]`. A channel
    with the map of the trace does not count, and its messages are no frames, unless it is selected (`Channel.is_map`).
    """

    def __init__(
        self,
        handle: _ositrace.TraceHandle,
        channels: Sequence[int],
        left_out: Sequence[str] = (),
        opened: _Opened | None = None,
    ) -> None:
        self._handle = handle
        self._selected = tuple(channels)
        self._left_out = left_out  # before the handle was made
        self._opened = opened
        self._name = str(handle.info()["file"])

    @property
    def info(self) -> TraceInfo:
        """Container, compression and the program that wrote the file."""
        return TraceInfo(**self._handle.info())

    @property
    def _with_frames(self) -> tuple[int, ...]:
        """The selected channels without those of maps; of maps alone all."""
        channels = self._handle.channels()
        return tuple(i for i in self._selected if not channels[i].is_map) or self._selected

    @property
    def channels(self) -> list[Channel]:
        """The channels that are selected; at first all, also one with the map."""
        channels = self._handle.channels()
        return [channels[i] for i in self._selected]

    @property
    def metadata(self) -> dict[str, dict[str, str]]:
        """Records of the whole trace, by name; of several with one name the last, `metadata_records` has all. OSI's is
        `net.asam.osi.trace`.
        """
        return dict(self._handle.metadata())

    @property
    def metadata_records(self) -> list[tuple[str, dict[str, str]]]:
        """Records of the whole trace, name and entries, in the order of the file; several may have one name."""
        return self._handle.metadata()

    @property
    def map(self) -> Map | None:
        """The OpenDRIVE map that was given to `open()`, or else that in or beside the trace (a map channel, an attachment,
        the file that `map_reference` names, the `.xodr` with the name of the trace); None where there is none.

        It is found and read when it is first asked for. A map that does not fit is a UserWarning.

        >>> trace.map.lanes().to_pandas(), len(trace.map.lane)
        """
        handle = self._handle.map()
        return None if handle is None else Map(handle, range(1), (), self._opened)

    @property
    def skipped(self) -> list[str]:
        """What `errors="skip"` has left out so far: a line for each place."""
        return [*self._left_out, *self._handle.skipped()]

    def catalog_entry(self) -> tuple[list[dict[str, Any]], list[tuple[int | None, int, int | None]], str | None]:
        """What `catalog()` says of the file: channels, places, and what is damaged. For the package itself."""
        return self._handle.catalog_entry()

    def stats(self, full: bool = False) -> list[dict[str, Any]]:
        """Frames, bytes, times, rate and OSI versions of each channel.

        Content is read from the first, the middle and the last frame; `full` reads every frame.
        """
        _arguments.flag("full", full)
        summaries = self._handle.summary(full)
        return [summaries[i] for i in self._selected]

    @property
    def closed(self) -> bool:
        """Has `close()` been called?"""
        return self._handle.closed

    def close(self) -> None:
        """Release the file. Frames stay valid, and iterators and `batches()` that have begun go on to their end.
        Everything else raises ValueError from now on.
        """
        self._handle.close()

    def __enter__(self) -> Trace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self._handle.frame_count(self._one_channel("len()"))

    def __bool__(self) -> bool:
        return True  # as without __len__

    def __iter__(self) -> Iterator[Frame]:
        """Frames of the selected channels, in the order of the file: MCAP by log time. Maps are no frames."""
        return self._handle.all_frames(list(self._with_frames))

    @overload
    def __getitem__(self, key: int) -> Frame: ...
    @overload
    def __getitem__(self, key: slice) -> Frames: ...
    @overload
    def __getitem__(self, key: str) -> Trace: ...
    def __getitem__(self, key: int | slice | str) -> Frame | Frames | Trace:
        if isinstance(key, str):
            return self._select(key)
        if not isinstance(key, slice) and not hasattr(key, "__index__"):
            raise TypeError(f"trace[{key!r}]: expected a number, a slice, a topic or a type")
        return self._all_frames("an index")[key]

    def at(self, time: float, *, static: StaticData = "drop") -> Frame:
        """The last frame at or before a time in seconds; 1 us of tolerance.

        A trace whose times go backward has none, which is an Error.

        With `static="carry"` the frame has the map and other static data, too, that only frames before it have; for
        that all frames before it may be read.

        Raises
        ------
        LookupError
            There is none.
        Error
            The time of a frame beside it cannot be read.

        >>> trace.at(5.0).time, len(trace.at(5.0, static="carry").message.lane)
        """
        channel = self._one_channel("at()")
        found = self._handle.frame_at(channel, _nanoseconds(time, TOLERANCE_NS))
        if found is None:
            raise LookupError(f"{self._name}: no frame at or before {time} s")
        return Frames(self._handle, channel, range(found, found + 1), _carries(static))[0]

    def between(
        self, start: float | None = None, stop: float | None = None, *, static: StaticData = "drop"
    ) -> Frames | MergedFrames:
        """Frames with `start <= time < stop`, in seconds; None is open. A time up to 1 us before a bound counts
        as the bound.

        A frame without a timestamp has its log time, or belongs to the frame before it. Where times go backward, all
        frames of the range are found, as by a filter of all frames.

        With `static="carry"` the first frame of each channel has the static data, too, that only frames before the
        range have.

        >>> [frame.time for frame in trace.between(2, 2.5)]
        """
        span = span_of(start, stop)
        ranges = [self._between(channel, span, _carries(static)) for channel in self._with_frames]
        return ranges[0] if len(ranges) == 1 else MergedFrames(ranges)

    def picture(
        self,
        time: float | None = None,
        *,
        size: tuple[int, int] = (1280, 800),
        view: Literal["3d", "bird"] | None = None,
        theme: Literal["dark", "light"] | None = None,
        colour_by: str | None = None,
    ) -> Picture:
        """A picture of the scene at a time, drawn by osiview without a display; a notebook shows it.

        It shows the last message of each channel at or before the time, with the map of earlier ones.

        Parameters
        ----------
        time : float, optional
            Seconds; else the first messages.
        size : (int, int)
            Width and height in pixels.
        view, theme, colour_by : str, optional
            `"3d"` or `"bird"`; `"dark"` or `"light"`; the field that colours points. As osiview has them.

        Raises
        ------
        Error
            Without the extra `viewer` it says what to install.

        >>> trace.picture(5.0).save("scene.png")
        """
        from ._picture import picture_of_trace  # which starts programs

        options = {"size": size, "view": view, "theme": theme, "colour_by": colour_by}
        return picture_of_trace(self, time, options)

    def video(
        self,
        output: str | os.PathLike[str],
        *,
        time: tuple[float | None, float | None] = (None, None),
        fps: float = 30,
        rate: float = 1,
        size: tuple[int, int] = (1280, 800),
        view: Literal["3d", "bird"] | None = None,
        theme: Literal["dark", "light"] | None = None,
        colour_by: str | None = None,
        overwrite: bool = False,
    ) -> int:
        """Write a video of the scene, drawn by osiview without a display; returns the number of its frames.

        Parameters
        ----------
        output : path
            `.mp4`, `.mkv`, `.mov` or `.webm`, which ffmpeg encodes, or a folder of PNG files.
        time : (float, float)
            Seconds; the second is excluded, None is open.
        fps, rate : float
            Frames per second of the video, and seconds of the trace in one.

        The other parameters are those of `picture()`.

        >>> trace.video("drive.mp4", time=(2, 5))
        """
        from ._picture import video_of_trace  # which starts programs

        options = {"size": size, "view": view, "theme": theme, "colour_by": colour_by}
        return video_of_trace(self, output, time, fps, rate, overwrite, options)

    def page(
        self,
        output: str | os.PathLike[str],
        *,
        time: tuple[float | None, float | None] = (None, None),
        points: int = 0,
        overwrite: bool = False,
    ) -> int:
        """Write one web page that plays the trace in any browser, without a network; returns the number of its frames.

        Positions on it are rounded to 1 cm, angles to 0.1 degrees, speeds to 0.01 m/s.

        Parameters
        ----------
        output : path
            `.html`
        time : (float, float)
            Seconds; None is open.
        points : int
            Points of each sensor per frame, at most; 0: none.

        >>> trace.page("drive.html", time=(2, 5))
        """
        from ._picture import page_of_trace  # which starts programs

        return page_of_trace(self, output, time, points, overwrite)

    fields = _Fields()

    def _fields(self) -> FieldPath:
        channel = self._handle.channels()[self._one_channel("fields")]
        return made_path(channel, _ositrace.channel_descriptor(channel))

    def _ipython_key_completions_(self) -> list[str]:
        """What Tab completes in `trace["`."""
        channels = self.channels
        types = sorted({c.type.rpartition(".")[2] for c in channels})
        return list(dict.fromkeys([*(c.topic for c in channels), *types]))

    def _repr_html_(self) -> str:
        if self.closed:
            return _html.table(f"Trace {self._name}, closed", (), ())
        info = self.info
        kind = ", ".join(
            part for part in (info.container, info.compression, info.chunk_compression) if part not in ("", "none")
        )
        rows = [(c.topic, c.type, c.encoding) for c in self.channels]
        return _html.table(f"Trace {self._name}: {kind}", ("topic", "type", "encoding"), rows)

    def _table(self, wanted: Wanted, time: TimeRange | None) -> Table:
        if len(self._with_frames) != len(self._selected):
            return Trace(self._handle, self._with_frames, self._left_out, self._opened)._table(wanted, time)
        channels = self.channels
        if isinstance(wanted, TrafficColumns) and len(channels) != 1:
            fitting = [i for i, channel in enumerate(channels) if wanted.fits(channel)]
            if len(fitting) == 1:
                return self.of_channel(fitting[0])._table(wanted, time)
        if len(channels) != 1:
            return self._table_of_channels(wanted, time)
        plan = wanted.plan(channels[0])

        def read(batch_bytes: int) -> Iterator[Batch]:
            return self.read_table(plan, time, batch_bytes)

        def narrow(columns: Sequence[str]) -> Table:
            return self._table(wanted.narrowed(channels[0], columns), time)

        return Table(plan, plan.schema, f"{plan.type} in {self._name!r}", read, narrow)

    def _table_of_channels(self, wanted: Wanted, time: TimeRange | None) -> Table:
        """The rows of each channel that has them, with the column `channel`, as `scan()` has it."""
        plans, refused = [], None
        for place, channel in enumerate(self.channels):
            try:
                if wanted.fits(channel):
                    plans.append((self.of_channel(place), channel, wanted.plan(channel, some=True)))
            except Error as error:
                refused = refused or error
        if not plans:
            raise refused or self._no_channel(wanted)
        _, channel_of_plan, plan = max(plans, key=lambda one: len(one[2].columns))
        plan = wanted.plan(channel_of_plan)  # a column that no channel has is refused
        if "channel" in plan.schema.names:
            raise ValueError("the name 'channel' is that of a column that is added; give yours another one")
        schema = _ositrace.scan_schema(plan.schema, False)
        schema = _ositrace.chosen_schema(schema, [name for name in schema.names if name != "file"])

        def read(batch_bytes: int) -> Iterator[Batch]:
            for trace, channel, own in plans:
                for batch in trace.read_table(own, time, batch_bytes):
                    yield _ositrace.scan_batch(schema, batch, "", channel.topic, None)

        def narrow(columns: Sequence[str]) -> Table:
            own = [name for name in columns if name != "channel"]
            return self._table_of_channels(wanted.narrowed(channel_of_plan, own), time)

        return Table(plan, schema, f"{counted(len(plans), 'channel')} in {self._name!r}", read, narrow)

    def _no_channel(self, wanted: Wanted) -> Error:
        """Why no channel has the table."""
        for channel in self.channels:
            try:
                wanted.plan(channel)
            except Error as error:
                return error
        reason = f"no channel has this table (topics: {', '.join(repr(c.topic) for c in self.channels)})"
        return Error(f"{self._name}: {reason}", code="usage", file=self._name, reason=reason)

    def read_table(
        self,
        plan: TablePlan | TrafficPlan,
        time: TimeRange | None,
        batch_bytes: int,
        share: Share | None = None,
    ) -> Iterator[Batch]:
        """The rows of a table of the one channel, or of a share of the frames in this time. For the package itself."""
        channel = self._one_channel("a table")
        span = span_of(*time) if time is not None else _ANY_TIME
        numbers: Sequence[int] | None = None if time is None else self._between(channel, span).numbers
        if share is not None:
            numbers = share.of(range(self._handle.frame_count(channel)) if numbers is None else numbers)
        runs = None if numbers is None else [(run.start, len(run)) for run in _runs(numbers)]
        if isinstance(plan, TrafficPlan):
            return _ositrace.read_traffic(self._handle, channel, plan, runs, batch_bytes, span)
        return _ositrace.read_table(self._handle, channel, plan, runs, batch_bytes, span)

    def of_type(self, name: str) -> Trace:
        """The channels of a type: `osi3.GroundTruth`, `GroundTruth` or `gt`; what their topics are does not matter.

        Raises
        ------
        UnknownNameError
            There is none.
        """
        channels, whole = self._handle.channels(), _whole_type(name)
        found = [i for i in self._selected if whole in _names_of_type(channels[i])]
        if not found:
            known = [channels[i].type.rpartition(".")[2] for i in self._selected]
            raise unknown_name(name, "channel of the type", known, self._name)
        return Trace(self._handle, found, self._left_out, self._opened)

    def of_channel(self, i: int) -> Trace:
        """Channel `i` of `channels`, as a trace of its own: also where several channels have one topic."""
        try:
            return Trace(self._handle, [self._selected[i]], self._left_out, self._opened)
        except IndexError:
            raise IndexError(f"{self._name}: there is no channel {i}, there are {len(self._selected)}") from None

    def __repr__(self) -> str:
        if self.closed:
            return f"<Trace {self._name!r}, closed>"
        channels = ", ".join(f"{c.topic!r} ({c.type})" for c in self.channels)
        return f"<Trace {self._name!r}: {channels or 'no channels'}>"

    def _select(self, name: str) -> Trace:
        channels = self._handle.channels()
        by_topic = [i for i in self._selected if channels[i].topic == name]
        by_type = [i for i in self._selected if _whole_type(name) in _names_of_type(channels[i])]
        if not by_topic and not by_type:
            known = [channels[i].topic for i in self._selected]
            known += [channels[i].type.rpartition(".")[2] for i in self._selected]
            raise unknown_name(name, "topic or type", known, self._name)
        return Trace(self._handle, by_topic or by_type, self._left_out, self._opened)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled trace is opened again by its path, in the process that reads it."""
        if self._opened is None:
            raise TypeError("only a trace that was opened by its path can be pickled")
        return _again, (self._opened.pickled(), builtins.type(self), self._selected)

    def _one_channel(self, what: str) -> int:
        selected = self._with_frames
        if len(selected) == 1:
            return selected[0]
        channels = self._handle.channels()
        topics = [channels[i].topic for i in selected]
        by = "trace[topic] or trace[type]" if len(set(topics)) == len(topics) else "trace.of_channel(number)"
        reason = f"{what} needs one channel; select it by {by} (topics: {', '.join(map(repr, topics))})"
        raise ChannelError(f"{self._name}: {reason}", code="usage", file=self._name, reason=reason)

    def _all_frames(self, what: str) -> Frames:
        channel = self._one_channel(what)
        return Frames(self._handle, channel, range(self._handle.frame_count(channel)))

    def _between(self, channel: int, span: Span, carries: bool = False) -> Frames:
        if span == _ANY_TIME:
            return Frames(self._handle, channel, range(self._handle.frame_count(channel)), carries)
        runs = [range(*run) for run in self._handle.frames_in(channel, span)]
        numbers = runs[0] if len(runs) == 1 else [number for run in runs for number in run]
        return Frames(self._handle, channel, numbers, carries, span)


class Map(Trace):
    """The map of a trace: an osi3.GroundTruth in the frame of the trace, with its fields and tables.

    >>> trace.map.lanes(["id", "type"]).to_pandas(), trace.map.lane[0].classification.type
    """

    @property
    def message(self) -> Message:
        """The message as a whole."""
        return self[0].message

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.message, name)

    def __repr__(self) -> str:
        return f"<Map {self._name!r}{', closed' if self.closed else ''}>"


def _whole_type(name: str) -> str:
    """`osi3.GroundTruth` for `gt`; another name is what it is."""
    return next((known for known in _ositrace.known_types() if _ositrace.type_code(known) == name), name)


def _names_of_type(channel: Channel) -> tuple[str, str]:
    return channel.type, channel.type.rpartition(".")[2]


class Frames(_arguments.PublicNames, Sequence[Frame]):
    """Some frames of one channel; nothing is read before it is asked for."""

    def __init__(
        self,
        handle: _ositrace.TraceHandle,
        channel: int,
        numbers: Sequence[int],
        carries: bool = False,
        span: Span = (None, None),
    ) -> None:
        self._handle = handle
        self._channel = channel
        self._numbers = numbers
        self._carries = carries  # static data, into the first frame
        self._span = span  # by which the frames were found

    @property
    def numbers(self) -> Sequence[int]:
        """Numbers of the frames in their channel."""
        return self._numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, key: int) -> Frame: ...
    @overload
    def __getitem__(self, key: slice) -> Frames: ...
    def __getitem__(self, key: int | slice) -> Frame | Frames:
        if isinstance(key, slice):
            return Frames(self._handle, self._channel, self._numbers[key], self._carries, self._span)
        try:
            number = self._numbers[key]
        except IndexError:
            raise IndexError(f"there is no frame {key}, there are {len(self)}") from None
        if self._carries and number == self._numbers[0]:
            return self._handle.complete_frame(self._channel, number)
        return self._handle.frame(self._channel, number)

    def __iter__(self) -> Iterator[Frame]:
        if self._carries and self._numbers:
            return itertools.chain([self[0]], Frames(self._handle, self._channel, self._numbers[1:], span=self._span))
        runs = _runs(self._numbers)
        read = [
            self._handle.numbered_frames(self._channel, run.start, len(run), run.step, self._span) for run in runs
        ]
        return read[0] if len(read) == 1 else itertools.chain(*read)

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'frame')}>"


def _runs(numbers: Sequence[int]) -> list[range]:
    """The same numbers in the same order."""
    if len(numbers) < 2:
        return [range(number, number + 1) for number in numbers]  # a step of a range of one may be any integer
    if isinstance(numbers, range):
        return [numbers]
    starts = [i for i, number in enumerate(numbers) if i == 0 or number != numbers[i - 1] + 1]
    return [range(numbers[i], numbers[i] + end - i) for i, end in zip(starts, [*starts[1:], len(numbers)])]


class MergedFrames(_arguments.PublicNames):
    """Frames of several channels, in the order of the file."""

    def __init__(self, ranges: Sequence[Frames]) -> None:
        self._ranges = ranges

    def __iter__(self) -> Iterator[Frame]:
        return heapq.merge(*self._ranges, key=lambda frame: frame.index)

    def __repr__(self) -> str:
        count = sum(len(frames) for frames in self._ranges)
        return f"<{counted(count, 'frame')} of {counted(len(self._ranges), 'channel')}>"


@functools.lru_cache(maxsize=4)
def _trace_with_frames(path: str, size: int, changed: int, type: str | None) -> Trace:
    return _Opened(path, type, None, "raise", None, None).open()


def _frame_again(path: str, size: int, changed: int, index: int, type: str) -> Frame:
    """A pickled frame."""
    found = os.stat(path)
    if (found.st_size, found.st_mtime_ns) != (size, changed):
        raise Error(f"{path} has changed since the frame was pickled", code="changed", file=path)
    try:
        trace = _trace_with_frames(path, size, changed, None)
    except Error as error:
        if error.code != "ambiguous":
            raise
        trace = _trace_with_frames(path, size, changed, type)
    return trace._handle.frame_of_index(index)


def _reduced_frame(frame: Frame) -> tuple[Any, ...]:
    """By path, and not by the payload, which may have many MB."""
    if frame._is_completed:
        raise TypeError("a frame with static data of earlier ones cannot be pickled; pickle the trace")
    path = os.path.abspath(frame._file)
    try:
        found = os.stat(path)
    except OSError:
        raise TypeError("only a frame of a trace that was opened by its path can be pickled") from None
    return _frame_again, (path, found.st_size, found.st_mtime_ns, frame.index, frame.channel.type)


copyreg.pickle(Frame, _reduced_frame)


def _carries(static: StaticData) -> bool:
    _arguments.choice("static", static, get_args(StaticData))
    return static == "carry"


def span_of(start: float | None, stop: float | None) -> Span:
    """A range of time, less the tolerance."""
    bounds = [None if time is None else _nanoseconds(time, -TOLERANCE_NS) for time in (start, stop)]
    return bounds[0], bounds[1]


def _nanoseconds(time: float, added: int) -> int:
    """Times that no frame can have, also infinite ones, are before or after all frames."""
    _arguments.number("time", time)
    if time is None:
        raise _arguments.wrong_type("time", time, "a number")
    nanoseconds = builtins.round(min(max(time, -2 * MOST_SECONDS), 2 * MOST_SECONDS) * 1e9) + added
    return min(max(nanoseconds, _INT64[0]), _INT64[-1])
