# SPDX-License-Identifier: MPL-2.0
"""What a query reads of traces: the columns that Spark gets, and the rows of a partition."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from .. import _ositrace
from .._error import Error, unknown_name
from .._files import FileFacts, Paths, absolute, check_is_unchanged, facts_if_there, facts_of, list_files
from .._ositrace import Batch, Channel, TablePlan, TableSchema, TrafficPlan
from .._remote import StorageOptions, is_remote
from .._rows import counted, optional_package
from .._scan import Known, Scan, error_row, printable
from .._table import NAMED_TABLES, TRAFFIC_TABLES, NamedColumns, PathColumns, TimeRange, TrafficColumns, Wanted
from .._trace import Share, open
from ._plan import MOST_BYTES, Failure, Part, Partition, plan

if TYPE_CHECKING:
    from .._catalog import AnyCatalog

Errors = Literal["raise", "skip", "salvage"]
RowsPer = Literal["object", "frame"]

#: Columns of every row, before those of the table, with what they are in a frame.
_FACTS = {"frame": "@frame", "time_ns": "@time_ns", "time": "@time"}
_FIXED = ("file_id", "path", "channel", *_FACTS)
_ERROR = "_error"
#: On a mounted object store a question for the size of a file takes milliseconds.
_LISTING_THREADS = 16
#: To find out whether there is a topic.
_FILES_OPENED_FOR_TOPICS = 20
#: Codes of errors of which `recover()` knows how to save the rest.
_DAMAGE = ("malformed", "truncated", "limit")


@dataclass(frozen=True)
class _EveryField:
    """All fields of the messages of a type, or some by name; of another release those that it has."""

    names: Sequence[str] | None

    def fits(self, channel: Channel) -> bool:
        return True

    def plan(self, channel: Channel, some: bool = False) -> TablePlan:
        paths = {name: path for name, _, path in _ositrace.table_of_all(channel, False).columns}
        for name in self.names or ():
            if name not in paths and not some:
                raise unknown_name(name, "column", paths, place=channel.type)
        wanted = [(name, path) for name, path in paths.items() if self.names is None or name in self.names]
        return _ositrace.table_of_paths(channel, [*_FACTS.items(), *wanted], "frames", False)

    def narrowed(self, channel: Channel, columns: Sequence[str]) -> _EveryField:
        return _EveryField(list(columns))


@dataclass(frozen=True, kw_only=True)
class Request:
    """The options of a query. It travels to the executors."""

    table: str = "objects"
    columns: Sequence[str] | None = None
    fields: Mapping[str, str] | None = None
    rows_per: RowsPer = "object"
    time: TimeRange | None = None
    topics: Sequence[str] | None = None
    type: str | None = None
    errors: Errors = "raise"
    most_bytes: int = MOST_BYTES
    storage: StorageOptions | None = field(default=None, repr=False)  #: has secrets
    map: str | None = None  #: an absolute path
    lane_frame: bool = False
    traffic: Mapping[str, str] | None = None  #: options of a table of what happens

    def __post_init__(self) -> None:
        for name, value, known in (
            ("errors", self.errors, get_args(Errors)),
            ("rowsPer", self.rows_per, get_args(RowsPer)),
            ("table", self.table, (*NAMED_TABLES, *TRAFFIC_TABLES)),
        ):
            if value not in known:
                raise ValueError(f"{name}={value!r}: expected {', '.join(map(repr, known))}")
        if self.fields is not None and self.columns is not None:
            raise ValueError("columns are those of a table, fields are any: give one of them")
        if self.rows_per == "frame" and self.fields is None and self.type is None:
            raise ValueError("rowsPer='frame' without fields has every field of a message: it needs a type")
        if self.lane_frame and (self.fields is not None or self.rows_per == "frame" or self.table != "objects"):
            raise ValueError("laneFrame: the table objects has lane coordinates, and no other rows")
        for name in self.traffic or ():
            if name not in TRAFFIC_TABLES.get(self.table, ()):
                raise ValueError(f"{name}: the table {self.table} has no such option")
        if self._happens and (self.fields is not None or self.rows_per == "frame"):
            raise ValueError(f"the table {self.table} has columns of its own, and no fields")
        for name, count in Counter(self.columns or ()).items():
            if count > 1:
                raise ValueError(f"columns: {name!r} is given {count} times")
        if self.time is not None and None not in self.time and self.time[0] > self.time[1]:  # type: ignore[operator]
            raise ValueError(f"time: {self.time[0]} is after {self.time[1]}")
        for name in self.fields or ():
            if name in (*_FIXED, _ERROR):
                raise ValueError(f"a column cannot be named {name!r}: every table has one of its own")

    @property
    def _happens(self) -> bool:
        """Is it a table of what happens? Then the rows of a frame depend on frames before it."""
        return self.table in TRAFFIC_TABLES

    @property
    def wanted(self) -> Wanted:
        if self._happens:
            own = None if self.columns is None else [name for name in self.columns if name not in _FIXED[:3]]
            return TrafficColumns(self.table, own, tuple(sorted((self.traffic or {}).items())))
        if self.fields is not None:
            rows: Literal["elements", "frames"] = "frames" if self.rows_per == "frame" else "elements"
            return PathColumns([*_FACTS.items(), *self.fields.items()], rows, False)
        if self.rows_per == "frame":
            return _EveryField(self.columns)
        if self.columns is None:
            return NamedColumns(self.table, None, False, lane_frame=self.lane_frame)
        columns = [*_FACTS, *(name for name in self.columns if name not in _FIXED)]
        return NamedColumns(self.table, columns, False, lane_frame=self.lane_frame)

    @cached_property
    def _plan(self) -> TablePlan | TrafficPlan:
        return self._scan._plan(self.wanted)

    @cached_property
    def _table_schema(self) -> TableSchema:
        return _ositrace.scan_schema(self._plan.schema, True)

    @cached_property
    def _scan(self) -> Scan:
        return Scan(topics=self.topics, type=self.type, storage=self.storage, map=self.map)

    @property
    def options(self) -> dict[str, Any]:
        """What the rows of a file depend on."""
        names = ("table", "columns", "fields", "rows_per", "time", "topics", "type", "errors", "map", "lane_frame", "traffic")
        # What is not given is left out, as in tables that were written before there was such an option.
        return {name: getattr(self, name) for name in names if getattr(self, name) not in (None, False)}

    def __getstate__(self) -> dict[str, Any]:
        """Plans stay in the process that made them."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    @cached_property
    def _columns(self) -> list[tuple[str, Any, Callable[[Any], Any]]]:
        """Name and type of each column, and how it is made of one of `scan()`: without `file_id` and `path`."""
        pa = optional_package("pyarrow", "ositrace.spark")
        types = {field.name: field.type for field in pa.schema(self._table_schema)}
        facts = [name for name in _FACTS if name in types]
        names = ["channel", *facts, *(name for name in types if name not in ("file", "channel", *facts))]
        return [(name, *spark_form(pa, types[name])) for name in names]

    @cached_property
    def schema(self) -> Any:
        """The `pyarrow.Schema` of the rows, of types that Spark has."""
        pa = optional_package("pyarrow", "ositrace.spark")
        columns = [(name, type) for name, type, _ in self._columns]
        return pa.schema([("file_id", pa.int64()), ("path", pa.string()), *columns])

    @property
    def ddl(self) -> str:
        """The same for Spark. A column has its unit as its comment."""
        units = {name: unit for name, unit, _ in self._plan.columns if unit}
        return ", ".join(
            f"{quoted(field.name)} {ddl_of(field.type)}"
            + (f" COMMENT '{units[field.name]}'" if field.name in units else "")
            for field in self.schema
        )

    def partitions(self, paths: Paths | None, cores: int, catalog: AnyCatalog | None = None) -> list[Partition]:
        """Which task reads what of paths, or of the files of a catalog.

        No file is opened, but large MCAP files without a catalog for their times, where a time is asked for: each share
        of a file searches for it.

        Damage is to be reported once: a file is cut into shares only where damage is an error.
        """
        if (paths is None) == (catalog is None):
            raise ValueError("a query reads paths, or a catalog")
        if paths is not None:
            names = [absolute(name) for name in list_files(paths, self.storage)]
            with ThreadPoolExecutor(_LISTING_THREADS) as pool:
                files = list(pool.map(self._facts_of, names))
                self._check_topics(files)
                weights = None if self.time is None else list(pool.map(self._bytes_in_time, files))
        else:
            scan = Scan(topics=self.topics, type=self.type)
            known = [one for one in scan.take(catalog) if one.meets(self.time)]
            files = [one.facts for one in known]
            weights = [one.bytes_in(self.time) for one in known]
        return plan(files, cores, self.most_bytes, cuts=self.errors == "raise" and not self._happens, weights=weights)

    def _check_topics(self, files: Sequence[FileFacts]) -> None:
        """A topic that none of a few files has is a wrong name; of many files the tasks would be slower to open."""
        missing, seen = set(self.topics or ()), set[str]()
        if len(files) > _FILES_OPENED_FOR_TOPICS:
            return
        for file in files:
            if not missing:
                return
            try:
                with open(file.path, type=None, storage_options=self.storage) as trace:
                    seen.update(channel.topic for channel in trace.channels)
            except Error:
                return  # its task says what is wrong
            missing -= seen
        for topic in sorted(missing) if seen else ():
            raise unknown_name(topic, "topic", sorted(seen), counted(len(files), "file"))

    def _facts_of(self, path: str) -> FileFacts:
        return (facts_of if self.errors == "raise" else facts_if_there)(path, self.storage)

    def _bytes_in_time(self, file: FileFacts) -> int:
        """About how many bytes of a file are in the time that is asked for."""
        if file.size < self.most_bytes or not file.path.lower().endswith(".mcap"):
            return file.size
        try:
            with open(file.path, storage_options=self.storage) as trace:
                channels = trace.catalog_entry()[0]
        except Error:
            return file.size  # its task says what is wrong
        first = [one["first_time_ns"] for one in channels if one["first_time_ns"] is not None]
        last = [one["last_time_ns"] for one in channels if one["last_time_ns"] is not None]
        if not first or not last:
            return file.size
        return Known(file, min(first), max(last)).bytes_in(self.time)

    def batches(self, partition: Partition, unread: list[Failure] | None = None) -> Iterator[Any]:
        """The rows of a partition, as `pyarrow.RecordBatch`es.

        Files that the system cannot read have a row that says so, or with `unread` no row, and are added to it.
        """
        for part in partition:
            yield from self._rows(part, unread)

    def _rows(self, part: Part, unread: list[Failure] | None) -> Iterator[Any]:
        """A file is read as if it were intact, which takes a third of the time; at damage it is read again."""
        frames: dict[str, int] = {}
        try:
            check_is_unchanged(part.file, "the query was planned", self.storage)
            if self._happens and self.errors != "raise":
                yield from list(self._read(self._scan, part.file, part.file.path))  # all of them, or none
                return
            for rows in self._read(self._scan, part.file, part.file.path, part.share):
                if self.errors != "raise" and rows.num_rows:
                    frames[rows["channel"][0].as_py()] = rows["frame"][-1].as_py() + 1
                yield rows
        except Error as error:
            if self.errors == "raise":
                raise
            if error.code in ("io", "missing") and unread is not None:
                if frames:
                    raise  # a part of the file has rows already: the task begins again
                unread.append(Failure(printable(part.file.path), printable(str(error))))
                return
            if error.code not in _DAMAGE:
                yield self._error(part.file, str(error))
                return
            # Frames before the damage have the same numbers now.
            saves = self.errors == "salvage" and not is_remote(part.file.path)
            for rows in (self._saved if saves else self._skipped)(part.file):
                if self._happens:
                    yield rows
                    continue
                is_new = [
                    frame is None or frame >= frames.get(channel, 0)
                    for frame, channel in zip(rows["frame"].to_pylist(), rows["channel"].to_pylist())
                ]
                yield rows.filter(is_new)

    def _read(self, scan: Scan, file: FileFacts, path: str, share: Share | None = None) -> Iterator[Any]:
        """The rows of a file that is read from a path."""
        for batch in scan.read_file(path, self.wanted, self._table_schema, self.time, share=share):
            yield self._formed(file, batch)

    def _skipped(self, file: FileFacts) -> Iterator[Any]:
        """Without what is damaged, and with a row for each such place."""
        scan = Scan(topics=self.topics, type=self.type, skip=True, storage=self.storage, map=self.map)
        return self._read(scan, file, file.path)

    def _saved(self, file: FileFacts) -> Iterator[Any]:
        """What `recover()` saves, and a row for each lost place."""
        from .._verbs import recover

        with tempfile.TemporaryDirectory(prefix="ositrace-") as folder:
            path = os.path.join(folder, os.path.basename(file.path))
            try:
                lost = recover(file.path, path).lost
                yield from self._read(self._scan, file, path)
            except Error as error:
                yield self._error(file, str(error).replace(path, file.path))
                return
        for place in lost:
            lost_bytes = counted(place.bytes, "byte")
            yield self._error(file, f"{file.path}: byte {place.byte}: {place.reason} ({lost_bytes} lost)")

    def _error(self, file: FileFacts, text: str) -> Any:
        return self._formed(file, error_row(self._table_schema, file.path, text))

    def _formed(self, file: FileFacts, batch: Batch) -> Any:
        pa = optional_package("pyarrow", "ositrace.spark")
        rows = pa.record_batch(batch)
        count = rows.num_rows
        columns = [convert(rows[name]) for name, _, convert in self._columns]
        whose = [pa.repeat(pa.scalar(file.file_id, pa.int64()), count), pa.repeat(printable(file.path), count)]
        return pa.RecordBatch.from_arrays([*whose, *columns], schema=self.schema)


