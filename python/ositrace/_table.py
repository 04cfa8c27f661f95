# SPDX-License-Identifier: MPL-2.0
"""Tables: fields of frames as columns."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, Optional, Protocol, TypeVar, get_args, overload

from . import _arguments, _html, _ositrace
from ._error import Error, UnknownNameError, unknown_name
from ._fields import FieldPath
from ._ositrace import Batch, Channel, TablePlan, TableSchema, TrafficPlan
from ._remote import refuse_remote
from ._rows import optional_package

if TYPE_CHECKING:
    # Optional packages: an editor that finds them completes what the tables return.
    import numpy as np  # type: ignore[import-not-found, unused-ignore]
    import pandas as pd  # type: ignore[import-not-found, import-untyped, unused-ignore]
    import polars as pl  # type: ignore[import-not-found, unused-ignore]
    import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]

TimeRange = tuple[Optional[float], Optional[float]]
Rows = Literal["elements", "frames", "innermost"]
#: From where reflections and detections are seen.
PointFrame = Literal["sensor", "host", "global"]

AnyTable = TypeVar("AnyTable", bound="Table")

#: A name in brackets may have dots.
_PART_OF_PATH = re.compile(r'(?:\[name="[^"]*"\]|\[[^\]]*\]|\[.*|[^.\[])+')

#: Tables with columns of fixed names: methods of `Tables`.
NAMED_TABLES = ("objects", "lanes", "traffic_lights", "traffic_signs", "reflections", "detections")

#: Tables of what happens in a trace, and the options of each: methods of `Tables`, too.
TRAFFIC_TABLES = {name: tuple(options) for name, _, options in _ositrace.traffic_tables()}

_FACTS = ("@frame", "@time", "@time_ns", "@log_time_ns")
_BATCH_BYTES = 8 << 20
#: A batch of head(): a few frames.
_HEAD_BYTES = 16 << 10
#: A row group of a Parquet file.
_ROWS_OF_A_GROUP = 1 << 17
_BATCHES_OF_A_GROUP = 8
#: A batch of a table that is read as a whole: few, but in larger ones memory that grows costs more than joining them.
_WHOLE_BYTES = 32 << 20


class Wanted(Protocol):
    """What a table is to have, in any message."""

    def fits(self, channel: Channel) -> bool:
        """May messages of this type have it?"""
        ...

    def plan(self, channel: Channel, some: bool = False) -> TablePlan | TrafficPlan:
        """`some`: without the columns that only messages of another type have."""
        ...

    def narrowed(self, channel: Channel, columns: Sequence[str]) -> Wanted:
        """With the same rows and at least these columns, but as few others as the rows need."""
        ...


@dataclass(frozen=True)
class NamedColumns:
    """Columns of a table with fixed names."""

    kind: str
    columns: Sequence[str] | None
    fill_defaults: bool
    relative_to_host: bool = False
    host: int | None = None
    lane_frame: bool = False
    point_frame: PointFrame | None = None

    def fits(self, channel: Channel) -> bool:
        return bool(_ositrace.table_columns(channel, self.kind))

    def plan(self, channel: Channel, some: bool = False) -> TablePlan:
        known = _ositrace.table_columns(channel, self.kind, self.lane_frame, self.point_frame)
        wanted = known if self.columns is None else [name for name in self.columns if name in known or not some]
        for name in wanted:
            if known and name not in known:
                raise unknown_name(name, "column", known, place=f"the {self.kind} of {channel.type}")
        return _ositrace.named_table(
            channel,
            self.kind,
            wanted or ["frame"],
            self.fill_defaults,
            self.relative_to_host,
            self.host,
            self.lane_frame,
            self.point_frame,
        )

    def narrowed(self, channel: Channel, columns: Sequence[str]) -> NamedColumns:
        return replace(self, columns=list(columns) or ["frame"])


@dataclass(frozen=True)
class TrafficColumns:
    """Columns of a table of what happens in a trace, with its options as texts."""

    name: str
    columns: Sequence[str] | None
    options: tuple[tuple[str, str], ...] = ()
    fill_defaults: bool = False

    def fits(self, channel: Channel) -> bool:
        return _ositrace.traffic_fits(channel, self.name)

    def plan(self, channel: Channel, some: bool = False) -> TrafficPlan:
        if not self.fits(channel):
            reason = f"{channel.type} messages have no {self.name}"
            raise Error(reason, code="usage", reason=reason)
        return _ositrace.traffic_plan(self.name, dict(self.options), self.columns)

    def narrowed(self, channel: Channel, columns: Sequence[str]) -> TrafficColumns:
        return replace(self, columns=list(columns) or self.plan(channel).schema.names[:1])


@dataclass(frozen=True)
class PathColumns:
    """Any fields, by name and path."""

    paths: Sequence[tuple[str, str]]
    rows: Rows
    fill_defaults: bool

    def fits(self, channel: Channel) -> bool:
        fields = _ositrace.channel_descriptor(channel).fields_by_name
        return all(path in _FACTS or path.partition(".")[0].partition("[")[0] in fields for _, path in self.paths)

    def plan(self, channel: Channel, some: bool = False) -> TablePlan:
        for name, path in self.paths:
            elements_of_path(channel, name, path)
        return _ositrace.table_of_paths(channel, self.paths, self.rows, self.fill_defaults)

    def narrowed(self, channel: Channel, columns: Sequence[str]) -> PathColumns:
        paths = dict(self.paths)
        deciding = max(paths, key=lambda name: elements_of_path(channel, name, paths[name]))
        return replace(self, paths=[one for one in self.paths if one[0] in columns or one[0] == deciding])


@dataclass(frozen=True)
class AllColumns:
    """All fields of a message, or some by their names."""

    columns: Sequence[str] | None
    fill_defaults: bool

    def fits(self, channel: Channel) -> bool:
        return True

    def plan(self, channel: Channel, some: bool = False) -> TablePlan:
        everything = _ositrace.table_of_all(channel, self.fill_defaults)
        if self.columns is None:
            return everything
        paths = {name: path for name, _, path in everything.columns}
        for name in self.columns:
            if name not in paths:
                raise unknown_name(name, "column", paths, place=channel.type)
        return _ositrace.table_of_paths(
            channel, [(name, paths[name]) for name in self.columns], "frames", self.fill_defaults
        )

    def narrowed(self, channel: Channel, columns: Sequence[str]) -> AllColumns | PathColumns:
        return replace(self, columns=list(columns)) if columns else PathColumns([("@frame", "@frame")], "frames", False)


class Tables(_arguments.PublicNames, Generic[AnyTable]):
    """The tables that a trace or several have. Nothing is read before a table is asked for its rows.

    Every table takes

    columns : list of str, optional
        The columns that are wanted, in this order; only these are decoded.
    time : (start, stop), optional
        Seconds; frames with `start <= time < stop`, as `between()` has them. None is open.
    fill_defaults : bool
        Fields that are not set are Protobuf's default instead of null.
    """

    def objects(
        self,
        columns: Sequence[str] | None = None,
        *,
        time: TimeRange | None = None,
        fill_defaults: bool = False,
        frame_of_reference: Literal["host"] | None = None,
        host: int | None = None,
        lane_frame: bool = False,
    ) -> AnyTable:
        """Moving and stationary objects, one row each in every frame; of SensorData the detected ones.

        Columns: frame, time (s), time_ns, id, kind, type, name, x, y, z (m), roll, pitch, yaw (rad), vx, vy, vz, speed
        (m/s), ax, ay, az (m/s^2), length, width, height (m), lane_id, brake_light, indicator, is_host, and of
        SensorData ground_truth_id. `id` is never null. `name` is the one that a scenario gives the object, from its
        `source_reference`.

        With `frame_of_reference="host"` positions, orientations, velocities and accelerations are as seen from the host
        vehicle of the frame: from the center of its bounding box, along its axes, less its own velocity and
        acceleration. They are null where a frame has no host vehicle, which is a UserWarning. `speed` stays that over
        ground. `host` is the id of the host vehicle, for traces that do not state it; `is_host` follows it.

        With `lane_frame=True` there are the columns s, t (m), logical_lane_id, physical_lane_id, reference_line_id, too:
        where the object is on the reference line of its lane, t positive to the left. They are those of its first
        `logical_lane_assignment`; without one its position is projected onto the reference lines of the frame, of
        earlier frames, or of the map that was given to `open()` or is found in or beside the trace. The lanes are those
        in which the position lies, or null. All are null where no lane is within 10 m.

        >>> trace.objects(["time", "id", "speed"]).to_pandas().groupby("id").speed.max()
        """
        if frame_of_reference not in (None, "host"):
            raise ValueError(f"frame_of_reference={frame_of_reference!r}: expected 'host' or None")
        _arguments.whole_number("host", host, range(2**64))
        _arguments.flag("lane_frame", lane_frame)
        relative = frame_of_reference is not None
        return self._checked(NamedColumns("objects", columns, fill_defaults, relative, host, lane_frame), time)

    def lanes(
        self, columns: Sequence[str] | None = None, *, time: TimeRange | None = None, fill_defaults: bool = False
    ) -> AnyTable:
        """Lanes, one row each in every frame that has them.

        Columns: frame, time (s), time_ns (ns), id, type, subtype, is_host_lane, is_driving_direction, centerline_x,
        centerline_y, centerline_z (m), left_lane_ids, right_lane_ids, left_boundary_ids, right_boundary_ids, and of
        SensorData ground_truth_id. Center lines and ids are lists.

        >>> trace.lanes(["id", "type", "centerline_x", "centerline_y"]).to_polars()
        """
        return self._named("lanes", columns, time, fill_defaults)

    def traffic_lights(
        self, columns: Sequence[str] | None = None, *, time: TimeRange | None = None, fill_defaults: bool = False
    ) -> AnyTable:
        """Traffic lights: one row per bulb, as in OSI.

        Columns: frame, time (s), time_ns (ns), id, x, y, z (m), roll, pitch, yaw (rad), length, width, height (m),
        color, icon, mode, counter (s), is_out_of_service, lane_id, and of SensorData ground_truth_id.

        >>> trace.traffic_lights(["time", "id", "color"]).to_pandas().drop_duplicates(["id", "color"])
        """
        return self._named("traffic_lights", columns, time, fill_defaults)

    def traffic_signs(
        self, columns: Sequence[str] | None = None, *, time: TimeRange | None = None, fill_defaults: bool = False
    ) -> AnyTable:
        """Traffic signs: one row per main sign.

        Columns: frame, time (s), time_ns (ns), id, type, x, y, z (m), roll, pitch, yaw (rad), length, width, height
        (m), value (in value_unit), value_unit, text, country, code, sub_code, lane_id, and
        of SensorData ground_truth_id.

        >>> trace.traffic_signs(["id", "type", "value", "value_unit"]).to_pandas().drop_duplicates("id")
        """
        return self._named("traffic_signs", columns, time, fill_defaults)

    def reflections(
        self,
        columns: Sequence[str] | None = None,
        *,
        time: TimeRange | None = None,
        fill_defaults: bool = False,
        frame_of_reference: PointFrame | None = None,
    ) -> AnyTable:
        """Reflections of lidar and radar in SensorView.

        Columns: frame, time (s), time_ns (ns), kind, sensor_id, signal_strength (dB), time_of_flight (s), doppler_shift
        (Hz), normal_x, normal_y, normal_z, object_id, horizontal_angle, vertical_angle (rad).

        With `frame_of_reference="sensor"`, `"host"` or `"global"` there are the columns x, y, z (m), too: where the
        reflection is, half of the way that light travels in `time_of_flight` from the sensor, in the direction of its
        ray: of a lidar that of its `view_configuration`, of a radar that of the angles. `"host"` is the frame in which
        sensors are mounted, whose origin is the middle of the rear axle. They are null without a return or a direction,
        and where the place of the sensor is not stated, which is a UserWarning.

        >>> arrays = trace.reflections(["signal_strength", "time_of_flight"]).to_numpy()  # dB, s; without a copy
        """
        return self._measured("reflections", columns, time, fill_defaults, frame_of_reference)

    def detections(
        self,
        columns: Sequence[str] | None = None,
        *,
        time: TimeRange | None = None,
        fill_defaults: bool = False,
        frame_of_reference: PointFrame | None = None,
    ) -> AnyTable:
        """Detections of all sensors in the feature data of SensorData.

        Columns: frame, time (s), time_ns (ns), kind, sensor_id, object_id, existence_probability, distance (m),
        azimuth, elevation (rad), radial_velocity (m/s), intensity, rcs (dB m^2), snr (dB), classification.

        With `frame_of_reference="sensor"`, `"host"` or `"global"` there are the columns x, y, z (m), too: the position
        of the detection. `"host"` is the frame in which sensors are mounted, whose origin is the middle of the rear axle;
        the host is that of the ground truth in the message, else `host_vehicle_location`. They are null without a
        distance, and where the place of the sensor is not stated, which is a UserWarning.

        >>> trace.detections(["time", "kind", "distance", "azimuth"]).to_pandas().groupby("kind").distance.max()
        """
        return self._measured("detections", columns, time, fill_defaults, frame_of_reference)

    def table(
        self,
        columns: Mapping[str, str | FieldPath] | Sequence[str | FieldPath],
        *,
        time: TimeRange | None = None,
        rows: Rows = "elements",
        fill_defaults: bool = False,
    ) -> AnyTable:
        """Any fields as columns.

        Parameters
        ----------
        columns : dict of name and path, or list of paths
            A path is `moving_object[*].base.position.x`, with `[*]`, `[3]`, `[id=42]` or `[name=Ego]`, as text or from
            `trace.fields`, or a fact of the frame: `@frame`, `@time` (s), `@time_ns`, `@log_time_ns`. What occurs once
            in a frame is repeated in its rows.
        rows : {"elements", "frames", "innermost"}
            A row is an element of the first `[*]`, and a second `[*]` gives a list column; or it is a frame, and every
            `[*]` gives a list; or an element of the last `[*]`.

        Raises
        ------
        Error
            For columns that do not fit into one table; for an unknown field also a KeyError.

        >>> trace.table({"id": "moving_object[*].id", "lane": "moving_object[*].assigned_lane_id[*].value"}, time=(2, 5))
        """
        if rows not in get_args(Rows):
            raise ValueError(f"rows={rows!r}: expected {', '.join(map(repr, get_args(Rows)))}")
        if not isinstance(columns, Mapping):
            _arguments.texts("columns", columns, "paths, or a dict: {name: path}")
        named = columns.items() if isinstance(columns, Mapping) else ((str(path), path) for path in columns)
        paths = [(name, str(path)) for name, path in named]
        return self._checked(PathColumns(paths, rows, fill_defaults), time)

    def columns(
        self, columns: Sequence[str] | None = None, *, time: TimeRange | None = None, fill_defaults: bool = False
    ) -> AnyTable:
        """All fields of the messages, one row per frame; each column has the path as its name, repeated ones are lists.

        Values have the units of OSI's fields: m, s, rad, m/s. `Table.units` has them.

        >>> trace.columns(["timestamp.seconds", "moving_object.base.position.x"]).to_arrow()
        """
        return self._checked(AllColumns(columns, fill_defaults), time)

    def interactions(
        self,
        columns: Sequence[str] | None = None,
        *,
        time: TimeRange | None = None,
        host: int | str | None = None,
        all_pairs: bool = False,
        max_gap: float = 100,
    ) -> AnyTable:
        """Distances and times to collision, one row for each pair of objects in every frame.

        The pairs are those of the host vehicle, or of `host`, an id or a name of the scenario; without a host vehicle,
        or with `all_pairs=True`, all pairs with a gap of at most `max_gap` metres.

        Columns: frame, time (s), time_ns, id, name, other_id, other_name, relation, related_by, gap, clearance (m),
        time_gap (s), closing_speed (m/s), ttc, ettc, ttc_2d (s), drac (m/s^2), speed, other_speed (m/s), motion. What
        is not defined is null. `Table.definitions` has their formulas.

        >>> trace.interactions(["time", "ttc"]).to_pandas().ttc.min()
        """
        return self._traffic("interactions", columns, time, host=host, all_pairs=all_pairs, max_gap=max_gap)

    def events(
        self,
        columns: Sequence[str] | None = None,
        *,
        time: TimeRange | None = None,
        host: int | str | None = None,
        standstill_speed: float = 0.1,
        standstill_time: float = 1,
        braking: float = 5,
        acceleration: float = 4,
        acceleration_time: float = 0.1,
        departure: float = 0.1,
        intrusion: float = 0.3,
        cut_in_distance: float = 100,
        visible_time: float = 0.72,
        cut_in_deceleration: float = 6,
        cut_in_reaction: float = 0.35,
        overtaking_distance: float = 4,
    ) -> AnyTable:
        """What objects do: standstill, hard_braking, hard_acceleration, lane_change, lane_departure, cut_in, cut_out,
        overtaking, red_light_passed, collision, appears, vanishes, gap. One row each, by begin.

        `host`, an id or a name of the scenario, is whom cut-ins, cut-outs and overtaking are about: by default the host
        vehicle, and without one all objects. The others are thresholds, in SI units.

        Columns: frame, begin, end, duration (s), kind, object, name, other, other_name, value, value_time (s), source,
        clearance (m), ttc (s), visible, ttc_sufficient. What is not defined is null. See docs/events.md.

        >>> trace.events(["begin", "kind", "object"]).to_pandas().query("kind == 'lane_change'")
        """
        return self._traffic(
            "events",
            columns,
            time,
            host=host,
            standstill_speed=standstill_speed,
            standstill_time=standstill_time,
            braking=braking,
            acceleration=acceleration,
            acceleration_time=acceleration_time,
            departure=departure,
            intrusion=intrusion,
            cut_in_distance=cut_in_distance,
            visible_time=visible_time,
            cut_in_deceleration=cut_in_deceleration,
            cut_in_reaction=cut_in_reaction,
            overtaking_distance=overtaking_distance,
        )

    def encounters(
        self,
        columns: Sequence[str] | None = None,
        *,
        time: TimeRange | None = None,
        max_pet: float = 10,
        parallel: float = 15,
    ) -> AnyTable:
        """Pairs of objects whose ways cross or merge, one row each, by the entry of the second.

        A pair that enters more than `max_pet` seconds apart is none; ways at less than `parallel` degrees merge.

        Columns: frame, time (s), first, first_name, second, second_name, kind, pet, first_enters, first_leaves,
        second_leaves (s), x, y (m), angle (rad), least_gap (m), least_gap_time, least_ttc_2d, least_ttc_2d_time (s).
        What is not defined is null. See docs/events.md.

        >>> trace.encounters(["first", "second", "pet"]).to_pandas().pet.min()
        """
        return self._traffic("encounters", columns, time, max_pet=max_pet, parallel=parallel)

    def quality(
        self,
        columns: Sequence[str] | None = None,
        *,
        time: TimeRange | None = None,
        jump: float = 1,
        size: float = 0.001,
    ) -> AnyTable:
        """How well every moving object is recorded, one row each.

        A position more than `jump` metres from where the velocity leads is a jump; a size that differs by more than
        `size` metres is a change.

        Columns: id, name, type, first, last (s), frames, coverage, gaps, duplicates, jumps, greatest_jump (m),
        greatest_jump_time (s), type_changes, size_changes, becomes, without_type, without_size, without_velocity,
        without_acceleration, without_lane. See docs/events.md.

        >>> trace.quality(["id", "coverage", "jumps"]).to_pandas()
        """
        return self._traffic("quality", columns, time, jump=jump, size=size)

    def matches(
        self,
        columns: Sequence[str] | None = None,
        *,
        time: TimeRange | None = None,
        gate: float = 2,
        max_range: float | None = None,
        max_azimuth: float | None = None,
    ) -> AnyTable:
        """Detections against ground truth: a row for each pair, missed object and ghost of every SensorData.

        The ground truth is that of the sensor_view in the SensorData, else the nearest message of another channel of the
        trace. Objects that no id pairs are pairs within `gate` metres. Objects without a partner farther than
        `max_range` (m) from the sensor, or than `max_azimuth` (degrees) from its axis, are not missed.

        Columns: frame, time (s), time_ns, measurement_time, truth_time (s), match, paired_by, object, id, type,
        detected_id, detected_type, range (m), azimuth (rad), distance, dx, dy, dz (m), dyaw (rad), dv (m/s), dlength,
        dwidth, dheight (m). `Table.definitions` says what they are.

        >>> trace.matches(["range", "dx", "dy"]).to_pandas().describe()
        """
        return self._traffic("matches", columns, time, gate=gate, max_range=max_range, max_azimuth=max_azimuth)

    def matches_summary(
        self,
        columns: Sequence[str] | None = None,
        *,
        time: TimeRange | None = None,
        bin: float = 10,
        gate: float = 2,
        max_range: float | None = None,
        max_azimuth: float | None = None,
    ) -> AnyTable:
        """Detections against ground truth, over the whole trace: a row for each type of object and range of `bin` metres.

        Columns: object, type, range_from, range_to (m), pairs, missed, ghosts, recall, precision, and of each error of
        `matches()` its mean and root mean square, as dx_mean and dx_rms.

        >>> trace.matches_summary(["type", "range_from", "recall", "dx_rms"]).to_pandas()
        """
        options = {"bin": bin, "gate": gate, "max_range": max_range, "max_azimuth": max_azimuth}
        return self._traffic("matches_summary", columns, time, **options)

    def find(
        self, expression: str, columns: Sequence[str] | None = None, *, time: TimeRange | None = None
    ) -> AnyTable:
        """When an expression holds, and for which objects: a row for each stretch of messages.

        The rows are those of the panel *Find in time* of osiview, which explains the expressions.

        Columns: begin, end, duration (s), frame, last_frame, messages, object, id, object_path, values (JSON).

        >>> trace.find("moving_object.base.velocity.x < -4").to_pandas()
        """
        _arguments.text("expression", expression)
        return self._traffic("find", columns, time, expression=expression)

    def _traffic(
        self, name: str, columns: Sequence[str] | None, time: TimeRange | None, **options: float | str | bool | None
    ) -> AnyTable:
        """A table of what happens in a trace; what is None keeps its default."""
        texts = ((key.replace("_", "-"), value) for key, value in options.items() if value is not None)
        given = tuple((key, str(value).lower() if isinstance(value, bool) else str(value)) for key, value in texts)
        return self._checked(TrafficColumns(name, columns, given), time)

    def _named(self, kind: str, columns: Sequence[str] | None, time: TimeRange | None, fill_defaults: bool) -> AnyTable:
        return self._checked(NamedColumns(kind, columns, fill_defaults), time)

    def _measured(
        self,
        kind: str,
        columns: Sequence[str] | None,
        time: TimeRange | None,
        fill_defaults: bool,
        frame_of_reference: PointFrame | None,
    ) -> AnyTable:
        if frame_of_reference not in (None, *get_args(PointFrame)):
            known = ", ".join(map(repr, get_args(PointFrame)))
            raise ValueError(f"frame_of_reference={frame_of_reference!r}: expected {known} or None")
        return self._checked(NamedColumns(kind, columns, fill_defaults, point_frame=frame_of_reference), time)

    def _checked(self, wanted: NamedColumns | TrafficColumns | PathColumns | AllColumns, time: TimeRange | None) -> AnyTable:
        given = wanted.paths if isinstance(wanted, PathColumns) else wanted.columns
        if not isinstance(wanted, PathColumns):
            _arguments.texts("columns", wanted.columns, "names")
            for name in wanted.columns or ():
                _arguments.text("columns: name", name)
        if given is not None and not list(given):
            raise ValueError("columns: expected at least one")
        _arguments.time_range("time", time)
        _arguments.flag("fill_defaults", wanted.fill_defaults)
        return self._table(wanted, time)

    def _table(self, wanted: Wanted, time: TimeRange | None) -> AnyTable:
        raise NotImplementedError


class Table(_arguments.PublicNames):
    """Columns of a trace, which are read when they are asked for, each time anew.

    Everything that takes Arrow data takes a table: `pyarrow.table(table)`, `polars.DataFrame(table)`, DuckDB. Its
    methods `to_...()` raise the errors of the trace as they are; other packages show only their text.

    >>> table["speed"].max(), len(table), table.head()
    """

    def __init__(
        self,
        plan: TablePlan | TrafficPlan,
        schema: TableSchema,
        of: str,
        read: Callable[[int], Iterator[Batch]],
        narrow: Callable[[Sequence[str]], Table],
    ) -> None:
        self._plan = plan
        self._schema = schema
        self._of = of
        self._read = read
        self._narrow = narrow
        self._batch_bytes = _BATCH_BYTES
        self._whole_bytes = _WHOLE_BYTES

    def __len__(self) -> int:
        """The number of rows; the table is read for it, with as few columns as possible."""
        return sum(map(len, self._narrow(()).batches()))

    def __bool__(self) -> bool:
        return True  # as without __len__, which reads

    def __iter__(self) -> Iterator[str]:
        """The names of the columns, as a DataFrame has them."""
        return iter(self.columns)

    @overload
    def __getitem__(self, key: str) -> np.ndarray[Any, Any]: ...
    @overload
    def __getitem__(self, key: list[str]) -> Table: ...
    def __getitem__(self, key: str | list[str]) -> np.ndarray[Any, Any] | Table:
        """`table["x"]` is an array, as `to_numpy()` has it; `table[["time", "x"]]` a table. Only they are read."""
        names = [key] if isinstance(key, str) else key
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise TypeError(f"table[{key!r}]: expected the name of a column, or a list of names")
        for name in names:
            if name not in self.columns:
                raise unknown_name(name, "column", self.columns, place=f"the table of {self._of}")
        narrow = self._narrow(names)
        return narrow.to_numpy()[key] if isinstance(key, str) else narrow._chosen(names)

    def _chosen(self, names: list[str]) -> Table:
        """These columns alone, in this order."""
        schema = _ositrace.chosen_schema(self._schema, names)

        def read(batch_bytes: int) -> Iterator[Batch]:
            return (_ositrace.scan_batch(schema, batch, "", None, None) for batch in self._read(batch_bytes))

        return Table(self._plan, schema, self._of, read, self._narrow)

    def head(self, n: int = 5) -> pd.DataFrame:
        """The first rows as a `pandas.DataFrame`; what is after them is not read."""
        _arguments.whole_number("n", n, range(2**63))
        pa = optional_package("pyarrow", "head()")
        found: list[Any] = []
        rows = 0
        for batch in self._read(_HEAD_BYTES) if n else ():
            found.append(pa.record_batch(batch).slice(0, n - rows))
            rows += len(found[-1])
            if rows == n:
                break
        return _to_pandas(pa.Table.from_batches(found, pa.schema(self)).unify_dictionaries(), "head()")

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._schema.names

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column that has one: `m`, `m/s`, `rad`."""
        known = {name: unit for name, unit, _ in self._plan.columns if unit}
        return {name: known[name] for name in self.columns if name in known}

    @property
    def definitions(self) -> dict[str, str]:
        """What each column is: its formula and when it is null; of a field its path."""
        return {name: text for name, _, text in self._plan.columns}

    def batches(self) -> Iterator[Batch]:
        """The rows, some MB at a time. A batch is taken by everything that takes Arrow data: `pyarrow.record_batch(batch)`."""
        return self._read(self._batch_bytes)

    def __arrow_c_schema__(self) -> object:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return _ositrace.stream_capsule(self._schema, self.batches())

    def to_arrow(self) -> pa.Table:
        """A `pyarrow.Table`; the unit of a column is in the metadata of its field."""
        pa = optional_package("pyarrow", "to_arrow()")
        batches = [pa.record_batch(batch) for batch in self._read(self._whole_bytes)]
        # A later batch may know further names of an enum.
        return pa.Table.from_batches(batches, pa.schema(self)).unify_dictionaries()

    def to_pandas(self) -> pd.DataFrame:
        """A `pandas.DataFrame`: integers and truth values are pandas' nullable types, enums are categories."""
        optional_package("pandas", "to_pandas()")
        optional_package("pyarrow", "to_pandas()")
        return _to_pandas(self.to_arrow(), "to_pandas()")

    def to_polars(self) -> pl.DataFrame:
        """A `polars.DataFrame`; enums are categories."""
        polars = optional_package("polars", "to_polars()")
        frame: pl.DataFrame = polars.DataFrame(Collected(self._schema, list(self._read(self._whole_bytes))))
        return frame

    def to_numpy(self) -> dict[str, np.ndarray[Any, Any]]:
        """An array per column, read-only.

        Numbers are not copied where they fit into one batch of 32 MiB; `batches()` have `to_numpy()`, too. Null is NaN
        in a column of floats; a column of integers or truth values that has nulls is a masked array. Enums, texts and
        lists are arrays of objects.
        """
        batches = list(self._read(self._whole_bytes)) or [_ositrace.empty_batch(self._schema)]
        return _arrays(batches)

    def to_parquet(self, path: str | os.PathLike[str], *, overwrite: bool = False, **options: Any) -> None:
        """Write a Parquet file, batch by batch, with pyarrow, which gets the options.

        The file appears under its name when it is complete. One that exists is replaced with `overwrite=True` only.
        """
        pa = optional_package("pyarrow", "to_parquet()")
        pq = optional_package("pyarrow.parquet", "to_parquet()")
        _arguments.path("path", path)
        refuse_remote("path", path)
        _arguments.flag("overwrite", overwrite)
        name = os.fspath(path)
        if os.path.lexists(name) and not overwrite:
            raise Error(f"{name} exists. Use overwrite=True to replace it.", code="exists", file=name)
        part = f"{name}.{os.getpid()}.part"
        with open(part, "xb") as file:
            try:
                schema = pa.schema(self)
                with pq.ParquetWriter(file, schema, **options) as writer:
                    for group in row_groups(pa, schema, self.batches()):
                        writer.write_table(group)
                os.replace(part, path)
            except BaseException:
                os.unlink(part)
                raise

    def __repr__(self) -> str:
        return f"<Table of {self._of}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        known = {name: (unit, path) for name, unit, path in self._plan.columns}
        rows = [(name, *known.get(name, ("", ""))) for name in self.columns]
        return _html.table(f"Table of {self._of}", ("column", "unit", "field"), rows)


