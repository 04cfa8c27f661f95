# SPDX-License-Identifier: MPL-2.0
"""A folder of Parquet files that grows, commit by commit."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from .._error import Error
from .._files import FileFacts
from .._rows import optional_package
from ._plan import Partition, plan
from ._session import cores_of, run

#: Readers of Parquet pass over names that begin so.
_STAGING = "_staging"
_COMMITS = "_commits"
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
    rows: int
    bytes: int


class TableFolder:
    """Parquet files `part-COMMIT-NUMBER.parquet`, and in `_commits` a list of files for each commit.

    A part is valid if its commit has a list, which is written last. Others are removed by the next job.
    """

    def __init__(self, folder: str, schema: Any) -> None:
        self._folder = folder
        self._commits = os.path.join(folder, _COMMITS)
        self._schema = schema

    def append(
        self, spark: Any, files: list[FileFacts], batches: Callable[[Partition], Iterator[Any]], cuts: bool
    ) -> Added:
        """Add the rows of files that are not in the table."""
        with staging(self._folder) as staged:
            os.makedirs(self._commits, exist_ok=True)
            self._check_columns()
            self._remove_invalid()
            known = self._file_ids()
            waiting = [file for file in files if file.file_id not in known]
            rows = size = 0
            cores = cores_of(spark)
            for some in _in_commits(waiting, COMMIT_BYTES * cores):
                partitions = plan(some, cores, cuts=cuts)
                parts = run(spark, partitions, self._writer(staged, batches), _WRITTEN).collect()
                self._commit(parts, some)
                rows += sum(part.rows for part in parts)
                size += sum(part.bytes for part in parts)
        return Added(len(waiting), rows, size)

    def _writer(
        self, staged: str, batches: Callable[[Partition], Iterator[Any]]
    ) -> Callable[[Partition], Iterator[Any]]:
        schema = self._schema

        def written(partition: Partition) -> Iterator[Any]:
            """A task that runs twice writes two parts, of which Spark knows one."""
            pa = optional_package("pyarrow", "ositrace.spark")
            pq = optional_package("pyarrow.parquet", "ositrace.spark")
            part, rows = os.path.join(staged, f"{uuid.uuid4().hex}.parquet"), 0
            texts = [field.name for field in schema if pa.types.is_string(field.type) or field.name == "file_id"]
            with pq.ParquetWriter(part, schema, compression="zstd", use_dictionary=texts) as writer:
                for group in _row_groups(pa, schema, batches(partition)):
                    writer.write_table(group)
                    rows += group.num_rows
            yield pa.RecordBatch.from_pydict({"part": [part], "rows": [rows], "bytes": [os.path.getsize(part)]})

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
        pq.write_table(pa.table({"file_id": ids, "path": [file.path for file in files]}), listed)
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


_WRITTEN = "part STRING, rows BIGINT, bytes BIGINT"


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
