# SPDX-License-Identifier: MPL-2.0
"""Files of a lake: which there are, and a number that tells one from another."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Union

from . import _ositrace
from ._error import Error, MissingFileError
from ._remote import StorageOptions, is_remote, list_remote, remote_facts

Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


class FileFacts(NamedTuple):
    """A file as it was when it was listed."""

    path: str
    size: int  #: bytes
    mtime_ns: int

    @property
    def file_id(self) -> int:
        return file_id(*self)


def file_id(path: str, size: int, mtime_ns: int) -> int:
    """A number for the contents of a file, signed, of 64 bits: the same in every process as long as these are the same.

    The path is made absolute, so it does not depend on the working directory.
    """
    text = b"%s\0%d\0%d" % (os.fsencode(absolute(path)), size, mtime_ns)
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little", signed=True)


def absolute(path: str) -> str:
    """The name of a file that does not depend on the working directory; a URL is one."""
    return path if is_remote(path) else os.path.abspath(path)


def facts_of(path: str, storage: StorageOptions | None = None) -> FileFacts:
    """Size and time of a file or an object; an Error where there is none."""
    if is_remote(path):
        return FileFacts(path, *remote_facts(path, storage))
    try:
        status = os.stat(path)
    except FileNotFoundError:
        raise _missing(path, f"{path}: No such file or directory") from None
    except OSError as error:
        raise Error(f"{path}: {error.strerror}", code="io", file=path, reason=error.strerror) from None
    return FileFacts(path, status.st_size, status.st_mtime_ns)


def check_is_unchanged(file: FileFacts, since: str, storage: StorageOptions | None = None) -> None:
    """A file that is another one since then is an error: what is known of it is of two versions."""
    now = facts_of(file.path, storage)
    if now != file:
        reason = f"it changed after {since} ({file.size} bytes then, {now.size} now)"
        raise Error(f"{file.path}: {reason}", code="mismatch", file=file.path, reason=reason)


def list_files(paths: Paths, storage: StorageOptions | None = None) -> list[str]:
    """Files of paths, patterns and folders, in the order of these.

    A pattern's files are sorted by name, and so are those of a folder: every trace in it and below.
    """
    files: list[str] = []
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        name = os.fspath(path)
        if is_remote(name):
            found = list_remote(name, storage)
            if not found:
                raise _missing(name, f"no object matches '{name}'")
        elif os.path.lexists(name) or not glob.has_magic(name):
            found = _expanded(name)
            if not found:
                reason = "the folder contains no trace"
                raise Error(f"{name}: {reason}", code="io", file=name, reason=reason)
        else:
            matches = sorted(glob.glob(name, recursive=True))
            if not matches:
                raise _missing(name, f"no file matches '{name}'")
            found = list(dict.fromkeys(file for match in matches for file in _expanded(match)))
        files += found
    return files


def _expanded(path: str) -> list[str]:
    """The traces of a folder; another path is what it names."""
    return sorted(_traces_below(path), key=_parts) if os.path.isdir(path) else [path]


def _parts(path: str) -> list[str]:
    return path.split(os.sep)


def _traces_below(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _traces_below(entry.path)
        elif entry.is_file() and _ositrace.trace_extension(os.fsencode(entry.name)):
            yield entry.path


def _missing(path: str, text: str) -> MissingFileError:
    return MissingFileError(text, code="io", file=path)
