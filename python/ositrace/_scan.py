# SPDX-License-Identifier: MPL-2.0
"""Tables over many files."""

from __future__ import annotations

import math
import os
import queue
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from . import _arguments, _ositrace
from ._error import Error, unknown_name
from ._files import FileFacts, Paths, check_is_unchanged, list_files
from ._ositrace import Batch, Channel, TablePlan, TableSchema, TrafficPlan
from ._remote import StorageOptions, refuse_remote
from ._rows import counted, optional_package
from ._polars import time_range
from ._table import (
    NAMED_TABLES,
    TRAFFIC_TABLES,
    Collected,
    NamedColumns,
    Table,
    Tables,
    TimeRange,
    TrafficColumns,
    Wanted,
    elements_of_path,
    row_groups,
)
from ._trace import TOLERANCE_NS, Share, Trace, open

if TYPE_CHECKING:
    from ._catalog import AnyCatalog

#: Of a batch. Each thread has a few of them.
_BATCH_BYTES = 4 << 20
_BATCHES_AHEAD = 2
_ROWS_OF_A_PART = 4_000_000
_NAME_OF_A_PART = re.compile(r"part-\d{5,}\.parquet")


def scan(
    paths: Paths | None = None,
    *,
    catalog: AnyCatalog | None = None,
    topic: str | None = None,
    type: str | None = None,
    errors: Literal["raise", "skip"] = "raise",
    threads: int | None = None,
    schema: str | os.PathLike[str] | bytes | None = None,
    storage_options: StorageOptions | None = None,
    map: str | os.PathLike[str] | None = None,
) -> Scan:
    """The tables of many files, as one table each: with the columns `file` and `channel`, in the order of the files.

    Parameters
    ----------
    paths : path, pattern, folder, or list of these
        Of a folder every trace in it and below. In a pattern `*`, `?` and `[...]` match within a folder, `**` any
        folders. The files of both are sorted by name. Names that begin with `_` or `.` are skipped where they are not
        written in the path or pattern. Links are followed, and a file is read once.
    catalog : Catalog, path, or rows of one
        Its files instead of paths. Those without a channel that is wanted, or with all times outside of the range of a
        table, are not opened; times of MCAP files are log times. A file that has changed since then is an error.
    topic, type : str, optional
        Only channels with this topic, or messages of this type; files without one have no rows. Otherwise a file in
        which no channel has the columns is an error.
    errors : {"raise", "skip"}
        `skip`: what is damaged is left out, and a row says so in the column `_error`, where all others but `file` and
        `channel` are null.
    threads : int, optional
        Files that are read at the same time; at first the number of cores. Memory: some batches of 4 MB for each.
    schema : path or bytes, optional
        As `open()` has it.
    storage_options : dict, optional
        As `open()` has them; paths may be URLs, of objects, prefixes or patterns.
    map : path, optional
        The OpenDRIVE map of all files, for `objects(lane_frame=True)`; else each has the one in or beside it.

    >>> ositrace.scan("lake/**/*.mcap", errors="skip").objects().to_parquet("out/")
    """
    _arguments.choice("errors", errors, ("raise", "skip"))
    _arguments.text("topic", topic)
    _arguments.text("type", type)
    _arguments.whole_number("threads", threads, range(1, 2**63))
    if (paths is None) == (catalog is None):
        raise ValueError("expected paths, or a catalog")
    if map is not None:
        _arguments.path("map", map)
        refuse_remote("map", map)
    topics = None if topic is None else [topic]
    files = list_files(paths, storage_options) if paths is not None else []
    scanned = Scan(
        files,
        topics=topics,
        type=type,
        skip=errors == "skip",
        threads=threads or os.cpu_count() or 1,
        schema=schema,
        storage=storage_options,
        map=map,
    )
    if catalog is not None:
        scanned.take(catalog)
    return scanned


