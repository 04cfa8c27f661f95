# SPDX-License-Identifier: MPL-2.0
"""Traces in object stores: ranges of one version of an object, and listings. The package obstore talks to the store."""

from __future__ import annotations

import glob
import re
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from . import _ositrace
from ._error import Error, MissingFileError
from ._rows import optional_package

StorageOptions = Mapping[str, Any]

#: The end of an object, which comes with its size: the summary of most MCAP files.
_TAIL_BYTES = 48 << 10
#: Bytes that sequential reading reads ahead: at first, doubled with each request, at most.
_FIRST_AHEAD = 256 << 10
_MOST_AHEAD = 8 << 20
#: What a request has at least.
_LEAST = 16 << 10
#: Bytes that sequential reading may skip.
_GAP = 4 << 10
#: Ranges that meet the end are kept with it up to this size.
_LARGEST_SUMMARY = 4 << 20
#: Of patterns of names.
_WILDCARDS = {"**/": "(?:{seen}[^/]+/)*", "**": "(?:{seen}[^/]+/)*{seen}[^/]*", "*": "{seen}[^/]*", "?": "{seen}[^/]"}
#: A name that begins with `_` or `.` is skipped, as in folders.
_SEEN = "(?:(?<!/)|(?![._]))"
#: Ranges that are kept, besides the end.
_KEPT = 4
#: Requests of a listing, which each wait for the store.
_REQUESTS_AT_ONCE = 16


