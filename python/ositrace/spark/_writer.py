# SPDX-License-Identifier: MPL-2.0
"""Traces that Spark writes: rows of messages become files of a folder."""

from __future__ import annotations

import os
import shutil
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyspark.sql.datasource import (  # type: ignore[import-not-found,unused-ignore]
    DataSourceArrowWriter,
    WriterCommitMessage,
)

from .._error import Error
from .._writer import Writer, create

#: Columns of a row that is a message, and whether each must be there.
COLUMNS = {"path": True, "topic": False, "type": True, "time": False, "payload": True}


@dataclass
class Written(WriterCommitMessage):  # type: ignore[misc,unused-ignore]
    """The files of a task: where they are, and their paths in the folder."""

    files: list[tuple[str, str]]


class TraceWriter(DataSourceArrowWriter):  # type: ignore[misc,unused-ignore]
    """Tasks write into a folder of their own below `_staging`; `commit()` gives the files their names.

    All messages of a file must be in one partition, in their order: `repartition("path").sortWithinPartitions(...)`.
    """

    def __init__(self, folder: str, columns: list[str], overwrite: bool) -> None:
        unknown = [name for name in columns if name not in COLUMNS]
        missing = [name for name, needed in COLUMNS.items() if needed and name not in columns]
        if unknown or missing:
            found = ", ".join(columns)
            raise ValueError(f"columns {found}: expected path, type, payload, and if wanted topic and time (seconds)")
        self._folder = os.path.abspath(folder)
        self._staging = os.path.join(self._folder, "_staging", uuid.uuid4().hex)
        self._overwrite = overwrite
        os.makedirs(self._staging)  # by the driver: a task that still runs after `abort()` finds no folder

    def write(self, iterator: Iterator[Any]) -> Written:
        """The messages of a partition."""
        folder = os.path.join(self._staging, uuid.uuid4().hex)  # a task that runs twice has two
        os.mkdir(folder)
        writers: dict[str, Writer] = {}
        files: list[tuple[str, str]] = []
        try:
            for batch in iterator:
                for i in range(batch.num_rows):
                    row = {name: column[i] for name, column in zip(batch.schema.names, batch.columns)}
                    path = row["path"].as_py()
                    if path not in writers:
                        name = self._inside(path)
                        staged = os.path.join(folder, f"{len(files)}-{os.path.basename(name)}")
                        writers[path] = create(staged, overwrite=True)
                        files.append((staged, name))
                    _write(writers[path], path, row)
            for writer in writers.values():
                writer.close()
        except BaseException:
            for writer in writers.values():
                writer.discard()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return Written(files)

    def commit(self, messages: list[Any]) -> None:
        """Give the files their names, all or, where one exists or was written twice, none."""
        files = [file for message in messages if message is not None for file in message.files]
        try:
            for name, count in Counter(name for _, name in files).items():
                path = os.path.join(self._folder, name)
                if count > 1:
                    raise Error(f"{path}: {count} tasks wrote it; repartition('path') gives each file to one")
                if not self._overwrite and os.path.lexists(path):
                    raise Error(f"{path} exists. Use mode('overwrite') to replace it.", code="exists")
            for staged, name in files:
                path = os.path.join(self._folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                os.replace(staged, path)
        finally:
            self.abort(messages)

    def abort(self, messages: list[Any]) -> None:
        """Remove what was staged. Another task may still write, until it finds that its folder is gone."""
        for _ in range(100):
            shutil.rmtree(self._staging, ignore_errors=True)
            if not os.path.lexists(self._staging):
                break
        try:
            os.rmdir(os.path.dirname(self._staging))
        except OSError:
            pass  # another job stages files there

    def _inside(self, path: str | None) -> str:
        """The path of a file in the folder, normalized."""
        if not path:
            raise ValueError("a message has no path")
        name = os.path.normpath(path)
        if os.path.isabs(name) or name.split(os.sep)[0] in ("..", "_staging"):
            raise ValueError(f"path {path!r}: expected one below {self._folder}")
        return name


def _write(writer: Writer, path: str, row: dict[str, Any]) -> None:
    type, payload = row["type"].as_py(), row["payload"].as_buffer()
    topic = row["topic"].as_py() if "topic" in row else None
    time = row["time"].as_py() if "time" in row else None
    if type is None or payload is None:
        raise ValueError(f"{path}: a message has no {'type' if type is None else 'payload'}")
    if topic is None:
        topic = next(iter(writer.channels), None)
    if topic not in writer.channels:
        topic = writer.add_channel(type, topic)
    writer.write(memoryview(payload), channel=topic, time=time)