def scan_polars(
    paths: Paths | None = None,
    table: str | Mapping[str, str] = "objects",
    *,
    catalog: AnyCatalog | None = None,
    topic: str | None = None,
    type: str | None = None,
    errors: Literal["raise", "skip"] = "raise",
    threads: int | None = None,
    schema: str | os.PathLike[str] | bytes | None = None,
    storage_options: StorageOptions | None = None,
    map: str | os.PathLike[str] | None = None,
    lane_frame: bool = False,
) -> Any:
    """A `polars.LazyFrame` of many files.

    Only the columns that a query needs are decoded, only frames in the range of `time` or `time_ns` that it asks for
    are read, and files after its `limit` are not opened. The rows are those of a filter after `collect()`.

    Parameters
    ----------
    table : str, or dict of name and path
        `objects`, `lanes`, `traffic_lights`, `traffic_signs`, `reflections` or `detections`, a table of what happens
        such as `interactions`, or any columns as `table()` has them.
    lane_frame : bool
        As `objects()` has it.
    others :
        As `scan()` has them.

    >>> ositrace.scan_polars("lake/**/*.mcap").filter(pl.col("time") < 5).group_by("file").agg(pl.max("speed"))
    """
    pl = optional_package("polars", "scan_polars()")
    register = optional_package("polars.io.plugins", "scan_polars()").register_io_source
    files = scan(
        paths,
        catalog=catalog,
        topic=topic,
        type=type,
        errors=errors,
        threads=threads,
        schema=schema,
        storage_options=storage_options,
        map=map,
    )
    _arguments.flag("lane_frame", lane_frame)
    times = _time_columns(table)
    whole = files.named(table, lane_frame=lane_frame)

    def read(
        with_columns: list[str] | None, predicate: Any | None, limit: int | None, batch_size: int | None
    ) -> Iterator[Any]:
        wanted = whole.columns if with_columns is None else with_columns
        # With both the limit is that of rows before the predicate: all of them are counted.
        rows = files.named(table, wanted, time_range(predicate, times) if limit is None else None, lane_frame)
        left = limit
        for batch in rows.batches():
            frame = rows.frame_of(pl, batch).select(wanted)
            if left is not None:
                frame = frame.head(left)
                left -= frame.height
            yield frame if predicate is None else frame.filter(predicate)
            if left == 0:
                return

    return register(read, schema=whole.frame_of(pl, _ositrace.empty_batch(whole.schema)).schema)


def _time_columns(table: str | Mapping[str, str]) -> dict[str, float]:
    """Columns that have the time of the frame, and their unit in seconds."""
    if isinstance(table, str):
        return {"time": 1.0, "time_ns": 1e-9}
    units = {"@time": 1.0, "@time_ns": 1e-9}
    return {name: units[path] for name, path in table.items() if path in units}


@dataclass
class Known:
    """What a catalog says of a file; an infinite time is not known."""

    facts: FileFacts
    first: float
    last: float

    def meets(self, time: TimeRange | None) -> bool:
        """May it have frames of the range?"""
        start, stop = time or (None, None)
        after = start is not None and self.last < start * 1e9 - TOLERANCE_NS
        before = stop is not None and self.first > stop * 1e9 + TOLERANCE_NS
        return not (after or before)

    def bytes_in(self, time: TimeRange | None) -> int:
        """About how many bytes of it are in the range, at least 1."""
        start, stop = time or (None, None)
        length = self.last - self.first
        if (start is None and stop is None) or not 0 < length < math.inf:
            return max(self.facts.size, 1)
        from_ns = self.first if start is None else max(self.first, start * 1e9)
        to_ns = self.last if stop is None else min(self.last, stop * 1e9)
        return max(int(self.facts.size * max(to_ns - from_ns, 0) / length), 1)


