# SPDX-License-Identifier: MPL-2.0
"""Read and write ASAM OSI traces: `.osi`, FlatBuffers and MCAP, compressed or not.

>>> import ositrace
>>> with ositrace.open("drive.osi") as trace:
...     for frame in trace:
...         print(frame.index, frame.time, len(frame.payload))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import _message
from ._decode import decode
from ._error import Error
from ._fields import FieldPath
from ._ositrace import Batch, Channel, Frame, Message, version as __version__
from ._scan import Scan, scan, scan_polars
from ._table import Table
from ._trace import Frames, Map, Trace, TraceInfo, open
from ._writer import Writer, create

if TYPE_CHECKING:
    from ._catalog import Catalog, catalog
    from ._picture import Picture
    from ._play import Lateness, Played, PlayReport, play
    from ._programs import Progress
    from ._verbs import check, concat, convert, cut, diff, edit, extract, recover, rename, resample, split, static, stats, wrap

__all__ = [
    "Batch",
    "Catalog",
    "Channel",
    "Error",
    "FieldPath",
    "Frame",
    "Frames",
    "Lateness",
    "Map",
    "Message",
    "Picture",
    "PlayReport",
    "Played",
    "Progress",
    "Scan",
    "Table",
    "Trace",
    "TraceInfo",
    "Writer",
    "catalog",
    "check",
    "concat",
    "convert",
    "create",
    "cut",
    "decode",
    "diff",
    "edit",
    "extract",
    "open",
    "play",
    "recover",
    "rename",
    "resample",
    "scan",
    "scan_polars",
    "split",
    "static",
    "stats",
    "wrap",
    "__version__",
]

#: What runs programs is imported when it is first used: it takes as long as everything else.
_LATER = {
    "_catalog": ("Catalog", "catalog"),
    "_picture": ("Picture",),
    "_play": ("Lateness", "Played", "PlayReport", "play"),
    "_programs": ("Progress",),
    "_verbs": (
        *("check", "concat", "convert", "cut", "diff", "edit", "extract", "recover", "rename", "resample", "split"),
        *("static", "stats", "wrap"),
    ),
}


def __getattr__(name: str) -> Any:
    for module, names in _LATER.items():
        if name in names:
            found = globals()[name] = getattr(import_module(f".{module}", __name__), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
