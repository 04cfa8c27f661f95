# SPDX-License-Identifier: MPL-2.0
"""Tables: fields of frames as columns."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Optional, get_args

from . import _ositrace
from ._error import unknown_name
from ._ositrace import Batch, Channel, TablePlan
from ._rows import optional_package

TimeRange = tuple[Optional[float], Optional[float]]
Rows = Literal["elements", "frames", "innermost"]

#: Makes the plan of a table for a channel.
MakePlan = Callable[[Channel], TablePlan]

_FACTS = ("@frame", "@time", "@time_ns", "@log_time_ns")
_BATCH_BYTES = 8 << 20
#: Few batches, because those of one array are joined by a copy.
_ARRAY_BYTES = 1 << 30


class Tables:
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
        self, columns: Sequence[str] | None = None, *, time: TimeRange | None = None, fill_defaults: bool = False
    ) -> Table:
        """Moving and stationary objects, one row each in every frame; of SensorData the detected ones.

        Columns: frame, time (s), time_ns, id, kind, type, x, y, z (m), roll, pitch, yaw (rad), vx, vy, vz, speed (m/s),
        ax, ay, az (m/s^2), length, width, height (m), lane_id, brake_light, indicator, is_host, and of SensorData
        ground_truth_id. `id` is never null.

        >>> trace.objects(["time", "id", "speed"]).to_pandas().groupby("id").speed.max()
        """
        return self._named("objects", columns, time, fill_defaults)

    def lanes(
        self, columns: Sequence[str] | None = None, *, time: TimeRange | None = None, fill_defaults: bool = False
    ) -> Table:
        """Lanes, with center lines (m) and the ids of neighbours and boundaries as lists."""
        return self._named("lanes", columns, time, fill_defaults)

    def traffic_lights(
        self, columns: Sequence[str] | None = None, *, time: TimeRange | None = None, fill_defaults: bool = False
    ) -> Table:
        """Traffic lights: one row per bulb, as in OSI."""
        return self._named("traffic_lights", columns, time, fill_defaults)

    def traffic_signs(
        self, columns: Sequence[str] | None = None, *, time: TimeRange | None = None, fill_defaults: bool = False
    ) -> Table:
        """Main signs."""
        return self._named("traffic_signs", columns, time, fill_defaults)

    def reflections(
        self, columns: Sequence[str] | None = None, *, time: TimeRange | None = None, fill_defaults: bool = False
    ) -> Table:
        """Reflections of lidar and radar in SensorView.

        >>> arrays = trace.reflections(["signal_strength", "time_of_flight"]).to_numpy()  # dB, s; without a copy
        """
        return self._named("reflections", columns, time, fill_defaults)

    def detections(
        self, columns: Sequence[str] | None = None, *, time: TimeRange | None = None, fill_defaults: bool = False
    ) -> Table:
        """Detections of all sensors in the feature data of SensorData."""
        return self._named("detections", columns, time, fill_defaults)

    def table(
        self,
        columns: Mapping[str, str] | Sequence[str],
        *,
        time: TimeRange | None = None,
        rows: Rows = "elements",
        fill_defaults: bool = False,
    ) -> Table:
        """Any fields as columns.

        Parameters
        ----------
        columns : dict of name and path, or list of paths
            A path is `moving_object[*].base.position.x`, with `[*]`, `[3]` or `[id=42]`, or a fact of the frame: `@frame`,
            `@time` (s), `@time_ns`, `@log_time_ns`. What occurs once in a frame is repeated in its rows.
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
        paths = list(columns.items()) if isinstance(columns, Mapping) else [(path, path) for path in columns]

        def plan(channel: Channel) -> TablePlan:
            for name, path in paths:
                _check_path(channel, name, path)
            return _ositrace.table_of_paths(channel, paths, rows, fill_defaults)

        return self._table(plan, time)

    def columns(
        self, columns: Sequence[str] | None = None, *, time: TimeRange | None = None, fill_defaults: bool = False
    ) -> Table:
        """All fields of the messages, one row per frame; each column has the path as its name, repeated ones are lists."""

        def plan(channel: Channel) -> TablePlan:
            everything = _ositrace.table_of_all(channel, fill_defaults)
            if columns is None:
                return everything
            paths = {name: path for name, _, path in everything.columns}
            for name in columns:
                if name not in paths:
                    raise unknown_name(name, "column", paths, place=channel.type)
            wanted = [(name, paths[name]) for name in columns]
            return _ositrace.table_of_paths(channel, wanted, "frames", fill_defaults)

        return self._table(plan, time)

    def _named(self, kind: str, columns: Sequence[str] | None, time: TimeRange | None, fill_defaults: bool) -> Table:
        def plan(channel: Channel) -> TablePlan:
            known = _ositrace.table_columns(channel, kind)
            for name in (columns or ()) if known else ():
                if name not in known:
                    raise unknown_name(name, "column", known, place=f"the {kind} of {channel.type}")
            return _ositrace.named_table(channel, kind, list(columns or ()), fill_defaults)

        return self._table(plan, time)

    def _table(self, make_plan: MakePlan, time: TimeRange | None) -> Table:
        raise NotImplementedError