def spark_form(pa: Any, type: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The type of Spark that holds the values of an Arrow type, and the conversion of an array.

    Spark has no unsigned types: 64 bits stay what they are, and 2**64 - 1, which OSI uses for an invalid id, is -1.
    """
    if pa.types.is_dictionary(type):
        return pa.string(), lambda array: array.dictionary_decode()
    if pa.types.is_uint64(type):
        return pa.int64(), lambda array: array.view(pa.int64())
    if pa.types.is_uint32(type):
        return pa.int64(), lambda array: array.cast(pa.int64())
    if pa.types.is_list(type):
        element, convert = spark_form(pa, type.value_type)
        formed = pa.list_(pa.field("element", element))
        return formed, lambda array: _list(pa, formed, array, convert)
    return type, lambda array: array


def _list(pa: Any, type: Any, array: Any, convert: Callable[[Any], Any]) -> Any:
    buffers = array.buffers()[:2]
    return pa.Array.from_buffers(
        type, len(array), buffers, array.null_count, array.offset, [convert(array.values)]
    )


_DDL = {"int64": "BIGINT", "int32": "INT", "double": "DOUBLE", "float": "FLOAT", "bool": "BOOLEAN", "string": "STRING"}


def ddl_of(type: Any) -> str:
    if hasattr(type, "value_field"):
        return f"ARRAY<{ddl_of(type.value_type)}>"
    return _DDL.get(str(type)) or str(type).upper()


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
