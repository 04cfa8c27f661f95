# SPDX-License-Identifier: MPL-2.0
"""Read and write ASAM OSI traces: `.osi`, FlatBuffers and MCAP, compressed or not.

>>> import ositrace
>>> with ositrace.open("drive.osi") as trace:
...     for frame in trace:
...         print(frame.index, frame.time, len(frame.payload))
"""

from . import _message
from ._error import Error
from ._ositrace import Channel, Frame, Message, version as __version__
from ._trace import Frames, Trace, TraceInfo, open
from ._writer import Writer, create

__all__ = [
    "Channel",
    "Error",
    "Frame",
    "Frames",
    "Message",
    "Trace",
    "TraceInfo",
    "Writer",
    "create",
    "open",
    "__version__",
]
