# SPDX-License-Identifier: MPL-2.0
"""Text traces. The module does not link libprotobuf, which would clash with that of other packages: the program in the
package converts them."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path
from typing import Any

from . import _ositrace, _verbs
from ._error import Error


class _Converted(io.BytesIO):
    """The trace in Protobuf, under the name of the text."""

    def __init__(self, contents: bytes, name: str) -> None:
        super().__init__(contents)
        self.name = name


def open_text(source: Any, type: str | None, schema: Any, skip: bool) -> _ositrace.TraceHandle:
    """A text trace; errors have the place in the text. With `skip` a warning says what was left out."""
    if not isinstance(source, (str, os.PathLike)):
        raise Error("a text trace is opened by its path", code="unsupported")
    if isinstance(schema, bytes):
        raise Error("a schema for a text trace is given by its path", code="unsupported")
    options: dict[str, Any] = {"type": type, "schema": schema, "skip_bad_frames": skip}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "converted.osi"
        done = _verbs.convert(source, path, progress=False, **options)
        converted = _Converted(path.read_bytes(), os.fspath(source))
    handle = _ositrace.open(converted, type=done.type, schema=schema, skip=False)
    assert handle is not None
    return handle
