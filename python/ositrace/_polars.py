# SPDX-License-Identifier: MPL-2.0
"""What a predicate of polars says about times."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from ._table import TimeRange

#: Bounds are taken a bit wider than they are, because the predicate itself decides in the end.
_MARGIN = 2e-6

_OPPOSITE = {"Lt": "Gt", "LtEq": "GtEq", "Gt": "Lt", "GtEq": "LtEq", "Eq": "Eq"}
_ANY = (-math.inf, math.inf)


def time_range(predicate: Any | None, columns: Mapping[str, float]) -> TimeRange | None:
    """The times outside of which a predicate is false for every row; None where it does not say.

    `columns` are those that have times, and their unit in seconds. polars does not promise the form of its expressions:
    what is not recognised is no bound.
    """
    if predicate is None:
        return None
    try:
        expression = json.loads(predicate.meta.serialize(format="json"))
    except Exception:  # whatever a release of polars does otherwise
        return None
    low, high = _bounds(expression, columns)
    if (low, high) == _ANY:
        return None
    return (None if low == -math.inf else low - _MARGIN, None if high == math.inf else high + _MARGIN)


def _bounds(expression: Any, columns: Mapping[str, float]) -> tuple[float, float]:
    try:
        if "Function" in expression:
            expression["Function"]["function"]["Boolean"]["IsBetween"]
            value, low, high = expression["Function"]["input"]
            return _both(_compared(value, "GtEq", low, columns), _compared(value, "LtEq", high, columns))
        parts = expression["BinaryExpr"]
        left, operator, right = parts["left"], parts["op"], parts["right"]
        if operator in ("And", "LogicalAnd"):
            return _both(_bounds(left, columns), _bounds(right, columns))
        if "Column" in right:
            left, operator, right = right, _OPPOSITE[operator], left
        return _compared(left, operator, right, columns)
    except (KeyError, TypeError, ValueError):
        return _ANY


def _compared(column: Any, operator: str, literal: Any, columns: Mapping[str, float]) -> tuple[float, float]:
    unit = columns[column["Column"]]
    value = literal["Literal"]
    while isinstance(value, dict):
        (value,) = value.values()
    bound = float(value) * unit
    if operator not in _OPPOSITE or not math.isfinite(bound):
        return _ANY
    return (-math.inf if operator in ("Lt", "LtEq") else bound, math.inf if operator in ("Gt", "GtEq") else bound)


def _both(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return (max(one[0], other[0]), min(one[1], other[1]))
