# SPDX-License-Identifier: MPL-2.0
"""The interface of `osi3trace.osi_trace.OSITrace` (osi-python 3.8.0), on the readers of this package.

>>> from ositrace.compat import OSITrace
>>> trace = OSITrace("drive.osi", type_name="GroundTruth")

Messages are objects of `osi3`. In addition to what that class has, index access works for MCAP files, and every
container, encoding and compression is read.
"""

from __future__ import annotations

import importlib
import lzma
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Union, cast

from . import _trace
from ._error import Error, warn
from ._ositrace import Frame

__all__ = ["Metadata", "OSITrace"]

_MESSAGE_TYPES = (
    "SensorView",
    "SensorViewConfiguration",
    "GroundTruth",
    "HostVehicleData",
    "SensorData",
    "TrafficCommand",
    "TrafficCommandUpdate",
    "TrafficUpdate",
    "MotionRequest",
    "StreamingUpdate",
)

_HEADER_BYTES = 4
_TO_THE_END = 1 << 62

#: Of files with one channel: those that osi3trace reads, and the other ones that this package reads.
_SUFFIXES = (".osi", ".lzma", ".xz", ".osifb", ".zst", ".lz4", ".gz")


@dataclass(frozen=True)
class Metadata:
    """A metadata record of an MCAP file."""

    name: str
    metadata: dict[str, str]


class _Single:
    """A file with one channel. It knows the offsets of the messages that were read, and of the next one."""

    def __init__(self, path: Path, type_name: str, cache_messages: bool) -> None:
        self.type: Any = OSITrace.map_message_type(type_name)
        self.current_index: int | None = 0
        self.message_offsets: list[int] | None = [0]
        self.read_complete = False
        self.message_cache: dict[int, Any] | None = {} if cache_messages else None
        self._path = path
        self._file: BinaryIO | None = None
        self._trace = None if path.stat().st_size == 0 else _trace.open(path, type=type_name)
        self._next = 0  # number of the message at the position of the file
        self._ahead: tuple[int, Iterator[Frame]] | None = None  # the number of its next frame
        self._position = 0

    @property
    def file(self) -> BinaryIO | None:
        """The open file, uncompressed, at the next message."""
        if self.type is None:
            return None
        if self._file is None:
            compressed = self._path.suffix.lower() in (".lzma", ".xz")
            self._file = cast(BinaryIO, lzma.open(self._path, "rb") if compressed else open(self._path, "rb"))
        self._file.seek(max(self._position, 0), os.SEEK_END if self._position < 0 else os.SEEK_SET)
        return self._file

    def retrieve_offsets(self, limit: int | None = None) -> list[int]:
        offsets = self._offsets()
        if not self.read_complete:
            self.current_index = len(offsets) - 1
            self._seek(len(offsets) - 1)
        while not self.read_complete and (not limit or len(offsets) <= limit):
            self.retrieve_message(skip=True)
        return offsets

    def retrieve_message(self, index: int | None = None, skip: bool = False) -> Any:
        offsets = self._offsets()
        if index is not None:
            self.current_index = index
            self._seek(index)
        current = cast(int, self.current_index)
        if self.message_cache is not None and current in self.message_cache:
            message = self.message_cache[current]
            self.current_index = current + 1
            if self.current_index == len(offsets):
                self._next = self._position = -1  # the end of the file
            else:
                self._seek(self.current_index)
            return offsets[self.current_index] if skip else message
        is_new = self._position == offsets[-1]
        frame = self._frame()
        if frame is None:
            if is_new:
                offsets.pop()
                self.read_complete = True
            return None
        self.current_index = current + 1
        payload = frame.payload
        self._next += 1  # also past a message that is broken
        self._position += _HEADER_BYTES + payload.nbytes
        message = None if skip else _object_of(frame, payload, self.type)
        if is_new and message is not None and self.message_cache is not None:
            self.message_cache[len(offsets) - 1] = message
        if is_new:
            offsets.append(self._position)
        return self._position if skip else message

    def restart(self, index: int | None = None) -> None:
        self.current_index = index if index else 0
        self._seek(self.current_index)

    def __iter__(self) -> Iterator[Any]:
        while (message := self.retrieve_message()) is not None:
            yield message

    def get_message_by_index(self, index: int) -> Any:
        if index >= len(self._offsets()):
            self.retrieve_offsets(index)
        if self.message_cache is not None and index in self.message_cache:
            return self.message_cache[index]
        return self.retrieve_message(index=index)

    def get_messages(self) -> Iterator[Any]:
        return self.get_messages_in_index_range(0, None)

    def get_messages_in_index_range(self, begin: int, end: int | None) -> Iterator[Any]:
        if begin >= len(self._offsets()):
            self.retrieve_offsets(begin)
        self.restart(begin)
        current = begin
        while end is None or current < end:
            if self.message_cache is not None and current in self.message_cache:
                yield self.message_cache[current]
            else:
                message = self.retrieve_message()
                if message is None:
                    break
                yield message
            current += 1

    def close(self) -> None:
        if self._trace is not None:
            self._trace.close()
        if self._file is not None:
            self._file.close()
        self._file = self.current_index = self.message_cache = self.message_offsets = self.type = None
        self.read_complete = False

    def get_available_topics(self) -> list[str]:
        raise NotImplementedError("Getting available topics is only supported for multi-channel traces.")

    def get_file_metadata(self) -> list[Metadata]:
        raise NotImplementedError("Getting file metadata is only supported for multi-channel traces.")

    def get_channel_metadata(self) -> dict[str, str] | None:
        raise NotImplementedError("Getting channel metadata is only supported for multi-channel traces.")

    def _offsets(self) -> list[int]:
        if self.message_offsets is None:
            raise ValueError("the trace is closed")
        return self.message_offsets

    def _seek(self, index: int) -> None:
        offsets = self._offsets()
        self._position = offsets[index]
        self._next = index if index >= 0 else len(offsets) + index

    def _frame(self) -> Frame | None:
        """The next message; None at the end, where osi3trace also takes a message that is cut off to be."""
        if self._trace is None or self._next < 0:
            return None
        if self._ahead is None or self._ahead[0] != self._next:
            self._ahead = self._next, self._trace._handle.numbered_frames(0, self._next, _TO_THE_END, 1)
        frames = self._ahead[1]
        self._ahead = self._next + 1, frames
        try:
            return next(frames, None)
        except Error as error:
            if error.code != "usage":  # usage: there are fewer
                warn(str(error))
            return None