class Scan(Tables["ScanTable"]):
    """Many files; see `scan()`."""

    def __init__(
        self,
        files: Sequence[str] = (),
        *,
        topics: Sequence[str] | None = None,
        type: str | None = None,
        skip: bool = False,
        threads: int = 1,
        schema: Any = None,
        storage: StorageOptions | None = None,
        map: str | os.PathLike[str] | None = None,
    ) -> None:
        self._files = list(files)
        self._topics = topics
        self._type = None if type is None else _ositrace.channel_of_type(type, "protobuf", schema).type
        self._skip = skip
        self._threads = threads
        self._schema = schema
        self._storage = storage
        self._map = map
        self._known: dict[str, Known] = {}
        self._seen_topics: set[str] = set()  #: of the files that were read

    def take(self, catalog: AnyCatalog) -> list[Known]:
        """Read the files of a catalog that have a channel that is wanted, or are broken. For the package itself."""
        from ._catalog import catalog_of

        names = ["path", "size", "mtime_ns", "channel", "type", "first_time_ns", "last_time_ns", "error"]
        columns = catalog_of(catalog).select(names).to_pydict()
        for path, size, changed, topic, type, first, last, error in zip(*columns.values()):
            wanted = (self._topics is None or topic in self._topics) and self._type in (None, type)
            if not wanted and error is None:
                continue
            known = self._known.setdefault(path, Known(FileFacts(path, size, changed), math.inf, -math.inf))
            known.first = -math.inf if first is None or error else min(known.first, first)
            known.last = math.inf if last is None or error else max(known.last, last)
        self._files = list(self._known)
        return list(self._known.values())

    @property
    def files(self) -> list[str]:
        """Paths of the files, in the order in which they are read."""
        return list(self._files)

    def named(
        self,
        table: str | Mapping[str, str],
        columns: Sequence[str] | None = None,
        time: TimeRange | None = None,
        lane_frame: bool = False,
    ) -> ScanTable:
        """A table by its name or paths, with at least these columns."""
        if not isinstance(table, str):
            return self.table(self._needed(table, columns) if columns else table, time=time)
        if table not in (*NAMED_TABLES, *TRAFFIC_TABLES):
            raise unknown_name(table, "table", (*NAMED_TABLES, *TRAFFIC_TABLES))
        # Of a query for these alone one column counts the rows.
        wanted = columns and [name for name in columns if name not in ("file", "channel", "_error")]
        if table in TRAFFIC_TABLES:
            return self._checked(TrafficColumns(table, wanted or None), time)
        wanted = columns and (wanted or ["frame"])
        return self._checked(NamedColumns(table, wanted, False, lane_frame=lane_frame), time)

    def _needed(self, paths: Mapping[str, str], columns: Sequence[str]) -> dict[str, str]:
        """These columns, and one that decides what a row is."""
        channel = _ositrace.channel_of_type(self.table(paths).type, "protobuf", self._schema)
        deciding = max(paths, key=lambda name: elements_of_path(channel, name, paths[name]))
        return {name: path for name, path in paths.items() if name in columns or name == deciding}

    def _table(self, wanted: Wanted, time: TimeRange | None) -> ScanTable:
        plan = self._plan(wanted)
        for name, _, _ in plan.columns:
            if name in ("file", "channel") or (self._skip and name == "_error"):
                raise ValueError(f"the name '{name}' is that of a column that scan() adds; give yours another one")
        schema = _ositrace.scan_schema(plan.schema, self._skip)

        def read(batch_bytes: int) -> Iterator[Batch]:
            files = [file for file in self._files if file not in self._known or self._known[file].meets(time)]
            jobs = (_Job(self.read_file(file, wanted, schema, time, batch_bytes)) for file in files)
            yield from _in_order(jobs, self._threads)
            self._check_topics()

        def narrow(columns: Sequence[str]) -> Table:
            own = [name for name in columns if name not in ("file", "channel", "_error")]
            channel = _ositrace.channel_of_type(plan.type, "protobuf", self._schema)
            return self._table(wanted.narrowed(channel, own), time)

        return ScanTable(plan, schema, counted(len(self._files), "file"), read, narrow)

    def _plan(self, wanted: Wanted) -> TablePlan | TrafficPlan:
        """Of the built-in schema, so that the columns do not depend on the files: the type that has most of them."""
        types = [self._type] if self._type else _ositrace.known_types()
        channels = [_ositrace.channel_of_type(type, "protobuf", self._schema) for type in types]
        plans, refused = [], []
        for channel in [channel for channel in channels if wanted.fits(channel)] or channels[:1]:
            try:
                plans.append(wanted.plan(channel))
            except Error as error:
                refused.append(error)
        if not plans:
            raise refused[0]
        return max(plans, key=lambda plan: len(plan.columns))

    def _check_topics(self) -> None:
        """After reading: a topic that no file has is a wrong name."""
        for topic in self._topics or ():
            if self._seen_topics and topic not in self._seen_topics:
                raise unknown_name(topic, "topic", sorted(self._seen_topics), counted(len(self._files), "file"))

    def _channels(self, trace: Trace) -> list[Trace]:
        self._seen_topics.update(channel.topic for channel in trace.channels)
        return [
            trace.of_channel(i)
            for i, channel in enumerate(trace.channels)
            if (self._topics is None or channel.topic in self._topics) and self._type in (None, channel.type)
        ]

    def _open(self, file: str) -> Trace:
        errors: Literal["raise", "skip"] = "skip" if self._skip else "raise"
        try:
            return open(file, schema=self._schema, errors=errors, storage_options=self._storage, map=self._map)
        except Error as error:
            if error.code != "ambiguous" or self._type is None:
                raise
        return open(
            file,
            type=self._type,
            schema=self._schema,
            errors=errors,
            storage_options=self._storage,
            map=self._map,
        )

    def read_file(
        self,
        file: str,
        wanted: Wanted,
        schema: TableSchema,
        time: TimeRange | None,
        batch_bytes: int = _BATCH_BYTES,
        share: Share | None = None,
    ) -> Iterator[Batch]:
        """The rows of a file, or a share of each channel, and rows that say what is wrong. For the package itself."""
        try:
            if file in self._known:
                check_is_unchanged(self._known[file].facts, "the catalog was made", self._storage)
            with self._open(file) as trace:
                channels = self._channels(trace)
                read, refused = 0, None
                for channel in channels:
                    try:
                        plan = wanted.plan(channel.channels[0], some=True)
                    except Error as error:
                        refused = error
                        continue
                    read += 1
                    topic = channel.channels[0].topic
                    for batch in channel.read_table(plan, time, batch_bytes, share):
                        yield _batch(schema, batch, file, topic, None)
                if not trace.channels:
                    for _ in trace:  # raises where the file breaks before its first channel
                        pass
                for text in trace.skipped:
                    yield error_row(schema, file, text)
                if refused and not read:
                    raise Error(f"{file}: {refused.reason}", code=refused.code, file=file, reason=refused.reason)
        except Error as error:
            if not self._skip:
                raise
            yield error_row(schema, file, str(error))

    def __repr__(self) -> str:
        return f"<Scan of {counted(len(self._files), 'file')}>"


