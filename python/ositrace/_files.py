# SPDX-License-Identifier: MPL-2.0
"""Files of a lake: which there are, and a number that tells one from another."""

from __future__ import annotations

import fnmatch
import glob
import hashlib
import os
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Union

from . import _arguments, _ositrace
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


def facts_if_there(path: str, storage: StorageOptions | None = None) -> FileFacts:
    """The same; where there is none, size and time are 0, and who reads the file says what is wrong."""
    try:
        return facts_of(path, storage)
    except Error:
        return FileFacts(path, 0, 0)


def check_is_unchanged(file: FileFacts, since: str, storage: StorageOptions | None = None) -> None:
    """A file that is another one since then is an error: what is known of it is of two versions."""
    now = facts_of(file.path, storage)
    if now != file:
        sizes = f"{file.size} bytes then, {now.size} now"
        reason = f"it changed after {since} ({sizes if now.size != file.size else 'its time is another'})"
        raise Error(f"{file.path}: {reason}", code="mismatch", file=file.path, reason=reason)


def list_files(paths: Paths, storage: StorageOptions | None = None) -> list[str]:
    """Files of paths, patterns and folders, in the order of these.

    A pattern's files are sorted by name, and so are those of a folder: every trace in it and below. Names that begin
    with `_` or `.` are skipped where they are not in the path or pattern, and tables of catalogs in a folder. Links
    are followed, and a file is listed once. Links that lead nowhere and folders that cannot be read are among the
    files: who opens them says why.
    """
    files: dict[str, str] = {}  # by real path
    for path in _arguments.paths(paths):
        name = os.fspath(path)
        if is_remote(name):
            objects = list_remote(name, storage)
            if not objects:
                raise _missing(name, f"no object matches '{name}'")
            found = {url: url for url in objects}
        elif os.path.isdir(name):
            found = _found(name, _TRACES_BELOW)
            if not found:
                reason = "the folder contains no trace"
                raise Error(f"{name}: {reason}", code="io", file=name, reason=reason)
        elif os.path.lexists(name) or not glob.has_magic(name):
            found = {os.path.realpath(name): name}
        else:
            found = _found(*_pattern(name))
            if not found:
                raise _missing(name, f"no file matches '{name}'")
        for real, file in found.items():
            files.setdefault(real, file)
    return list(files.values())


#: Part of a pattern: every trace of a folder.
_TRACE = ""
_TRACES_BELOW = ("**", _TRACE)


def _pattern(name: str) -> tuple[str, tuple[str, ...]]:
    """The folder before the first `*`, `?` or `[`, and the parts from there on."""
    parts = name.split(os.sep)
    first = next(i for i, part in enumerate(parts) if glob.has_magic(part))
    wanted = tuple(part for part in parts[first:] if part)
    if not parts[-1]:
        wanted += _TRACES_BELOW
    return os.sep.join(parts[:first]) or (os.sep if name.startswith(os.sep) else ""), wanted


class _Folder(NamedTuple):
    path: str
    real: str  #: without links
    parts: tuple[str, ...]  #: of a pattern, for what is in it
    links: int  #: that lead to it


def _found(top: str, parts: tuple[str, ...]) -> dict[str, str]:
    """The files below a folder that match, by real path, sorted by name; by as few links as there is a way with."""
    found: dict[str, tuple[int, str]] = {}
    waiting = deque([_Folder(top, os.path.realpath(top), parts, 0)])  # linked ones last
    seen = set()
    while waiting:
        folder = waiting.popleft()
        if (folder.real, folder.parts) in seen:
            continue
        seen.add((folder.real, folder.parts))
        for real, file in _read(folder, waiting):
            found[real] = min(found.get(real, file), file)
    return dict(sorted(((real, path) for real, (_, path) in found.items()), key=lambda one: _parts(one[1])))


def _read(folder: _Folder, waiting: deque[_Folder]) -> Iterator[tuple[str, tuple[int, str]]]:
    """Files of a folder, by real path, with the number of links that lead to them; folders wait."""
    try:
        with os.scandir(folder.path or os.curdir) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError:
        if os.path.isdir(folder.path or os.curdir):
            yield folder.real, (folder.links, folder.path)
        return
    wanted = [folder.parts]
    while wanted[-1][0] == "**" and len(wanted[-1]) > 1:  # which may match no folder
        wanted.append(wanted[-1][1:])
    for entry in entries:
        path, is_link = os.path.join(folder.path, entry.name), entry.is_symlink()
        leads_nowhere = is_link and not os.path.exists(path)
        real = os.path.realpath(path) if is_link and not leads_nowhere else os.path.join(folder.real, entry.name)
        links = folder.links + is_link
        for part, *rest in wanted:
            if not _matches(entry.name, part):
                continue
            if leads_nowhere:
                yield real, (links, path)
            elif not entry.is_dir():
                is_wanted = not rest and (part != _TRACE or _ositrace.trace_extension(os.fsencode(entry.name)))
                if is_wanted and entry.is_file() and not (part == _TRACE and _is_catalog(path)):
                    yield real, (links, path)
            elif part != _TRACE:
                after = (part, *rest) if part == "**" else tuple(rest) or _TRACES_BELOW
                (waiting.append if is_link else waiting.appendleft)(_Folder(path, real, after, links))


def _is_catalog(path: str) -> bool:
    return path.lower().endswith(".jsonl") and _ositrace.is_catalog_table(os.fsencode(path))


def _matches(name: str, part: str) -> bool:
    """Does a name match a part of a pattern?"""
    if part == name:
        return True
    if is_hidden(name) and not is_hidden(part):
        return False
    return part in ("**", _TRACE) or fnmatch.fnmatchcase(name, part)


def is_hidden(name: str) -> bool:
    """Programs hide so what is not complete, and what they note."""
    return name.startswith(("_", "."))


def _parts(path: str) -> list[str]:
    return path.split(os.sep)


def _missing(path: str, text: str) -> MissingFileError:
    return MissingFileError(text, code="missing", file=path)
