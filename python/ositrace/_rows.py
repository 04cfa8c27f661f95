# SPDX-License-Identifier: MPL-2.0
"""Lists of dataclasses that are tables, too."""

from __future__ import annotations

import dataclasses
import importlib
import typing
from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar, overload

from . import _arguments, _html

Row = TypeVar("Row")

#: Names of the types of pyarrow, pandas and polars.
_TYPES = {
    str: ("string", "string", "String"),
    int: ("int64", "Int64", "Int64"),
    float: ("float64", "Float64", "Float64"),
    bool: ("bool_", "boolean", "Boolean"),
}


class Rows(_arguments.PublicNames, Sequence[Row], Generic[Row]):
    """Rows of one type. A sequence, and a table for pyarrow, pandas and polars where these are installed."""

    def __init__(self, kind: type[Row], rows: Iterable[Row]) -> None:
        self._kind = kind
        self._rows = list(rows)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, key: int) -> Row: ...
    @overload
    def __getitem__(self, key: slice) -> Rows[Row]: ...
    def __getitem__(self, key: int | slice) -> Row | Rows[Row]:
        return Rows(self._kind, self._rows[key]) if isinstance(key, slice) else self._rows[key]

    def to_arrow(self) -> Any:
        """A `pyarrow.Table`."""
        pyarrow = optional_package("pyarrow", "to_arrow()")
        return pyarrow.table(
            {name: pyarrow.array(values, getattr(pyarrow, _TYPES[kind][0])()) for name, kind, values in self._columns()}
        )

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`; integers that are missing leave the others integers."""
        pandas = optional_package("pandas", "to_pandas()")
        return pandas.DataFrame(
            {name: pandas.array(values, dtype=_TYPES[kind][1]) for name, kind, values in self._columns()}
        )

    def to_polars(self) -> Any:
        """A `polars.DataFrame`."""
        polars = optional_package("polars", "to_polars()")
        return polars.DataFrame(
            [polars.Series(name, values, getattr(polars, _TYPES[kind][2])) for name, kind, values in self._columns()]
        )

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'row')} of {self._kind.__name__}>"

    def _repr_html_(self) -> str:
        names = [field.name for field in dataclasses.fields(self._kind)]  # type: ignore[arg-type]
        rows = [[getattr(row, name) for name in names] for row in self._rows[:20]]
        return _html.table(repr(self) + (", the first 20" if len(self) > 20 else ""), names, rows)

    def _columns(self) -> Iterable[tuple[str, Any, list[Any]]]:
        hints = typing.get_type_hints(self._kind)
        for field in dataclasses.fields(self._kind):  # type: ignore[arg-type]
            kinds = [kind for kind in typing.get_args(hints[field.name]) if kind is not type(None)]
            kind = kinds[0] if kinds else hints[field.name]
            yield field.name, kind, [getattr(row, field.name) for row in self._rows]


def counted(count: int, noun: str) -> str:
    """`1 frame`, `2 frames`"""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def optional_package(name: str, what: str) -> Any:
    """A package that users need not have; where it is missing, the error says what needs it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        raise ModuleNotFoundError(f"{what} needs {package}: pip install {package}", name=error.name) from None