class ScanTable(Table):
    """A table of many files."""

    def __init__(
        self,
        plan: TablePlan | TrafficPlan,
        schema: TableSchema,
        of: str,
        read: Callable[[int], Iterator[Batch]],
        narrow: Callable[[Sequence[str]], Table],
    ) -> None:
        super().__init__(plan, schema, of, read, narrow)
        self._batch_bytes = self._whole_bytes = _BATCH_BYTES

    @property
    def schema(self) -> TableSchema:
        return self._schema

    @property
    def type(self) -> str:
        """Of the messages that decide about the columns."""
        return self._plan.type

    def frame_of(self, pl: Any, batch: Batch) -> Any:
        """The `polars.DataFrame` of a batch."""
        return pl.DataFrame(Collected(self._schema, [batch]))

    def to_parquet(self, path: str | os.PathLike[str], *, overwrite: bool = False, **options: Any) -> None:
        """Write a folder of Parquet files, `part-00000.parquet` and so on, with pyarrow, which gets the options.

        The folder appears under its name when it is complete. One that exists is replaced with `overwrite=True`,
        where it has nothing but such files.
        """
        pa = optional_package("pyarrow", "to_parquet()")
        pq = optional_package("pyarrow.parquet", "to_parquet()")
        _arguments.path("path", path)
        refuse_remote("path", path)
        _arguments.flag("overwrite", overwrite)
        folder = os.fspath(path).rstrip(os.sep)
        _check_folder(folder, overwrite)
        part_folder = f"{folder}.{os.getpid()}.part"
        os.mkdir(part_folder)
        schema, writer, rows, parts = pa.schema(self), None, 0, 0
        try:
            for group in row_groups(pa, schema, self.batches()):
                if writer is None:
                    writer = pq.ParquetWriter(os.path.join(part_folder, f"part-{parts:05}.parquet"), schema, **options)
                writer.write_table(group)
                rows += group.num_rows
                if rows >= _ROWS_OF_A_PART:
                    writer.close()
                    writer, rows, parts = None, 0, parts + 1
            if writer is None and parts == 0:
                writer = pq.ParquetWriter(os.path.join(part_folder, "part-00000.parquet"), schema, **options)
            if writer is not None:
                writer.close()
            _check_folder(folder, overwrite)  # again: reading takes long
            if os.path.lexists(folder):
                old_folder = f"{folder}.{os.getpid()}.old"
                os.rename(folder, old_folder)
                os.rename(part_folder, folder)
                _remove_parts(old_folder)
            else:
                os.rename(part_folder, folder)
        except BaseException:
            if os.path.lexists(part_folder):
                _remove_parts(part_folder)
            raise


