# SPDX-License-Identifier: MPL-2.0
"""What the verbs of osiconvert return."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from . import _html
from ._error import with_parameters
from ._rows import Rows, counted

T = TypeVar("T")


@dataclass(frozen=True)
class Output:
    """A file that a verb wrote."""

    input: str | None  #: None: there are several
    inputs: list[str]
    output: str
    state: str  #: `done`, `already_complete`, `different`, `failed`
    error: str | None
    type: str  #: of the messages, empty where there are several
    channels: list[dict[str, str]]  #: topic and type
    left_out_channels: list[str]
    frames: int
    skipped: int  #: frames
    skipped_bytes: int
    lost_frames: int | None  #: at most; None: unknown
    dropped_unknown_fields: int
    bytes_in: int
    bytes_out: int
    seconds: float
    #: with `profile`: rules that the output does not follow, each once with `id`, `severity`, `count`, `frame`, `field`
    profile_findings: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    #: with `profile`: each `field` that was written into messages without it, and into how many `frames`
    profile_added: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    #: of `edit()`: each `edit` and `path`, the `count` of fields, the `bytes` dropped, and of rounded numbers the `grid`
    #: and `largest_error`
    edits: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    unchanged_topics: list[str] = dataclasses.field(default_factory=list)  #: of `edit()`: channels without the paths
    changed_frames: int | None = None  #: of `edit()`
    not_kept: int | None = None  #: of `edit()`: fields that went because others are kept
    #: of `resample()`: `frames_in`, frames that are `unchanged`, poses `interpolated` and `held`, the `fields`
    resampled: dict[str, Any] | None = None


@dataclass(frozen=True)
class Extracted:
    """An attachment or a map that became a file."""

    input: str
    kind: str  #: `attachment`, `map`
    name: str  #: in the trace
    output: str
    bytes: int


@dataclass(frozen=True)
class LostPlace:
    """A place of a damaged file that could not be read."""

    byte: int
    bytes: int
    frames: int  #: at most; 0 where that is not known
    before_frame: int | None  #: of the output
    after: float | None  #: seconds, of the frame before it
    before: float | None
    reason: str
    kept: int  #: frames of a damaged chunk that were saved
    compressed: bool  #: byte and bytes are those of the compressed file


@dataclass(frozen=True)
class Recovered:
    """A file that was recovered."""

    input: str
    output: str
    state: str  #: `done`, `already_complete`, `failed`
    error: str | None
    type: str
    frames: int
    bytes_in: int
    bytes_out: int
    losses: int  #: places
    lost_bytes: int
    lost_frames: int | None  #: at most; None: unknown
    kept_unproven: int  #: frames that no checksum confirms
    opens_only_with: str | None
    lost: Rows[LostPlace]  #: the first 1000


@dataclass(frozen=True)
class Renaming:
    """A file and the name that the standard has for it."""

    path: str
    name: str | None  #: None: `error` says why
    timestamp_from: str | None  #: `metadata`, `old_name`, `file_time`, `assumed`
    protobuf_version_from: str | None
    renamed: bool
    error: str | None


@dataclass(frozen=True)
class Finding:
    """A place that breaks a rule."""

    id: str  #: stable, in ASAM's form
    severity: str  #: `error`, `warning`, `info`
    file: str
    frame: int | None  #: over all channels
    time: float | None  #: seconds
    time_ns: int | None
    byte: int | None
    channel: str | None
    field: str | None
    message: str
    count: int  #: findings of this id in the file, listed or not


@dataclass(frozen=True)
class FindingCount:
    """How often a rule of a file was broken, listed or not."""

    file: str
    id: str
    severity: str
    description: str
    count: int


class Findings(Rows[Finding]):
    """What `check` found: rows, of each id the first `findings=` of a file, and the numbers of all findings."""

    def __init__(self, printed: Mapping[str, Any]) -> None:
        files = printed["files"]
        counts = {(file["path"], one["id"]): one["count"] for file in files for one in file["counts"]}
        rows = [{**row, "count": counts[row["file"], row["id"]]} for row in printed["findings"]]
        super().__init__(Finding, [timed_row_of(Finding, row) for row in rows])
        self.errors: int = printed["errors"]
        self.warnings: int = printed["warnings"]
        self.infos: int = printed["infos"]
        #: Frames that were checked, by file; None for one that cannot be checked.
        self.frames: dict[str, int | None] = {file["path"]: file["frames"] for file in files}
        #: Why files cannot be checked, and parts of files.
        self.notes: dict[str, list[str]] = {
            file["path"]: ([file["error"]] if file["error"] else []) + file["notes"] for file in files
        }
        self.counts: Rows[FindingCount] = Rows(
            FindingCount,
            [row_of(FindingCount, {**count, "file": file["path"]}) for file in files for count in file["counts"]],
        )

    @property
    def conforming(self) -> bool:
        """All files were checked, and no finding is an error."""
        return self.errors == 0 and None not in self.frames.values()

    def __repr__(self) -> str:
        all_listed = len(self) == self.errors + self.warnings + self.infos
        listed = "" if all_listed else f"; listed: {len(self)} (findings=None: all)"
        counts = (counted(self.errors, "error"), counted(self.warnings, "warning"), counted(self.infos, "info"))
        return f"<Findings: {', '.join(counts)}{listed}>"


@dataclass(frozen=True)
class Difference:
    """A place where two traces differ."""

    topic: str
    time: float | None  #: seconds
    time_ns: int | None
    frame_a: int | None  #: None: the frame is in the second only
    frame_b: int | None
    field: str  #: empty where a whole frame is missing
    text: str  #: `1.5 against 1.25`


@dataclass(frozen=True)
class DifferingFrame:
    """A frame that differs, or that only one trace has."""

    topic: str
    time: float | None
    time_ns: int | None
    frame_a: int | None
    frame_b: int | None
    differences: int | None  #: None: only one trace has it


@dataclass(frozen=True)
class DifferingField:
    """How a field differs, over all frames."""

    field: str
    differences: int
    largest: float  #: of two numbers


@dataclass(frozen=True)
class Comparison:
    """How two traces differ. True where they do not."""

    same: bool
    equal: int  #: pairs of frames
    different: int
    only_in_a: int  #: frames
    only_in_b: int
    fields: Rows[DifferingField]
    differences: Rows[Difference]  #: the first 1000, or those of `differences=`
    difference_count: int  #: listed or not
    frames: Rows[DifferingFrame]  #: with `list_frames`

    def __bool__(self) -> bool:
        return self.same

    def __repr__(self) -> str:
        differ = f"{self.different} different, {self.only_in_a} only in a, {self.only_in_b} only in b"
        left_out = self.difference_count - len(self.differences)
        listed = f", listed: {len(self.differences)} (differences=None: all)" if left_out else ""
        differences = counted(self.difference_count, "difference")
        return f"<Comparison: {counted(self.equal, 'frame')} equal, {differ}; {differences}{listed}>"

    def _repr_html_(self) -> str:
        rows = [(field.field, field.differences, field.largest) for field in self.fields]
        return _html.table(repr(self)[1:-1], ("field", "differences", "largest"), rows)


@dataclass(frozen=True)
class TrajectoryDifference:
    """How far the way of an object in one trace is from that in another one; metres and seconds, B minus A."""

    object: str  #: `moving_object[id=3]`
    frames_a: int  #: that have it
    frames_b: int
    compared: int  #: frames of A at whose times both have it
    lag: float | None  #: s; None: it hardly moves
    longitudinal_mean: float  #: m, along the heading in A
    longitudinal_rms: float
    longitudinal_largest: float
    lateral_mean: float  #: to the left
    lateral_rms: float
    lateral_largest: float
    distance_rms: float
    distance_rms_at_lag: float
    final_distance: float


@dataclass(frozen=True)
class FieldCount:
    """How often a field is set, and what it costs."""

    file: str
    topic: str
    type: str
    field: str
    repeated: bool
    count: int  #: values
    bytes: int  #: with nested fields
    frames: int  #: that have it
    min: int  #: values per frame
    mean: float
    max: int


def flat(printed: Mapping[str, Any]) -> dict[str, Any]:
    """`{"lateral": {"rms": 1}}` as `{"lateral_rms": 1}`."""
    found: dict[str, Any] = {}
    for name, value in printed.items():
        found |= {f"{name}_{part}": one for part, one in value.items()} if isinstance(value, dict) else {name: value}
    return found


def row_of(kind: type[T], printed: Mapping[str, Any]) -> T:
    """A row of what a program printed, which may have more."""
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    values = {name: printed[name] for name in names if name in printed}
    if values.get("error") is not None:
        values["error"] = with_parameters(values["error"], None, of_a_verb=True)
    if kind is Recovered:
        values["lost"] = Rows(LostPlace, [row_of(LostPlace, _in_seconds(place)) for place in values["lost"]])
    return kind(**values)


def _in_seconds(place: Mapping[str, Any]) -> dict[str, Any]:
    times = {name: None if place[name] is None else int(place[name]) / 1e9 for name in ("after", "before")}
    return {**place, **times}


def timed_row_of(kind: type[T], printed: Mapping[str, Any]) -> T:
    nanoseconds = None if printed["time"] is None else int(printed["time"])
    time = None if nanoseconds is None else nanoseconds / 1e9
    return row_of(kind, {**printed, "time": time, "time_ns": nanoseconds})
