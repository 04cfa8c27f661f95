# SPDX-License-Identifier: MPL-2.0
"""A folder of Parquet files that grows, commit by commit."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from .._error import Error
from .._files import FileFacts
from .._rows import optional_package
from .._scan import printable
from ._plan import Failure, Partition, plan
from ._session import cores_of, run

#: Readers of Parquet pass over names that begin so.
_STAGING = "_staging"
_COMMITS = "_commits"
#: In the metadata of a list of files: the options of the job, as JSON.
_OPTIONS = b"ositrace.options"
_ROWS_OF_A_GROUP = 1 << 18
_BYTES_OF_A_GROUP = 64 << 20
#: Bytes of files between two commits, for each core: an end of the driver loses minutes.
COMMIT_BYTES = 8 << 30


@contextmanager
def staging(folder: str) -> Iterator[str]:
    """A folder for what is not complete. What an earlier job left, whose driver was killed, is removed.

    What is complete is moved by `rename` alone: mounted object stores have no hard links.
    """
    mine = os.path.join(folder, _STAGING)
    shutil.rmtree(mine, ignore_errors=True)
    run = os.path.join(mine, uuid.uuid4().hex)  # a task of an earlier job that still runs has no folder
    os.makedirs(run)
    try:
        yield run
    finally:
        shutil.rmtree(mine, ignore_errors=True)


class Added(NamedTuple):
    """What an append added."""

    files: int
    complete: int  #: that were in the table
    rows: int
    bytes: int
    damage: int  #: rows that report damage
    unread: list[Failure]  #: files that the system could not read; the next append tries them again


#: Makes the rows of a partition, and adds to its second argument the files that the system could not read.
Batches = Callable[[Partition, list[Failure]], Iterator[Any]]


class TableFolder:
    """Parquet files `part-COMMIT-NUMBER.parquet`, and in `_commits` a list of files for each commit.

    A part is valid if its commit has a list, which is written last. Others are removed by the next job.

    Parameters
    ----------
    options : mapping
        What the rows depend on besides the files: all rows of a table are made with the same.
    is_damage : tuple
        A column, and the value that it has in a row that reports damage; None: any value.
    """

    def __init__(
        self, folder: str, schema: Any, options: Mapping[str, Any], is_damage: tuple[str, str | None]
    ) -> None:
        self._folder = folder
        self._commits = os.path.join(folder, _COMMITS)
        self._schema = schema
        self._options = json.loads(json.dumps(options, default=str))
        self._is_damage = is_damage

    def append(self, spark: Any, files: list[FileFacts], batches: Batches, cuts: bool) -> Added:
        """Add the rows of files that are not in the table."""
        with staging(self._folder) as staged:
            os.makedirs(self._commits, exist_ok=True)
            self._check_columns()
            self._check_options()
            self._remove_invalid()
            known = self._file_ids()
            waiting = [file for file in files if file.file_id not in known]
            rows = size = damage = 0
            unread: list[Failure] = []
            cores = cores_of(spark)
            for some in _in_commits(waiting, COMMIT_BYTES * cores):
                partitions = plan(some, cores, cuts=cuts)
                parts = run(spark, partitions, self._writer(staged, batches), _WRITTEN).collect()
                failed = [Failure(one.path, one.error) for part in parts for one in part.unread]
                paths = {one.path for one in failed}
                self._commit(parts, [file for file in some if printable(file.path) not in paths])
                rows += sum(part.rows for part in parts)
                size += sum(part.bytes for part in parts)
                damage += sum(part.damage for part in parts)
                unread += failed
        done = len(waiting) - len(unread)
        return Added(done, len(files) - len(waiting), rows, size, damage, unread)

    def _writer(self, staged: str, batches: Batches) -> Callable[[Partition], Iterator[Any]]:
        schema = self._schema
        column, value = self._is_damage

        def written(partition: Partition) -> Iterator[Any]:
            """A task that runs twice writes two parts, of which Spark knows one."""
            pa = optional_package("pyarrow", "ositrace.spark")
            pc = optional_package("pyarrow.compute", "ositrace.spark")
            pq = optional_package("pyarrow.parquet", "ositrace.spark")
            part, rows, damage = os.path.join(staged, f"{uuid.uuid4().hex}.parquet"), 0, 0
            unread: list[Failure] = []
            texts = [field.name for field in schema if pa.types.is_string(field.type) or field.name == "file_id"]
            with pq.ParquetWriter(part, schema, compression="zstd", use_dictionary=texts) as writer:
                for group in _row_groups(pa, schema, batches(partition, unread)):
                    writer.write_table(group)
                    rows += group.num_rows
                    found = group[column]
                    reports = found.is_valid() if value is None else pc.equal(found, value)
                    damage += pc.sum(reports).as_py() or 0
            made = {"part": part, "rows": rows, "bytes": os.path.getsize(part), "damage": damage}
            made["unread"] = [{"path": one.path, "error": one.error} for one in unread]
            failure = pa.struct([("path", pa.string()), ("error", pa.string())])
            types = {"part": pa.string(), "unread": pa.list_(pa.field("element", failure))}
            yield pa.RecordBatch.from_pylist(
                [made], schema=pa.schema([(name, types.get(name, pa.int64())) for name in made])
            )

        return written

    def _commit(self, parts: list[Any], files: list[FileFacts]) -> None:
        pa = optional_package("pyarrow", "ositrace.spark")
        pq = optional_package("pyarrow.parquet", "ositrace.spark")
        commit = uuid.uuid4().hex
        for i, part in enumerate(parts):
            if part.rows:
                os.replace(part.part, os.path.join(self._folder, f"part-{commit}-{i:05}.parquet"))
        listed = os.path.join(os.path.dirname(parts[0].part), f"{commit}.parquet")
        ids = pa.array([file.file_id for file in files], pa.int64())
        table = pa.table({"file_id": ids, "path": pa.array([printable(file.path) for file in files], pa.string())})
        pq.write_table(table.replace_schema_metadata({_OPTIONS: json.dumps(self._options)}), listed)
        os.replace(listed, os.path.join(self._commits, f"{commit}.parquet"))

    def _check_columns(self) -> None:
        """A table has the columns of its first job."""
        pq = optional_package("pyarrow.parquet", "ositrace.spark")
        for name in os.listdir(self._folder):
            if not name.startswith("part-"):
                continue
            found = pq.read_schema(os.path.join(self._folder, name))
            if not found.equals(self._schema):
                known = ", ".join(found.names)
                raise Error(f"{self._folder} has other columns: {known}; write these into another folder")
            return

    def _check_options(self) -> None:
        """A table has the rows that the options of its first job ask for."""
        pq = optional_package("pyarrow.parquet", "ositrace.spark")
        for name in os.listdir(self._commits):
            text = (pq.read_schema(os.path.join(self._commits, name)).metadata or {}).get(_OPTIONS)
            if text is None:
                continue
            before = json.loads(text)
            for option in {**before, **self._options}:
                then, now = before.get(option), self._options.get(option)
                if then != now:
                    texts = f"{option} {_text_of(then)}, and not {_text_of(now)}"
                    raise Error(f"{self._folder} was written with {texts}; write these into another folder")
            return

    def _remove_invalid(self) -> None:
        valid = {name.removesuffix(".parquet") for name in os.listdir(self._commits)}
        for name in os.listdir(self._folder):
            if name.startswith("part-") and name.split("-")[1] not in valid:
                os.unlink(os.path.join(self._folder, name))

    def _file_ids(self) -> set[int]:
        pq = optional_package("pyarrow.parquet", "ositrace.spark")
        lists = (os.path.join(self._commits, name) for name in os.listdir(self._commits))
        return {one for path in lists for one in pq.read_table(path, columns=["file_id"])["file_id"].to_pylist()}


def _row_groups(pa: Any, schema: Any, batches: Iterator[Any]) -> Iterator[Any]:
    """Of many small files a row group has many batches."""
    group: list[Any] = []
    rows = size = 0
    for batch in batches:
        group.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
        if rows >= _ROWS_OF_A_GROUP or size >= _BYTES_OF_A_GROUP:
            yield pa.Table.from_batches(group, schema)
            group, rows, size = [], 0, 0
    if group:
        yield pa.Table.from_batches(group, schema)


def _text_of(option: Any) -> str:
    return "of the default" if option is None else json.dumps(option)


_WRITTEN = "part STRING, rows BIGINT, bytes BIGINT, damage BIGINT, unread ARRAY<STRUCT<path: STRING, error: STRING>>"


def _in_commits(files: list[FileFacts], most_bytes: int) -> Iterator[list[FileFacts]]:
    some: list[FileFacts] = []
    size = 0
    for file in files:
        some.append(file)
        size += file.size
        if size >= most_bytes:
            yield some
            some, size = [], 0
    if some:
        yield some