class _Multi:
    """A channel of an MCAP file, in the order of log times."""

    def __init__(self, path: Path, type_name: str, topic: str | None) -> None:
        self._trace = _trace.open(path)
        topics = self.get_available_topics(type_name)
        if topic is None:
            topic = next(iter(topics), None)
        if topic not in topics:
            self._trace.close()
            raise ValueError(
                f"The requested topic '{topic}' is not present in the trace file or is not of type '{type_name}'."
            )
        self.topic = topic
        self.type = OSITrace.map_message_type(type_name)
        self._frames: _trace.Frames | None = None
        self.current_index = 0

    def restart(self, index: int | None = None) -> None:
        if index is not None and index >= len(self._messages()):
            raise IndexError(f"there is no message {index}, there are {len(self._messages())}")
        self.current_index = index or 0

    def __iter__(self) -> Iterator[Any]:
        while self.current_index < len(self._messages()):
            for frame in self._messages()[self.current_index :]:
                expected = self.current_index
                self.current_index += 1
                yield _object_of(frame, frame.payload, self.type)
                if self.current_index != expected + 1:
                    break  # somebody else read on, or restarted

    def retrieve_offsets(self, limit: int | None = None) -> list[int]:
        raise NotImplementedError("Offsets are only supported for single-channel traces.")

    def retrieve_message(self, index: int | None = None, skip: bool = False) -> Any:
        if skip:
            raise NotImplementedError("Offsets are only supported for single-channel traces.")
        if index is not None:
            self.restart(index)
        if self.current_index >= len(self._messages()):
            return None
        self.current_index += 1
        frame = self._messages()[self.current_index - 1]
        return _object_of(frame, frame.payload, self.type)

    def get_message_by_index(self, index: int) -> Any:
        return self.retrieve_message(index)

    def get_messages_in_index_range(self, begin: int, end: int | None) -> Iterator[Any]:
        self.restart(begin)
        while end is None or self.current_index < end:
            message = self.retrieve_message()
            if message is None:
                break
            yield message

    def close(self) -> None:
        self._trace.close()

    def get_available_topics(self, type_name: str | None = None) -> list[str]:
        return [c.topic for c in self._trace.channels if type_name is None or c.type == f"osi3.{type_name}"]

    def get_file_metadata(self) -> list[Metadata]:
        return [Metadata(name, entries) for name, entries in self._trace._handle.metadata()]

    def get_channel_metadata(self) -> dict[str, str] | None:
        return self._trace[self.topic].channels[0].metadata

    def _messages(self) -> _trace.Frames:
        if self._frames is None:
            self._frames = self._trace[self.topic][:]
        return self._frames


