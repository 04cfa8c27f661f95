# SPDX-License-Identifier: MPL-2.0
"""What a Spark session gets: the data source, and tables by `mapInArrow()`."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from .._decode import decode as decode_payloads
from .._files import Paths
from .._remote import StorageOptions
from .._rows import optional_package
from .._table import TimeRange
from ._plan import MOST_BYTES
from ._request import Errors, Request, RowsPer, ddl_of, quoted, spark_form

if TYPE_CHECKING:
    from .._catalog import AnyCatalog


def register(spark: Any) -> None:
    """Make the format `ositrace` known to a session of PySpark 4.1 or newer, for `spark.read` and `df.write`.

    Filters do not select what is read, whatever `spark.sql.python.filterPushdown.enabled` says; the options do.
    """
    try:
        from ._source import source_of
    except ImportError:
        text = f"the data source needs PySpark 4.1 or newer (found {spark.version}): use ositrace.spark.read()"
        raise RuntimeError(text) from None
    spark.dataSource.register(source_of(cores_of(spark)))


def read(
    spark: Any,
    paths: Paths | None = None,
    *,
    catalog: AnyCatalog | None = None,
    table: str = "objects",
    columns: Sequence[str] | None = None,
    fields: Mapping[str, str] | None = None,
    rows_per: RowsPer = "object",
    time: TimeRange | None = None,
    topics: Sequence[str] | None = None,
    type: str | None = None,
    errors: Errors = "raise",
    max_partition_bytes: int = MOST_BYTES,
    storage_options: StorageOptions | None = None,
    map: str | os.PathLike[str] | None = None,
    lane_frame: bool = False,
) -> Any:
    """A table of many files as a DataFrame of Spark, also of PySpark 3.5 and of Spark Connect.

    The rows are those of `spark.read.format("ositrace")`, and so are the parameters. Files are listed now; they are
    read when the DataFrame is, by the executors, which need the same paths.

    >>> ositrace.spark.read(spark, "lake/", columns=["id", "speed"]).groupBy("path").max("speed")
    """
    request = Request(
        table=table,
        columns=columns,
        fields=fields,
        rows_per=rows_per,
        time=time,
        topics=topics,
        type=type,
        errors=errors,
        most_bytes=max_partition_bytes,
        storage=storage_options,
        map=None if map is None else os.path.abspath(map),
        lane_frame=lane_frame,
    )
    return run(spark, request.partitions(paths, cores_of(spark), catalog=catalog), request.batches, request.ddl)


def decode(
    frame: Any,
    column: str,
    type: str,
    fields: Mapping[str, str] | Sequence[str],
    *,
    encoding: Literal["protobuf", "flatbuffers"] = "protobuf",
) -> Any:
    """A DataFrame whose column of payloads is replaced by columns of their fields, as `ositrace.decode()` has them.

    A row is a payload, and every `[*]` gives an array. Other columns stay. Also on PySpark 3.5 and Spark Connect.

    >>> ositrace.spark.decode(spark.table("messages"), "payload", "SensorView", {"host": "host_vehicle_id"})
    """
    pa = optional_package("pyarrow", "ositrace.spark")
    empty = decode_payloads(pa.array([], pa.binary()), type, fields, encoding=encoding).type
    made = [spark_form(pa, field.type) for field in empty]
    names = [field.name for field in empty]
    kept = [field for field in frame.schema.fields if field.name != column]
    if len(kept) == len(frame.schema.fields):
        raise ValueError(f"the DataFrame has no column {column!r}: {', '.join(frame.columns)}")
    for name in names:
        if any(field.name == name for field in kept):
            raise ValueError(f"the DataFrame has a column {name!r} already: name the field differently")

    def decoded(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            columns = decode_payloads(batch[column], type, fields, encoding=encoding).flatten()
            yield pa.RecordBatch.from_arrays(
                [*(batch[field.name] for field in kept), *(form(one) for (_, form), one in zip(made, columns))],
                [*(field.name for field in kept), *names],
            )

    types = [f"{quoted(field.name)} {field.dataType.simpleString()}" for field in kept]
    types += [f"{quoted(name)} {ddl_of(one)}" for name, (one, _) in zip(names, made)]
    return frame.mapInArrow(decoded, ", ".join(types))


def run(spark: Any, items: Sequence[Any], function: Callable[[Any], Iterator[Any]], schema: str) -> Any:
    """A DataFrame of the record batches that a function returns for each item; an item is a partition."""
    packed = [pickle.dumps(item) for item in items]

    def batches(numbers: Iterator[Any]) -> Iterator[Any]:
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                yield from function(pickle.loads(packed[number]))

    count = len(items)
    return spark.range(0, count, 1, max(count, 1)).mapInArrow(batches, schema)


def cores_of(spark: Any) -> int:
    """Tasks that run at the same time; a guess where the session is that of Spark Connect, which does not say it."""
    try:
        return int(spark.sparkContext.defaultParallelism)
    except Exception:
        return int(spark.conf.get("spark.sql.shuffle.partitions", "200")) // 2
