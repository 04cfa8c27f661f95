# SPDX-License-Identifier: MPL-2.0
"""Traces that Spark writes: rows of messages become files of a folder."""

from __future__ import annotations

import os
import shutil
import uuid
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pyspark.sql.datasource import (  # type: ignore[import-not-found,unused-ignore]
    DataSourceArrowWriter,
    WriterCommitMessage,
)

from .. import _ositrace
from .._error import Error
from .._writer import create

#: Columns of a row that is a message, and whether each must be there.
COLUMNS = {"path": True, "topic": False, "type": True, "time": False, "payload": True}


@dataclass
class Written(WriterCommitMessage):  # type: ignore[misc,unused-ignore]
    """The files of a task: where they are, and their paths in the folder; and what they do not hold."""

    files: list[tuple[str, str]]
    notes: list[str]


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
        outputs: dict[str, _Output] = {}
        try:
            for number, row in enumerate(_rows(iterator)):
                name = self._inside(row["path"].as_py(), number)
                if name not in outputs:
                    staged = os.path.join(folder, f"{len(outputs)}-{os.path.basename(name)}")
                    outputs[name] = _Output(staged, os.path.join(self._folder, name))
                outputs[name].write(row)
            for output in outputs.values():
                output.close()
        except BaseException:
            for output in outputs.values():
                output.discard()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        files = [(output.staged, name) for name, output in outputs.items()]
        return Written(files, [note for output in outputs.values() for note in output.notes])

    def commit(self, messages: list[Any]) -> None:
        """Give the files their names, all or, where one exists or was written twice, none. Notes are warnings."""
        written = [message for message in messages if message is not None]
        files = [file for message in written for file in message.files]
        try:
            for name, count in Counter(name for _, name in files).items():
                path = os.path.join(self._folder, name)
                if count > 1:
                    raise Error(f"{path}: {count} tasks wrote it; repartition('path') gives each file to one")
                if os.path.isdir(path):
                    raise Error(f"{path} is a folder", code="exists", file=path)
                if not self._overwrite and os.path.lexists(path):
                    raise Error(f"{path} exists. Use mode('overwrite') to replace it.", code="exists")
            for staged, name in files:
                path = os.path.join(self._folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                os.replace(staged, path)
            for message in written:
                for note in message.notes:
                    warnings.warn(note, stacklevel=2)
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

    def _inside(self, path: str | None, row: int) -> str:
        """The path of a file in the folder, normalized."""
        if not path:
            raise ValueError(f"row {row} of its partition has no path")
        name = os.path.normpath(path)
        if os.path.isabs(name) or name.split(os.sep)[0] in ("..", "_staging"):
            raise ValueError(f"path {path!r}: expected one below {self._folder}")
        return name


def _rows(batches: Iterator[Any]) -> Iterator[dict[str, Any]]:
    for batch in batches:
        for i in range(batch.num_rows):
            yield {name: column[i] for name, column in zip(batch.schema.names, batch.columns)}


class _Output:
    """A file that a task stages. Errors name the path that it gets; a frame is a row of this path, from 0."""

    def __init__(self, staged: str, path: str) -> None:
        self.staged = staged
        self.notes: list[str] = []
        self._path = path
        self._types: dict[str, str] = {}  # full names of those that the rows have
        with self._errors():
            self._writer = create(staged, overwrite=True)

    def write(self, row: dict[str, Any]) -> None:
        payload = row["payload"].as_buffer()
        topic = row["topic"].as_py() if "topic" in row else None
        time = row["time"].as_py() if "time" in row else None
        with self._errors(self._writer.frames):
            if payload is None:
                raise Error("the message has no payload")
            self._writer.write(memoryview(payload), channel=self._channel(topic, row["type"].as_py()), time=time)

    def _channel(self, topic: str | None, type: str | None) -> str:
        """The topic; without one that of the first channel of the type."""
        if type is None:
            raise Error("the message has no type")
        if type not in self._types:
            self._types[type] = _ositrace.channel_of_type(type, "protobuf", None).type
        channels = self._writer.channels
        if topic is None:
            topic = next((known for known, of_type in channels.items() if of_type == self._types[type]), None)
        if topic is None or topic not in channels:
            return self._writer.add_channel(type, topic)
        if channels[topic] != self._types[type]:
            found = self._types[type]
            raise Error(f"channel '{topic}' holds {channels[topic]} messages, found {found}", code="mismatch")
        return topic

    def close(self) -> None:
        with self._errors(), warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            self._writer.close()
        self.notes += [str(note.message).replace(self.staged, self._path) for note in noted]

    def discard(self) -> None:
        self._writer.discard()

    @contextmanager
    def _errors(self, frame: int | None = None) -> Iterator[None]:
        try:
            yield
        except Error as error:
            raise error.of_file(self._path, frame) from None
        except ValueError as error:  # of a parameter that a column gives
            raise Error(str(error)).of_file(self._path, frame) from None