def _check_folder(folder: str, overwrite: bool) -> None:
    """Raises where a folder of parts cannot have this name."""
    if not os.path.lexists(folder):
        return
    if not overwrite:
        raise Error(f"{folder} exists. Use overwrite=True to replace it.", code="exists", file=folder)
    if os.path.islink(folder) or not os.path.isdir(folder):
        raise Error(f"{folder} is not a folder. Name another one.", code="exists", file=folder)
    others = [name for name in sorted(os.listdir(folder)) if not _NAME_OF_A_PART.fullmatch(name)]
    if others:
        reason = f"{folder} has '{others[0]}', which to_parquet() did not write. Name another folder."
        raise Error(reason, code="exists", file=folder)


def _remove_parts(folder: str) -> None:
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    os.rmdir(folder)


class _Job:
    """The batches of a file, read by a thread of its own."""

    def __init__(self, batches: Iterator[Batch]) -> None:
        self._batches = batches
        self._ready: queue.Queue[Batch | BaseException | None] = queue.Queue(_BATCHES_AHEAD)
        self._stopped = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Batch]:
        while (ready := self._ready.get()) is not None:
            if isinstance(ready, BaseException):
                raise ready
            yield ready

    def stop(self) -> None:
        self._stopped = True
        while self._thread.is_alive():
            try:
                self._ready.get(timeout=0.01)
            except queue.Empty:
                pass

    def _run(self) -> None:
        try:
            for batch in self._batches:
                self._ready.put(batch)
                if self._stopped:
                    return
            self._ready.put(None)
        except BaseException as error:
            self._ready.put(error)


def _in_order(jobs: Iterator[_Job], threads: int) -> Iterator[Batch]:
    """The batches of the jobs, one job after the other, of which some run ahead."""
    running: deque[_Job] = deque()
    try:
        while True:
            while len(running) < threads and (job := next(jobs, None)):
                running.append(job)
            if not running:
                return
            yield from running[0]
            running.popleft()
    finally:
        for job in running:
            job.stop()


def error_row(schema: TableSchema, file: str, text: str) -> Batch:
    """One row, which says what is wrong with a file."""
    return _batch(schema, None, file, None, text)


def _batch(schema: TableSchema, batch: Batch | None, file: str, topic: str | None, error: str | None) -> Batch:
    return _ositrace.scan_batch(schema, batch, printable(file), topic and printable(topic), error and printable(error))


def printable(name: str) -> str:
    r"""With bytes that are no text, which a name of a file may have, as `\xff`: two names stay two."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
