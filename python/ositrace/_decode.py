# SPDX-License-Identifier: MPL-2.0
"""Columns of messages that other programs have stored."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from . import _arguments, _ositrace
from ._rows import optional_package
from ._table import Collected, PathColumns


def decode(
    payloads: Any,
    type: str,
    fields: Mapping[str, str] | Sequence[str],
    *,
    fill_defaults: bool = False,
    encoding: Literal["protobuf", "flatbuffers"] = "protobuf",
    schema: str | os.PathLike[str] | bytes | None = None,
) -> Any:
    """An Arrow column of payloads as a column of structs: for Ray, Spark, Lance, DuckDB, any reader of MCAP.

    Parameters
    ----------
    payloads : Arrow array of binary, large_binary or binary_view
        Of pyarrow, polars, or any object with `__arrow_c_array__` or `__arrow_c_stream__`.
    type : str
        What the payloads are: `GroundTruth`, `osi3.GroundTruth` or `gt`, or any message of the schema.
    fields : dict of name and path, or list of paths
        As `Trace.table()` has them, with a row per payload: every `[*]` gives a list.
    fill_defaults : bool
        Fields that are not set are Protobuf's default instead of null.
    encoding : {"protobuf", "flatbuffers"}
    schema : path or bytes, optional
        A serialized FileDescriptorSet of another OSI release than the built-in one.

    Returns
    -------
    pyarrow.StructArray, pyarrow.ChunkedArray, polars.Series or Arrow object
        As `payloads` is. A payload that is null is a struct that is null.

    Raises
    ------
    Error
        For a damaged payload, whose row it calls frame.

    >>> fields = {"t": "timestamp.seconds", "x": "global_ground_truth.moving_object[*].base.position.x"}
    >>> ositrace.decode(table["data"], "SensorView", fields)
    """
    if encoding not in ("protobuf", "flatbuffers"):
        raise ValueError(f"encoding={encoding!r}: expected 'protobuf' or 'flatbuffers'")
    if not isinstance(fields, Mapping):
        _arguments.texts("fields", fields, "paths, or a dict: {name: path}")
    _arguments.flag("fill_defaults", fill_defaults)
    channel = _ositrace.channel_of_type(type, encoding, schema)
    paths = list(fields.items()) if isinstance(fields, Mapping) else [(path, path) for path in fields]
    table = PathColumns(paths, "frames", fill_defaults).plan(channel)
    package = payloads.__class__.__module__.partition(".")[0]
    if hasattr(payloads, "__arrow_c_array__"):
        batch = _ositrace.decode_array(table, payloads.__arrow_c_array__())
        return optional_package("pyarrow", "decode()").array(batch) if package == "pyarrow" else batch
    if not hasattr(payloads, "__arrow_c_stream__"):
        raise TypeError("decode() takes an Arrow array: of pyarrow, polars or another package")
    batches = _ositrace.decode_stream(table, payloads.__arrow_c_stream__())
    decoded = Collected(table.schema, batches)
    if package == "pyarrow":
        return optional_package("pyarrow", "decode()").chunked_array(decoded)
    if package == "polars":
        return optional_package("polars", "decode()").Series(decoded).alias(payloads.name)
    return decoded
