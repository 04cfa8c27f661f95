# SPDX-License-Identifier: MPL-2.0
"""Read and write ASAM OSI traces: `.osi`, FlatBuffers and MCAP, compressed or not.

>>> import ositrace
>>> with ositrace.open("drive.osi") as trace:
...     for frame in trace:
...         print(frame.index, frame.time, len(frame.payload))
"""

from . import _message
from ._decode import decode
from ._error import Error
from ._fields import FieldPath
from ._ositrace import Batch, Channel, Frame, Message, version as __version__
from ._play import Lateness, Played, PlayReport, play
from ._programs import Progress
from ._scan import Scan, scan, scan_polars
from ._table import Table
from ._trace import Frames, Trace, TraceInfo, open
from ._verbs import check, concat, convert, cut, diff, recover, rename, split, static, stats, wrap
from ._writer import Writer, create

__all__ = [
    "Batch",
    "Channel",
    "Error",
    "FieldPath",
    "Frame",
    "Frames",
    "Lateness",
    "Message",
    "PlayReport",
    "Played",
    "Progress",
    "Scan",
    "Table",
    "Trace",
    "TraceInfo",
    "Writer",
    "check",
    "concat",
    "convert",
    "create",
    "cut",
    "decode",
    "diff",
    "open",
    "play",
    "recover",
    "rename",
    "scan",
    "scan_polars",
    "split",
    "static",
    "stats",
    "wrap",
    "__version__",
]
