# SPDX-License-Identifier: MPL-2.0
"""Jobs over a lake. Each can be run again, and then does what is new."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import _ositrace
from .._catalog import Catalog, earlier
from .._error import Error
from .._files import FileFacts, Paths, absolute, facts_if_there, list_files
from .._remote import StorageOptions, is_remote
from .._rows import Rows, counted, optional_package
from .._scan import printable
from .._table import TimeRange
from ._plan import Failure, Partition, plan
from ._request import Errors, Request, RowsPer
from ._session import cores_of, run
from ._tables import Batches, TableFolder, staging


@dataclass(frozen=True)
class Report:
    """What a job did."""

    files: int  #: that were done now
    complete: int  #: that had been done before
    rows: int  #: of a table; of `convert` the frames
    bytes: int  #: that were written
    failures: Rows[Failure] = Rows(Failure, ())  #: files that could not be read or converted; a later run tries again
    notes: Sequence[str] = ()  #: what outputs do not hold
    damage: int = 0  #: rows added that report it: `_error`, of `check` findings that are errors, of `catalog` `error`


def convert(spark: Any, src: Paths, dst: str | os.PathLike[str], *, to: str = "mcap", **options: Any) -> Report:
    """Convert each file of a lake, as `ositrace.convert()` does with `out_dir`, and with its options.

    Outputs have the paths of the inputs, below `dst`. One that exists and is not older than its input is complete. A
    file that cannot be converted is a failure, and the others are converted. One job at a time writes to `dst`. Where
    `dst` is in a folder of `src`, what is in `dst` is no input; it cannot be that folder.

    >>> ositrace.spark.convert(spark, "lake/", "lake-mcap/", compression="zstd").failures
    """
    folder = os.path.abspath(dst)
    sources = _listed(src)
    files = _local(sources)
    if any(os.path.abspath(one) == folder and os.path.isdir(folder) for one in sources):
        raise Error(f"{folder} has the inputs, and outputs in it would be inputs of the next run: write elsewhere")
    inside = os.path.join(folder, "")
    if not all(file.path.startswith(inside) for file in files):
        files = [file for file in files if not file.path.startswith(inside)]
    names = _Names(os.path.commonpath([os.path.dirname(file.path) for file in files]), folder, to)
    names.check(file.path for file in files)
    waiting = [file for file in files if not _is_complete(names.output_of(file.path), file)]
    with staging(folder) as staged:

        def converted(partition: Partition) -> Iterator[Any]:
            pa = optional_package("pyarrow", "ositrace.spark")
            rows = [_converted(part.file.path, names, staged, options) for part in partition]
            yield pa.RecordBatch.from_pylist(rows, schema=pa.schema(_columns_of(pa)))

        rows = run(spark, plan(waiting, cores_of(spark), cuts=False), converted, _CONVERTED).collect()
    return Report(
        files=sum(row.error is None for row in rows),
        complete=len(files) - len(waiting),
        rows=sum(row.frames for row in rows),
        bytes=sum(row.bytes for row in rows),
        failures=Rows(Failure, [Failure(row.path, row.error) for row in rows if row.error is not None]),
        notes=[note for row in rows for note in row.notes],
    )


def columns(
    spark: Any,
    src: Paths,
    dst: str | os.PathLike[str],
    *,
    table: str = "objects",
    columns: Sequence[str] | None = None,
    fields: Mapping[str, str] | None = None,
    rows_per: RowsPer = "object",
    time: TimeRange | None = None,
    topics: Sequence[str] | None = None,
    type: str | None = None,
    errors: Errors = "skip",
    storage_options: StorageOptions | None = None,
    map: str | os.PathLike[str] | None = None,
    lane_frame: bool = False,
) -> Report:
    """Write the table that `read()` has as Parquet files into a folder, where it grows with the lake.

    Rows of files that are in it stay, and all are made with the same options. A large file is read by several tasks
    with `errors="raise"` only. A file that the system cannot read has no
    row and is a failure, which a later run tries again. The executors write Parquet themselves, in a third of the time
    that it takes through Spark. One job at a time writes to `dst`.

    >>> ositrace.spark.columns(spark, "lake/", "objects/", columns=["id", "x", "y"])
    >>> spark.read.parquet("objects/")
    """
    request = Request(
        table=table,
        columns=columns,
        fields=fields,
        rows_per=rows_per,
        time=time,
        topics=topics,
        type=type,
        errors=errors,
        storage=storage_options,
        map=None if map is None else os.path.abspath(map),
        lane_frame=lane_frame,
    )
    folder = TableFolder(os.path.abspath(dst), request.schema, request.options, ("_error", None))
    return _grown(spark, folder, _facts(src, storage_options), request.batches, errors == "raise")


def check(spark: Any, src: Paths, dst: str | os.PathLike[str], **options: Any) -> Report:
    """Check each file of a lake, as `ositrace.check()` does, and with its options, into a table of findings as Parquet.

    Columns: file_id, path, severity, id, count, frame, time (s), time_ns, byte, channel, field, message. A file has a
    row for each finding that is listed, whose `count` is how many of the same id it has, and before them one with the
    severity `checked`, or with `failed` and the error as its message. Rows of files that are in the table stay. A file
    that the system cannot read has no row and is a failure, which a later run tries again.

    >>> ositrace.spark.check(spark, "lake/", "findings/")
    >>> spark.read.parquet("findings/").filter("severity = 'error'").groupBy("id").count()
    """
    pa = optional_package("pyarrow", "ositrace.spark")
    schema = pa.schema([(name, getattr(pa, kind)()) for name, kind in _FINDINGS.items()])

    def findings(partition: Partition, unread: list[Failure]) -> Iterator[Any]:
        for part in partition:
            yield pa.RecordBatch.from_pylist(list(_findings(part.file, options, unread)), schema=schema)

    folder = TableFolder(os.path.abspath(dst), schema, options, ("severity", "error"))
    return _grown(spark, folder, _local(src), findings, False)


def catalog(spark: Any, src: Paths, dst: str | os.PathLike[str], **options: Any) -> Report:
    """List a lake as `ositrace.catalog()` does with `update=True`, into a `.parquet` or `.jsonl` file.

    Options are `check=True`, which counts findings, `schema` and `storage_options`. Rows of files that have
    not changed are kept.

    >>> ositrace.spark.catalog(spark, "lake/", "lake.parquet")
    >>> spark.read.format("ositrace").option("catalog", "lake.parquet").load()
    """
    pa = optional_package("pyarrow", "ositrace.spark")
    pc = optional_package("pyarrow.compute", "ositrace.spark")
    output = os.path.abspath(dst)
    files = _facts(src, options.get("storage_options"))
    parts = []
    known: set[int] = set()
    if os.path.lexists(output) and (before := earlier(output)) is not None:
        intact = before.rows.filter(pc.field("error").is_null())["file_id"]
        known = {file.file_id for file in files}.intersection(intact.to_pylist())
        ids = pa.array(sorted(known), pa.int64())
        kept = [table.filter(pc.is_in(table["file_id"], ids)) for table in (before.rows, before.places)]
        parts.append(Catalog(*kept))
    waiting = [file for file in files if file.file_id not in known]
    with staging(os.path.dirname(output)) as staged:

        def listed(partition: Partition) -> Iterator[Any]:
            from .._catalog import catalog as list_files_of

            part = os.path.join(staged, f"{os.getpid()}-{os.urandom(8).hex()}.parquet")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the table says it
                made = list_files_of([part.file.path for part in partition], part, **options)
            yield pa.RecordBatch.from_pydict({"part": [part], "rows": [len(made)]})

        done = run(spark, plan(waiting, cores_of(spark), cuts=False), listed, "part STRING, rows BIGINT").collect()
        parts += [Catalog.read(one.part) for one in done]
    rows = pa.concat_tables([part.rows for part in parts]).sort_by("path")
    places = pa.concat_tables([part.places for part in parts])
    made = Catalog(rows, places.sort_by([("path", "ascending"), ("offset", "ascending")]))
    made.write(output)
    damage = len(made) - made.rows["error"].null_count
    return Report(len(waiting), len(files) - len(waiting), len(made), os.path.getsize(output), damage=damage)


def _facts(src: Paths, storage: StorageOptions | None = None) -> list[FileFacts]:
    return [facts_if_there(absolute(name), storage) for name in list_files(src, storage)]


def _listed(src: Paths) -> list[str | os.PathLike[str]]:
    return [src] if isinstance(src, (str, os.PathLike)) else list(src)


def _local(src: Paths) -> list[FileFacts]:
    """Files for the program in the package, which reads no object stores."""
    names = _listed(src)
    for name in names:
        if is_remote(name):
            reason = "this job reads files, as of a mounted object store"
            raise Error(f"{name}: {reason}", code="unsupported", file=str(name), reason=reason)
    return _facts(names)


def _grown(spark: Any, table: TableFolder, files: list[FileFacts], batches: Batches, cuts: bool) -> Report:
    added = table.append(spark, files, batches, cuts)
    failures = Rows(Failure, added.unread)
    return Report(added.files, added.complete, added.rows, added.bytes, failures, damage=added.damage)


@dataclass(frozen=True)
class _Names:
    """Where the output of a file is."""

    root: str  #: of the inputs
    folder: str
    to: str

    def output_of(self, path: str) -> str:
        name = os.path.relpath(path, self.root)
        extension = _ositrace.trace_extension(os.fsencode(name))
        return os.path.join(self.folder, name.removesuffix(extension or "") + "." + self.to)

    def check(self, paths: Iterable[str]) -> None:
        inputs: dict[str, str] = {}
        for path in paths:
            output = self.output_of(path)
            other = inputs.setdefault(output, path)
            if other != path:
                raise Error(f"{other} and {path} have the same output {output}")


def _is_complete(output: str, file: FileFacts) -> bool:
    try:
        return os.stat(output).st_mtime_ns >= file.mtime_ns
    except OSError:
        return False


_CONVERTED = "path STRING, frames BIGINT, bytes BIGINT, error STRING, notes ARRAY<STRING>"


def _columns_of(pa: Any) -> list[tuple[str, Any]]:
    return [
        ("path", pa.string()),
        ("frames", pa.int64()),
        ("bytes", pa.int64()),
        ("error", pa.string()),
        ("notes", pa.list_(pa.field("element", pa.string()))),
    ]


def _converted(path: str, names: _Names, staged: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a file. Of two tasks that do this at the same time both leave a whole output."""
    from .._verbs import convert as convert_file

    output = names.output_of(path)
    part = os.path.join(staged, f"{os.getpid()}-{os.urandom(8).hex()}.{names.to}")
    row: dict[str, Any] = {"path": printable(path), "frames": 0, "bytes": 0, "error": None, "notes": []}
    arguments: dict[str, Any] = {"threads": 1, **options}
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        try:
            done = convert_file(path, part, **arguments)
            os.makedirs(os.path.dirname(output), exist_ok=True)
            os.replace(part, output)
            row |= {"frames": done.frames, "bytes": done.bytes_out}
        except Error as error:
            row["error"] = printable(str(error)).replace(part, output)
        except OSError as error:  # of the folder or the name of the output
            row["error"] = printable(f"{output}: {error.strerror}")
    return row | {"notes": [printable(str(note.message)).replace(part, output) for note in noted]}


