# SPDX-License-Identifier: MPL-2.0
"""Text traces. The module does not link libprotobuf, which would clash with that of other packages: the program in the
package converts them."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _ositrace, _programs
from ._error import Error, warn


_FORMS: dict[str, Callable[[Any], Any]] = {
    "type": lambda name: _ositrace.type_code(name),
    "schema": os.fspath,
    "skip_bad_frames": bool,
    "output": os.fspath,
}


class _Converted(io.BytesIO):
    """The trace in Protobuf, under the name of the text."""

    def __init__(self, contents: bytes, name: str) -> None:
        super().__init__(contents)
        self.name = name


def open_text(source: Any, type: str | None, schema: Any, skip: bool) -> tuple[_ositrace.TraceHandle, list[str]]:
    """A text trace, and what `skip` has left out, which is a warning, too; errors have the place in the text."""
    if not isinstance(source, (str, os.PathLike)):
        raise Error("a text trace is opened by its path", code="unsupported")
    if isinstance(schema, bytes):
        raise Error("a schema for a text trace is given by its path", code="unsupported")
    heard: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "converted.osi"
        options: dict[str, Any] = {"type": type, "schema": schema, "skip_bad_frames": skip, "output": path}
        words = ["convert", "--json", *_programs.options(options, _FORMS), *_programs.words(source)]
        done = _programs.run("osiconvert", words, progress=False, hear=heard.append).result(several=False)["files"][0]
        converted = _Converted(path.read_bytes(), os.fspath(source))
    heard = [line for line in heard if str(path) not in line]  # a sum that names the file that is gone
    for line in heard:
        warn(line)
    handle = _ositrace.open(converted, type=done["type"], schema=schema, skip=False, far=False)
    assert handle is not None
    return handle, heard if skip else []