class OSITrace:
    """A trace of one type, as `osi3trace.osi_trace.OSITrace` reads it.

    Iteration goes on where it was left; `restart()` begins anew, also at an index. A message at the end that is cut off
    ends the trace, with a warning; it has no offset, while osi3trace counts it when it skips messages.

    Parameters
    ----------
    path : str or path, optional
        Without one `from_file()` opens the trace.
    type_name : str
        `SensorView`, `GroundTruth` ...: see `message_types()`.
    cache_messages : bool
        Keep the messages that were read (files with one channel).
    topic : str, optional
        Of an MCAP file; at first the first one of the type.
    """

    _legacy_ositrace_attributes = frozenset(
        {"type", "file", "current_index", "message_offsets", "read_complete", "message_cache"}
    )

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        type_name: str = "SensorView",
        cache_messages: bool = False,
        topic: str | None = None,
    ) -> None:
        self.reader: _Single | _Multi | None = None
        if path is not None:
            self.from_file(path, type_name, cache_messages, topic)

    @staticmethod
    def map_message_type(type_name: str) -> Any:
        """The class of `osi3` for a type. Raises KeyError for an unknown one."""
        if type_name not in _MESSAGE_TYPES:
            raise KeyError(type_name)
        module = f"osi3.osi_{type_name.lower()}_pb2"
        try:
            return getattr(importlib.import_module(module), type_name)
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(f"OSITrace needs {module}: pip install osi-python", name=error.name) from None

    @staticmethod
    def message_types() -> list[str]:
        """The types that are known."""
        return list(_MESSAGE_TYPES)

    def from_file(
        self,
        path: str | os.PathLike[str],
        type_name: str = "SensorView",
        cache_messages: bool = False,
        topic: str | None = None,
    ) -> None:
        """Open a trace; the parameters are those of the class."""
        path = Path(path)
        if not path.exists():
            raise FileNotFoundError("File not found")
        suffix = path.suffix.lower()
        if suffix == ".mcap":
            self.reader = _Multi(path, type_name, topic)
        elif suffix in _SUFFIXES:
            self.reader = _Single(path, type_name, cache_messages)
        else:
            raise ValueError(f"Unsupported file format: '{path.suffix}'")

    def restart(self, index: int | None = None) -> None:
        """Begin anew, at a message that was reached already, or in an MCAP file at any."""
        self._opened().restart(index)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._opened())

    def close(self) -> None:
        """Release the file."""
        self._opened().close()

    def retrieve_offsets(self, limit: int | None = None) -> list[int]:
        """Offsets of the messages in an uncompressed file with one channel, up to `limit`."""
        return self._opened().retrieve_offsets(limit)

    def retrieve_message(self, index: int | None = None, skip: bool = False) -> Any:
        """The next message, or that of an index that was reached already; None at the end."""
        return self._opened().retrieve_message(index, skip)

    def get_message_by_index(self, index: int) -> Any:
        """A message by its number, from 0."""
        return self._opened().get_message_by_index(index)

    def get_messages_in_index_range(self, begin: int, end: int | None) -> Iterator[Any]:
        """Messages `begin <= number < end`; None is the end of the trace."""
        return self._opened().get_messages_in_index_range(begin, end)

    def get_available_topics(self) -> list[str]:
        """Topics of an MCAP file."""
        return self._opened().get_available_topics()

    def get_file_metadata(self) -> list[Metadata]:
        """Metadata records of an MCAP file."""
        return self._opened().get_file_metadata()

    def get_channel_metadata(self) -> dict[str, str] | None:
        """Metadata of the channel in an MCAP file."""
        return self._opened().get_channel_metadata()

    def __getattr__(self, name: str) -> Any:
        if name in self._legacy_ositrace_attributes and isinstance(self.__dict__.get("reader"), _Single):
            return getattr(self.reader, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        reader = self.__dict__.get("reader")
        holder = reader if name in self._legacy_ositrace_attributes and isinstance(reader, _Single) else self
        object.__setattr__(holder, name, value)

    def __dir__(self) -> list[str]:
        legacy = self._legacy_ositrace_attributes if isinstance(self.reader, _Single) else ()
        return [*super().__dir__(), *legacy]

    def _opened(self) -> Union[_Single, _Multi]:
        if self.reader is None:
            raise ValueError("no trace is open: call from_file()")
        return self.reader


def _object_of(frame: Frame, payload: memoryview, type: Any) -> Any:
    """A new object, also of a FlatBuffers message."""
    message = type()
    message.ParseFromString(payload if frame.channel.encoding == "protobuf" else frame.message.SerializeToString())
    return message
