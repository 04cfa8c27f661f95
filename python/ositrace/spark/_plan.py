# SPDX-License-Identifier: MPL-2.0
"""Which files, and which shares of files, a task reads. Knows neither Spark nor the contents of files."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from .._files import FileFacts
from .._trace import Share

MOST_BYTES = 128 << 20
#: A partition is not made smaller than this to have enough of them.
_LEAST_BYTES = 1 << 20
_PARTITIONS_PER_CORE = 2
#: A file larger than this part of a partition, and of this size, may be cut.
_LARGE = 1 / 4
_LARGE_BYTES = 16 << 20
#: These are read from the middle; of text and compressed files everything before a frame must be read.
_SEEKABLE = (".osi", ".osifb", ".mcap")


class Part(NamedTuple):
    """A file, or a share of the frames of each of its channels."""

    file: FileFacts
    share: Share | None = None


Partition = tuple[Part, ...]


@dataclass(frozen=True)
class Failure:
    """A file with which a job could do nothing."""

    path: str
    error: str


def plan(
    files: Sequence[FileFacts],
    cores: int,
    most_bytes: int = MOST_BYTES,
    *,
    cuts: bool = True,
    weights: Sequence[int] | None = None,
) -> list[Partition]:
    """Partitions of about the same size: of about `most_bytes`, or smaller, so that there are two for each core.

    The files, in order, are divided into pieces of equal size. Where a cut meets a small file, or one that is not read
    from its middle, it moves to the nearer end of this file; without `cuts` it does so in every file. `weights` are the
    bytes that are read of each file, where these are not all: with `time`, only the bytes of that range count.
    """
    sizes = [file.size for file in files] if weights is None else weights
    ends = list(accumulate(sizes))
    total = ends[-1] if ends else 0
    count = max(-(-total // most_bytes), min(_PARTITIONS_PER_CORE * cores, total // _LEAST_BYTES), 1)
    large = max(total / count * _LARGE, min(_LARGE_BYTES, most_bytes * _LARGE))

    def is_cut(i: int) -> bool:
        return cuts and sizes[i] > large and os.path.splitext(files[i].path)[1].lower() in _SEEKABLE

    def moved(at: int) -> int:
        i = bisect_right(ends, at)
        start = ends[i] - sizes[i]
        return at if is_cut(i) else start if at - start < ends[i] - at else ends[i]

    places = iter(sorted({moved(total * i // count) for i in range(1, count)}) + [total])
    place = next(places)
    partitions: list[Partition] = []
    parts: list[Part] = []
    for file, size, end in zip(files, sizes, ends):
        start = taken = end - size
        while place < end:
            if place > taken:
                parts.append(Part(file, Share(taken - start, place - start, size)))
                taken = place
            if parts:
                partitions.append(tuple(parts))
                parts = []
            place = next(places)
        parts.append(Part(file, Share(taken - start, size, size) if taken > start else None))
    if parts:
        partitions.append(tuple(parts))
    return partitions