def is_remote(path: object) -> bool:
    """A URL, as `s3://bucket/key`."""
    return isinstance(path, str) and bool(re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", path))


def refuse_remote(name: str, path: object) -> None:
    """Raises for a URL where a file is needed."""
    if is_remote(path):
        reason = f"{name}: object stores are not supported here; open(), scan() and catalog() read them"
        raise Error(f"{path}: {reason}", code="unsupported", file=str(path), reason=reason)


class RemoteFile:
    """A binary file object on an object of a store.

    One thread at a time. Requests that fail are repeated by obstore. An object that changes while it is read is an
    Error: every request asks for the version of the first one.
    """

    def __init__(self, url: str, options: StorageOptions | None) -> None:
        self.name = url
        self._obstore = optional_package("obstore", f"opening {url}")
        self._store, self._key = _store_and_key(self._obstore, url, options)
        self._position = 0
        self._ahead = _FIRST_AHEAD
        self._ranges: deque[tuple[int, memoryview]] = deque(maxlen=_KEPT)
        with _errors_of(self._obstore, url):
            try:
                result = self._obstore.get(self._store, self._key, options={"range": {"suffix": _TAIL_BYTES}})
                meta, tail = result.meta, memoryview(bytes(result.bytes()))
            except (self._obstore.exceptions.NotSupportedError, self._obstore.exceptions.GenericError):
                meta, tail = self._obstore.head(self._store, self._key), memoryview(b"")  # empty, or no such ranges
        self._size = int(meta["size"])
        self._version = meta.get("e_tag")
        self._tail = (self._size - len(tail), tail)

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._position = offset if whence == 0 else self._position + offset if whence == 1 else self._size + offset
        return self._position

    def read(self, size: int = -1) -> bytes:
        """At least one byte, if there is one; fewer than wanted where a range that is at hand ends."""
        left = self._size - self._position
        wanted = left if size < 0 else min(size, left)
        if wanted <= 0:
            return b""
        found = self._at_hand(self._position)
        if not found:
            self._fetch_for_read(wanted)
            found = self._at_hand(self._position)
        taken = bytes(found[:wanted])
        self._position += len(taken)
        return taken

    def expect(self, offset: int, size: int) -> None:
        """This range is read next, in pieces: what is missing of it comes with one request."""
        stop = min(offset + size, self._size)
        while offset < stop and (found := self._at_hand(offset)):
            offset += len(found)
        if offset < stop:
            self._fetch(offset, stop)

    def _at_hand(self, offset: int) -> memoryview:
        """What is known from there on; empty: nothing. The range that was used last is kept longest."""
        for place, (start, data) in enumerate(self._ranges):
            if start <= offset < start + len(data):
                del self._ranges[place]
                self._ranges.append((start, data))
                return data[offset - start :]
        start, data = self._tail
        return data[offset - start :] if start <= offset else memoryview(b"")

    def _fetch_for_read(self, wanted: int) -> None:
        """Sequential reading reads ahead, up to 8 MB per request; it may skip a few bytes, such as an index."""
        start, stop = self._position, self._position + max(wanted, _LEAST)
        ends = (first + len(data) for first, data in self._ranges)
        before = max((end for end in ends if end <= start), default=-1 - _GAP)
        if start - before <= _GAP:
            start, stop = before, stop + self._ahead
            self._ahead = min(2 * self._ahead, _MOST_AHEAD)
        else:
            self._ahead = _FIRST_AHEAD
        self._fetch(start, stop)

    def _fetch(self, start: int, stop: int) -> None:
        """A range up to what is at hand. The end grows where they meet: small records precede a summary."""
        stop = min(stop, *(first for first, _ in self._ranges if first > start), self._size)
        tail_start, tail = self._tail
        if stop >= tail_start and tail_start - start < _LARGEST_SUMMARY:
            data = self._request(max(0, start - _GAP), tail_start)
            self._tail = (tail_start - len(data), memoryview(b"".join((data, tail))))
        else:
            stop = min(stop, tail_start)
            self._ranges.append((start, memoryview(self._request(start, stop))))

    def _request(self, start: int, stop: int) -> bytes:
        options: dict[str, Any] = {"range": (start, stop)}
        if self._version:
            options["if_match"] = self._version
        try:
            result = self._obstore.get(self._store, self._key, options=options)
            data = bytes(result.bytes())
        except (self._obstore.exceptions.BaseError, OSError) as error:
            raise self._failure(start, error) from None
        if int(result.meta["size"]) != self._size or len(data) != stop - start:
            raise self._failure(start)
        return data

    def _failure(self, start: int, error: Exception | None = None) -> Error:
        """Why nothing is read from there on. A store says little of an object that is not the same any more."""
        code, reason = "mismatch", "it was replaced while it was read"
        try:
            with _errors_of(self._obstore, self.name):
                now = self._obstore.head(self._store, self._key)
            if int(now["size"]) < self._size:
                sizes = f"({self._size} bytes when it was opened, {now['size']} now)"
                reason = f"it became shorter while it was read {sizes}"
            elif error is not None and (int(now["size"]), now.get("e_tag")) == (self._size, self._version):
                code, reason = "io", _reason_of(error)
        except MissingFileError:
            reason = "it was removed while it was read"
        except Error as also:
            code, reason = "io", _reason_of(error) if error else also.reason
        text = f"{self.name}: byte {start}: {reason}"
        return Error(text, code=code, file=self.name, byte=start, reason=reason)


def remote_facts(url: str, options: StorageOptions | None) -> tuple[int, int]:
    """Size, and the time of the last change in nanoseconds."""
    obstore = optional_package("obstore", f"opening {url}")
    store, key = _store_and_key(obstore, url, options)
    with _errors_of(obstore, url):
        meta = obstore.head(store, key)
    return int(meta["size"]), int(meta["last_modified"].timestamp() * 1_000_000) * 1_000


def list_remote(url: str, options: StorageOptions | None) -> list[str]:
    """The objects that a URL means: one, the traces below a prefix, or those that match a pattern; sorted."""
    if not glob.has_magic(url) and _ositrace.trace_extension(url.encode()):
        return [url]
    obstore = optional_package("obstore", f"listing {url}")
    magic = re.search(r"[*?\[]", url)
    prefix = url[: url.rindex("/", 0, magic.start()) + 1] if magic else url.rstrip("/") + "/"
    store, key = _store_and_key(obstore, prefix, options)
    root = prefix[: len(prefix) - len(key)]
    with _errors_of(obstore, url):
        found = [root + entry["path"] for page in obstore.list(store, prefix=key or None) for entry in page]
    if magic:
        pattern = re.compile(_regex_of(url))
        return sorted(one for one in found if pattern.fullmatch(one))
    hidden = re.compile(r"(?:.*/)?[._]")
    found = sorted(
        one for one in found if _ositrace.trace_extension(one.encode()) and not hidden.match(one, len(prefix))
    )
    tables = _catalogs_of(obstore, store, [one[len(root) :] for one in found if one.lower().endswith(".jsonl")])
    return [one for one in found if one[len(root) :] not in tables]


def _catalogs_of(obstore: Any, store: Any, keys: list[str]) -> set[str]:
    """Those of the objects that are tables of a catalog: one request each. Who opens one that fails says why."""

    def is_catalog(key: str) -> bool:
        try:
            begin = obstore.get(store, key, options={"range": (0, _ositrace.catalog_begin_bytes)}).bytes()
        except (obstore.exceptions.BaseError, OSError):
            return False
        return _ositrace.begins_catalog_table(bytes(begin))

    if not keys:
        return set()
    with ThreadPoolExecutor(min(len(keys), _REQUESTS_AT_ONCE)) as threads:
        return {key for key, is_one in zip(keys, threads.map(is_catalog, keys), strict=True) if is_one}


def _regex_of(pattern: str) -> str:
    """`**` is any folders; `*`, `?` and `[...]` match within one."""
    return re.sub(r"\*\*/|\*+|\?|\[!?\]?[^\]]*\]|.", _regex_of_token, pattern)


def _regex_of_token(token: re.Match[str]) -> str:
    text = token[0]
    if text in _WILDCARDS:
        return _WILDCARDS[text].replace("{seen}", _SEEN)
    if len(text) == 1:
        return re.escape(text)
    inner = text[1:-1].replace("\\", "\\\\").replace("[", "\\[").replace("^", "\\^")
    return f"{_SEEN}(?!/)[^{inner[1:]}]" if inner.startswith("!") else f"{_SEEN}[{inner}]"


_stores: dict[Any, Any] = {}


def _store_and_key(obstore: Any, url: str, options: StorageOptions | None) -> tuple[Any, str]:
    """The store of a URL, which is made once, and the rest of the URL."""
    store = optional_package("obstore.store", f"opening {url}")
    scheme, _, rest = url.partition("://")
    bucket, _, key = rest.partition("/")
    root = f"{scheme}://{bucket}"
    known = (root, repr(sorted((options or {}).items())))
    if known not in _stores:
        try:
            _stores[known] = store.from_url(root, **(options or {}))
        except obstore.exceptions.BaseError as error:
            raise Error(f"{url}: {error}", code="usage", file=url, reason=str(error)) from None
    return _stores[known], key


#: What the kinds of errors of obstore mean.
_REASONS = {
    "PermissionDeniedError": "the store refuses access: these credentials have no right to it",
    "UnauthenticatedError": "the store refuses access: credentials are missing or wrong",
    "PreconditionError": "it was replaced while it was read",
}


def _reason_of(error: Exception) -> str:
    """A line; of an error that no name explains what the store says."""
    return _REASONS.get(type(error).__name__) or f"the request failed: {str(error).splitlines()[0]}"


@contextmanager
def _errors_of(obstore: Any, url: str) -> Iterator[None]:
    """Errors of the store as those of the package; a line of each."""
    try:
        yield
    except (FileNotFoundError, obstore.exceptions.NotFoundError):
        raise MissingFileError(f"{url}: there is no such object", code="missing", file=url) from None
    except obstore.exceptions.BaseError as error:
        reason = _reason_of(error)
        raise Error(f"{url}: {reason}", code="io", file=url, reason=reason) from None