def _to_pandas(table: Any, what: str) -> Any:
    pd = optional_package("pandas", what)
    pa = optional_package("pyarrow", what)
    types = {
        pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.uint32(): pd.UInt32Dtype(),
        pa.uint64(): pd.UInt64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }
    return table.to_pandas(types_mapper=types.get, self_destruct=True)


def row_groups(pa: Any, schema: Any, batches: Iterator[Batch]) -> Iterator[Any]:
    """Batches as tables that are large enough for a row group of Parquet."""
    group: list[Any] = []
    for batch in batches:
        group.append(pa.record_batch(batch))
        if sum(len(part) for part in group) >= _ROWS_OF_A_GROUP or len(group) == _BATCHES_OF_A_GROUP:
            yield pa.Table.from_batches(group, schema).unify_dictionaries()
            group = []
    if group:
        yield pa.Table.from_batches(group, schema).unify_dictionaries()


class Collected:
    """Batches for a package that takes Arrow data."""

    def __init__(self, schema: TableSchema, batches: list[Batch]) -> None:
        self._schema = schema
        self._batches = batches

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return _ositrace.stream_capsule(self._schema, iter(self._batches))


def elements_of_path(channel: Channel, name: str, path: str) -> int:
    """How many `[*]` a path has, written or not. Raises where a part is no field, with similar names."""
    count = 0
    message: _ositrace.Descriptor | None = None if path in _FACTS else _ositrace.channel_descriptor(channel)
    for part in _PART_OF_PATH.findall(path):
        if message is None:
            break  # the library says what is wrong
        fields = message.fields_by_name
        field_name, _, pick = part.partition("[")
        field = fields.get(field_name)
        if field is None:
            if (near := _from_another_message(path, part, fields)) is not None:
                found = f"there is no field '{field_name}' in {message.full_name} (column '{name}')"
                raise UnknownNameError(f"{found}; did you mean '{near}'?")
            facts = _FACTS if part.startswith("@") else ()
            raise unknown_name(field_name, "field", [*facts, *fields], place=f"{message.full_name} (column '{name}')")
        count += field.is_repeated and pick in ("", "*]")
        message = field.message_type
    return count


