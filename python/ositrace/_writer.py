# SPDX-License-Identifier: MPL-2.0
"""Traces that are written."""

from __future__ import annotations

import builtins
import os
import warnings
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Union, cast

from . import _arguments, _ositrace
from ._error import Error, unknown_name, warn
from ._ositrace import Channel, Frame, Message
from ._remote import refuse_remote
from ._rows import counted
from ._trace import MOST_SECONDS, open_unless_text


#: A message: a frame of a trace, a message of one, its bytes, or an object of `osi3`.
Writable = Union[Frame, Message, bytes, bytearray, memoryview, Any]


def create(
    path: str | os.PathLike[str],
    *,
    type: str | None = None,
    topic: str | None = None,
    channels: Mapping[str, str] | Iterable[Channel] = (),
    metadata: Mapping[str, Mapping[str, str]] | Iterable[tuple[str, Mapping[str, str]]] | None = None,
    encoding: str | None = None,
    schema: str | os.PathLike[str] | bytes | None = None,
    overwrite: bool = False,
    to: str | None = None,
    compression: str | None = None,
    level: int | None = None,
    chunk_size: int | None = None,
    threads: int = 1,
    sync: bool = True,
    recording: bool = False,
) -> Writer:
    """Create a trace. The file appears under its name when `close()` has returned.

    Parameters
    ----------
    path : path
        The extension decides container, encoding and compression: `.osi`, `.osifb`, `.txth`, `.jsonl`, each also with
        `.zst` or `.lz4`, and `.mcap`. `-` is standard output.
    type, topic : str, optional
        A channel: the type of its messages (`GroundTruth`, `osi3.GroundTruth`, `gt`) and its topic, at first the type.
        Without one the first thing that is written decides.
    channels : mapping of topics to types, or channels of another trace, optional
        Of the latter schema and metadata are kept, too. More channels come with what is written (MCAP).
    metadata : mapping of mappings, or names with mappings, optional
        MCAP: metadata records as `Trace.metadata` or `Trace.metadata_records` has them. OSI's record is
        `net.asam.osi.trace`; the versions in it follow from the messages.
    encoding : {"protobuf", "flatbuffers"}, optional
        Of the messages in an MCAP file; otherwise the extension decides. Messages that are written are converted to it.
    schema : path or bytes, optional
        A serialized FileDescriptorSet of another OSI release, for channels that are given by their type.
    overwrite : bool
        Replace an existing file, at `close()`.
    to : str, optional
        `mcap`, `osi.zst`: instead of the extension of the path.
    compression, chunk_size : str and int, optional
        MCAP: `none`, `lz4` (the default) or `zstd`, and the bytes at which a chunk is closed (4 MiB).
    level : int, optional
        Of the compression: lz4 1 to 12, zstd 1 to 22.
    threads : int
        That compress; 0 is one per core.
    sync : bool
        Wait at the end until the contents are on the disk.
    recording : bool
        The output is a visible file `<path>.part` until `close()`, which `recover` reads when the process dies.

    Raises
    ------
    Error
        With `code` `exists` without `overwrite`, `usage` for options that do not fit, `io`.

    >>> with ositrace.create("part.osi") as writer:
    ...     for frame in trace.between(2, 5):
    ...         writer.write(frame)
    """
    if not isinstance(path, (str, os.PathLike)):
        raise _arguments.wrong_type("path", path, "a path")
    refuse_remote("path", path)
    texts = {"type": type, "topic": topic, "encoding": encoding, "to": to, "compression": compression}
    for name, text in texts.items():
        _arguments.text(name, text)
    for name, number in {"level": level, "chunk_size": chunk_size, "threads": threads}.items():
        _arguments.whole_number(name, number, range(2**31))
    _arguments.flags(overwrite=overwrite, sync=sync, recording=recording)
    records = _records(metadata)
    if not isinstance(channels, Mapping):
        _arguments.texts("channels", channels, 'channels, or a dict: {"topic": "type"}')
    handle = _ositrace.create(
        path,
        encoding=encoding,
        metadata=records,
        overwrite=overwrite,
        extension="" if to is None else "." + to.lstrip("."),
        compression=compression,
        level=level,
        chunk_size=chunk_size,
        threads=threads,
        sync=sync,
        recording=recording,
    )
    writer = Writer(handle, schema, os.fspath(path))
    try:
        if type is not None:
            writer.add_channel(type, topic)
        elif topic is not None:
            raise ValueError("topic needs a type; or name the topic in write(channel=...)")
        if isinstance(channels, Mapping):
            for name, of_type in cast("Mapping[str, str]", channels).items():
                writer.add_channel(of_type, name)
        else:
            for like in channels:
                writer.add_channel(like)
    except BaseException:
        handle.discard()
        raise
    return writer


