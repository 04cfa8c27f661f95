# SPDX-License-Identifier: MPL-2.0
"""The data source `ositrace` of Spark."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pyspark.sql import datasource as api  # type: ignore[import-not-found,unused-ignore]

from .._error import unknown_name
from .._table import TRAFFIC_TABLES
from ._request import Request
from ._texts import fields_of, names_of, times_of
from ._writer import TraceWriter

#: Those of a query; `path` and `paths` are what Spark makes of the arguments of `load()`.
_OPTIONS = {
    *("table", "columns", "fields", "time", "topics", "type", "errors", "rowsPer", "maxPartitionBytes", "catalog"),
    *("storageOptions", "map", "laneFrame"),
}
#: Those of tables of what happens, as `maxGap`, and their names in a table.
_OF_TABLES = {
    re.sub(r"-(\w)", lambda found: found[1].upper(), option): option
    for options in TRAFFIC_TABLES.values()
    for option in options
}
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def source_of(cores: int) -> type:
    """The class for a session. Spark pickles a class that is in no module with its attributes."""
    return type("SessionSource", (TraceSource,), {"cores": cores})


class TraceSource(api.DataSource):  # type: ignore[misc,unused-ignore]
    """Traces as a table, or messages as traces."""

    cores = 1

    @classmethod
    def name(cls) -> str:
        return "ositrace"

    def schema(self) -> str:
        return request_of(self.options).ddl

    def reader(self, schema: Any) -> Any:
        return TraceReader(request_of(self.options), _paths(self.options), self.options.get("catalog"), self.cores)

    def writer(self, schema: Any, overwrite: bool) -> Any:
        return TraceWriter(self.options["path"], schema.fieldNames(), overwrite)


class TraceReader(api.DataSourceReader):  # type: ignore[misc,unused-ignore]
    """Plans the partitions on the driver, and reads each on an executor.

    It takes no filters (`pushFilters`): Spark keeps a reader with the filters of a query for the next one on the same
    DataFrame, whose rows would be missing.
    """

    def __init__(self, request: Request, paths: list[str] | None, catalog: str | None, cores: int) -> None:
        self._request = request
        self._paths = paths
        self._catalog = catalog
        self._cores = cores

    def partitions(self) -> list[Any]:
        planned = self._request.partitions(self._paths, self._cores, self._catalog)
        return [api.InputPartition(partition) for partition in planned]

    def read(self, partition: Any) -> Iterator[Any]:
        return self._request.batches(partition.value or ())


def request_of(options: Mapping[str, str]) -> Request:
    """What the options of a query ask for."""
    known = {name.lower(): name for name in (*_OPTIONS, *_OF_TABLES)}
    given = {known.get(name.lower(), name): text for name, text in options.items()}
    for name in given:
        if name not in (*_OPTIONS, *_OF_TABLES, "path", "paths"):
            raise unknown_name(name, "option", sorted((*_OPTIONS, *_OF_TABLES)), place="the data source ositrace")
    request = Request(
        columns=_given(given, "columns", names_of),
        fields=_given(given, "fields", fields_of),
        time=_given(given, "time", times_of),
        topics=_given(given, "topics", names_of),
        type=given.get("type"),
        map=_given(given, "map", os.path.abspath),
        lane_frame=_given(given, "laneFrame", _flag) or False,
        table=given.get("table", "objects"),
        traffic={_OF_TABLES[name]: text for name, text in given.items() if name in _OF_TABLES} or None,
    )
    named = {"errors": "errors", "rowsPer": "rows_per"}
    changes: dict[str, Any] = {field: given[name] for name, field in named.items() if name in given}
    if "maxPartitionBytes" in given:
        changes["most_bytes"] = _bytes(given["maxPartitionBytes"])
    if "storageOptions" in given:
        changes["storage"] = _storage(given["storageOptions"])
    return dataclasses.replace(request, **changes)


def _flag(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(f"laneFrame={text!r}: expected true or false")
    return text.lower() == "true"


def _given(options: Mapping[str, str], name: str, form: Callable[[str], Any]) -> Any:
    return form(options[name]) if name in options else None


def _paths(options: Mapping[str, str]) -> list[str] | None:
    """Of `load(path)`, or of `load([path, path])`, which Spark makes an option `paths`."""
    if "path" in options:
        return [options["path"]]
    if "paths" in options:
        return [str(path) for path in json.loads(options["paths"])]
    if "catalog" not in options:
        raise ValueError("load() needs a path, a folder, a pattern, or a list of these; or the option catalog")
    return None


def _storage(text: str) -> dict[str, Any]:
    try:
        options = json.loads(text)
    except json.JSONDecodeError:
        options = None
    if not isinstance(options, dict):
        raise ValueError("storageOptions: expected a JSON object")  # and no word of what is in it
    return options


def _bytes(text: str) -> int:
    """`134217728`, `128m`, `128MB`."""
    match = re.fullmatch(r"(\d+)\s*([kmg]?)(i?b)?", text.strip().lower())
    if not match or not int(match[1]):
        raise ValueError(f"maxPartitionBytes={text!r}: expected a number of bytes, as 134217728 or 128m")
    return int(match[1]) * _UNITS[match[2]]