def _from_another_message(path: str, part: str, fields: Mapping[str, _ositrace.FieldDescriptor]) -> str | None:
    """The path of a SensorView in a GroundTruth, and of a GroundTruth in a SensorView."""
    truth = "global_ground_truth"
    if not path.startswith(part):
        return None
    if part == truth:
        rest = path[len(truth) + 1 :]
        return rest if rest.partition(".")[0].partition("[")[0] in fields else None
    known = fields[truth].message_type if truth in fields else None
    return f"{truth}.{path}" if known is not None and part.partition("[")[0] in known.fields_by_name else None


def _arrays(batches: Sequence[Batch]) -> dict[str, Any]:
    """An array per column, of batches of one table."""
    np = optional_package("numpy", "to_numpy()")
    arrays = {}
    for i, name in enumerate(batches[0].columns):
        parts = [_array(np, batch.column(i)) for batch in batches]
        masked = any(np.ma.isMaskedArray(part) for part in parts)
        array = parts[0] if len(parts) == 1 else (np.ma if masked else np).concatenate(parts)
        array.flags.writeable = False
        arrays[name] = array
    return arrays


def _array(np: Any, column: _ositrace.Column) -> Any:
    values, validity, names = column.values, column.validity, column.names
    if column.format == "+l":
        offsets, elements = values.tolist(), _array(np, column.child)
        return _objects(np, [elements[start:end] for start, end in zip(offsets, offsets[1:])])
    if isinstance(values, list) or names is not None:
        if names is not None:
            values = _objects(np, names)[np.asarray(values)]
        array = _objects(np, values)
        if validity is not None:
            array[np.asarray(validity) == 0] = None
        return array
    array = np.asarray(values)
    if column.format == "b":
        array = array.view(bool)
    if validity is None:
        return array
    missing = np.asarray(validity) == 0
    if array.dtype.kind == "f":
        array = array.copy()
        array[missing] = np.nan
        return array
    return np.ma.masked_array(array, missing)


def _objects(np: Any, values: Sequence[Any]) -> Any:
    """An array of objects, whatever these are."""
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def _to_numpy(self: Batch) -> dict[str, Any]:
    """An array per column, as `Table.to_numpy()` has them; numbers without nulls are not copied."""
    return _arrays([self])


setattr(Batch, "to_numpy", _to_numpy)