def _records(metadata: Any) -> list[tuple[str, dict[str, str]]]:
    if metadata is None:
        return []
    if isinstance(metadata, Mapping):
        pairs = list(metadata.items())
    elif isinstance(metadata, (list, tuple)) and all(isinstance(one, tuple) and len(one) == 2 for one in metadata):
        pairs = list(metadata)
    else:
        raise _arguments.wrong_type("metadata", metadata, "a dict of dicts, or a list of names with dicts")
    for name, entries in pairs:
        _arguments.text("metadata: name", name)
        _arguments.mapping(f'metadata["{name}"]', entries, "texts")
        for key, text in entries.items():
            _arguments.text(f'metadata["{name}"]["{key}"]', text)
    return [(name, dict(entries)) for name, entries in pairs]


class Writer(_arguments.PublicNames):
    """A trace that is written. A context manager: an exception in its `with` block leaves no file."""

    def __init__(
        self, handle: _ositrace.WriterHandle, schema: str | os.PathLike[str] | bytes | None, path: str
    ) -> None:
        self._handle = handle
        self._schema = schema
        self._path = path
        self._types: dict[str, str] = {}  # by topic, in the order of the channels
        self._numbers: dict[str, int] = {}  # by topic

    @property
    def channels(self) -> dict[str, str]:
        """Topics and the types of their messages."""
        return dict(self._types)

    @property
    def frames(self) -> int:
        """Number of frames that were written."""
        return self._handle.frames

    @property
    def closed(self) -> bool:
        """Has `close()` or `discard()` been called?"""
        return self._handle.closed

    def add_channel(
        self, like: str | Channel, topic: str | None = None, metadata: Mapping[str, str] | None = None
    ) -> str:
        """Add a channel of a type, or like a channel of another trace, and return its topic.

        Raises
        ------
        Error
            `unsupported` where the container holds one channel.
        """
        wanted = topic if topic is not None else like.topic if isinstance(like, Channel) else None
        if wanted in self._types:
            raise self._error(f"there is a channel '{wanted}' already")
        if isinstance(like, Channel):
            number = self._handle.add_like(like, topic)
        else:
            number = self._handle.add_new(like, topic, self._schema, dict(metadata or {}))
        added, self._types[added] = self._handle.channel(number)
        self._numbers[added] = number
        return added

    def write(
        self,
        what: Writable,
        *,
        time: float | None = None,
        time_ns: int | None = None,
        channel: str | None = None,
    ) -> None:
        """Write one message.

        Parameters
        ----------
        what : Frame, Message, bytes-like or object of `osi3`
            Bytes are a message in the encoding of the channel; their structure is checked. The others are converted
            where the channel has another encoding.
        time, time_ns : float in seconds, or int in nanoseconds, optional
            When it was recorded (MCAP: the log time); else that of the frame, else the timestamp of the message. A
            container without such times refuses one that is not the timestamp.
        channel : str, optional
            The topic; a new one becomes a channel. Without it a frame goes to the channel of its topic, and everything
            else to the only channel of its type.

        Raises
        ------
        Error
            `malformed` for a broken message, with frame and byte; `mismatch` for bytes in another encoding; `usage`
            where the channel is not clear; `io`.
        """
        if time is not None and time_ns is not None:
            raise ValueError("time and time_ns exclude each other")
        _arguments.number("time", time)
        if time is not None:
            if not -MOST_SECONDS < time < MOST_SECONDS:
                raise ValueError(f"time={time}: expected seconds, which have 64 bits in nanoseconds")
            time_ns = builtins.round(time * 1e9)
        _arguments.whole_number("time_ns", time_ns)
        _arguments.text("channel", channel)
        if isinstance(what, Frame):
            self._handle.write_frame(self._channel_of_frame(what, channel), what, time_ns)
        elif isinstance(what, (bytes, bytearray, memoryview)):
            self._handle.write_payload(self._channel_of(None, channel), what, False, time_ns)
        elif hasattr(what, "SerializeToString"):
            number = self._channel_of(what.DESCRIPTOR.full_name, channel)
            self._handle.write_payload(number, what.SerializeToString(), True, time_ns)
        else:
            kind = what.__class__.__name__
            raise TypeError(f"write() takes a Frame, a Message, bytes or an object of osi3, not '{kind}'")

    def close(self) -> int:
        """Finish the file and give it its name; the number of its bytes. What it could not hold is a warning."""
        size = self._handle.close()
        for note in self._handle.notes():
            warn(note)
        if not self._handle.several_channels and self.frames and os.path.isfile(self._path):
            self._warn_unless_recognised()
        return size

    def _warn_unless_recognised(self) -> None:
        """Content and name alone say what the messages of such a file are."""
        try:
            open_unless_text(self._path, None, self._schema, False)
        except Error as error:
            if error.code == "ambiguous":
                of = next(iter(self._types.values())).rpartition(".")[2]
                warn(f"{self._handle.file}: the content fits several types; open it by open(..., type={of!r})")

    def discard(self) -> None:
        """End without a file."""
        self._handle.discard()

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            self.discard()
        elif not self.closed:
            self.close()

    def __del__(self) -> None:
        if not self.closed:
            warnings.warn(f"{self!r} was not closed, and there is no file", ResourceWarning, source=self)
            self.discard()

    def __repr__(self) -> str:
        state = "closed" if self.closed else counted(self.frames, "frame")
        return f"<Writer {self._handle.file!r}: {state}>"

    def _channel_of_frame(self, frame: Frame, topic: str | None) -> int:
        like = frame.channel
        if topic is None:
            topic = like.topic
            if topic not in self._types and self._types and not self._handle.several_channels:
                topic = next(iter(self._types))
        return self._channel_named(topic, like.type, like)

    def _channel_of(self, type: str | None, topic: str | None) -> int:
        if topic is not None:
            return self._channel_named(topic, type, type)
        fitting = [known for known, of_type in self._types.items() if type in (None, of_type)]
        if len(fitting) == 1:
            return self._numbers[fitting[0]]
        if fitting:
            topics = ", ".join(map(repr, fitting))
            raise self._error(f"several channels fit; name one by write(channel=...) (topics: {topics})")
        if type is None:
            raise self._error("bytes do not say what they are; name their type by create(type=...)")
        if self._types and not self._handle.several_channels:
            raise self._error(f"holds {next(iter(self._types.values()))} messages, found {type}", "mismatch")
        return self._numbers[self.add_channel(type)]

    def _channel_named(self, topic: str, type: str | None, like: str | Channel | None) -> int:
        of_type = self._types.get(topic)
        if of_type is not None:
            if type not in (None, of_type):
                raise self._error(f"channel '{topic}' holds {of_type} messages, found {type}", "mismatch")
            return self._numbers[topic]
        if like is None:
            raise unknown_name(topic, "channel", self._types, self._handle.file)
        return self._numbers[self.add_channel(like, topic)]

    def _error(self, reason: str, code: str = "usage") -> Error:
        file = self._handle.file
        return Error(f"{file}: {reason}", code=code, file=file, reason=reason)