class Table:
    """Columns of a trace, which are read when they are asked for, each time anew.

    Everything that takes Arrow data takes a table: `pyarrow.table(table)`, `polars.DataFrame(table)`, DuckDB. Its
    methods `to_...()` raise the errors of the trace as they are; other packages show only their text.
    """

    def __init__(self, plan: TablePlan, of: str, read: Callable[[int], Iterator[Batch]]) -> None:
        self._plan = plan
        self._of = of
        self._read = read

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [name for name, _, _ in self._plan.columns]

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column that has one: `m`, `m/s`, `rad`."""
        return {name: unit for name, unit, _ in self._plan.columns if unit}

    def batches(self) -> Iterator[Batch]:
        """The rows, some MB at a time. A batch is taken by everything that takes Arrow data: `pyarrow.record_batch(batch)`."""
        return self._read(_BATCH_BYTES)

    def __arrow_c_schema__(self) -> object:
        return self._plan.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return _ositrace.stream_capsule(self._plan.schema, self.batches())

    def to_arrow(self) -> Any:
        """A `pyarrow.Table`; the unit of a column is in the metadata of its field."""
        pa = optional_package("pyarrow", "to_arrow()")
        batches = [pa.record_batch(batch) for batch in self.batches()]
        # A later batch may know further names of an enum.
        return pa.Table.from_batches(batches, pa.schema(self)).unify_dictionaries()

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`: integers and truth values are pandas' nullable types, enums are categories."""
        pd = optional_package("pandas", "to_pandas()")
        pa = optional_package("pyarrow", "to_pandas()")
        types = {
            pa.int32(): pd.Int32Dtype(),
            pa.int64(): pd.Int64Dtype(),
            pa.uint32(): pd.UInt32Dtype(),
            pa.uint64(): pd.UInt64Dtype(),
            pa.bool_(): pd.BooleanDtype(),
        }
        return self.to_arrow().to_pandas(types_mapper=types.get, self_destruct=True)

    def to_polars(self) -> Any:
        """A `polars.DataFrame`; enums are categories."""
        pl = optional_package("polars", "to_polars()")
        return pl.DataFrame(_Collected(self._plan.schema, list(self.batches())))

    def to_numpy(self) -> dict[str, Any]:
        """An array per column, read-only.

        Numbers are not copied where they fit into one batch of 1 GiB. Null is NaN in a column of floats; a column of
        integers or truth values that has nulls is a masked array. Enums, texts and lists are arrays of objects.
        """
        np = optional_package("numpy", "to_numpy()")
        batches = list(self._read(_ARRAY_BYTES))
        if not batches:
            batches = [_ositrace.empty_batch(self._plan)]
        arrays = {}
        for i, name in enumerate(self.columns):
            parts = [_array(np, batch.column(i)) for batch in batches]
            masked = any(np.ma.isMaskedArray(part) for part in parts)
            array = parts[0] if len(parts) == 1 else (np.ma if masked else np).concatenate(parts)
            array.flags.writeable = False
            arrays[name] = array
        return arrays

    def to_parquet(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write a Parquet file, batch by batch, with pyarrow, which gets the options.

        The file has its name when it is complete.
        """
        pa = optional_package("pyarrow", "to_parquet()")
        pq = optional_package("pyarrow.parquet", "to_parquet()")
        part = f"{os.fspath(path)}.{os.getpid()}.part"
        with open(part, "xb") as file:
            try:
                with pq.ParquetWriter(file, pa.schema(self), **options) as writer:
                    for batch in self.batches():
                        writer.write_batch(pa.record_batch(batch))
                os.replace(part, path)
            except BaseException:
                os.unlink(part)
                raise

    def __repr__(self) -> str:
        return f"<Table of {self._of}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        columns = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{html.escape(unit)}</td><td>{html.escape(path)}</td></tr>"
            for name, unit, path in self._plan.columns
        )
        head = "<tr><th>column</th><th>unit</th><th>field</th></tr>"
        return f"<table><caption>Table of {html.escape(self._of)}</caption>{head}{columns}</table>"


class _Collected:
    """Batches for a package that takes Arrow data."""

    def __init__(self, schema: _ositrace.TableSchema, batches: list[Batch]) -> None:
        self._schema = schema
        self._batches = batches

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return _ositrace.stream_capsule(self._schema, iter(self._batches))


def _check_path(channel: Channel, name: str, path: str) -> None:
    """Raises where a part of a path is no field, with the names that are near."""
    if path in _FACTS:
        return
    message: _ositrace.Descriptor | None = _ositrace.channel_descriptor(channel)
    for part in path.split("."):
        if message is None:
            return  # the library says what is wrong
        fields = message.fields_by_name
        field = fields.get(part.partition("[")[0])
        if field is None:
            facts = _FACTS if part.startswith("@") else ()
            place = f"{message.full_name} (column '{name}')"
            raise unknown_name(part.partition("[")[0], "field", [*facts, *fields], place=place)
        message = field.message_type


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