_FINDINGS = {
    "file_id": "int64",
    "path": "string",
    "severity": "string",
    "id": "string",
    "count": "int64",
    "frame": "int64",
    "time": "float64",
    "time_ns": "int64",
    "byte": "int64",
    "channel": "string",
    "field": "string",
    "message": "string",
}


def _findings(file: FileFacts, options: Mapping[str, Any], unread: list[Failure]) -> Iterator[dict[str, Any]]:
    from .._verbs import check as check_file

    whose = {"file_id": file.file_id, "path": printable(file.path)}
    try:
        found = check_file(file.path, **options)
    except Error as error:
        if error.code in ("io", "missing"):
            unread.append(Failure(printable(file.path), printable(str(error))))
        else:
            yield whose | {"severity": "failed", "message": str(error)}
        return
    ((_, frames),) = found.frames.items()
    notes = [note for several in found.notes.values() for note in several]
    if frames is not None:
        notes.insert(0, counted(frames, "frame"))
    yield whose | {"severity": "failed" if frames is None else "checked", "message": "; ".join(notes)}
    counts = {row.id: row.count for row in found.counts}
    for row in found:
        places = ("severity", "id", "frame", "time", "time_ns", "byte", "channel", "field", "message")
        yield whose | {"count": counts[row.id]} | {name: getattr(row, name) for name in places}
