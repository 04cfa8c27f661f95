# SPDX-License-Identifier: MPL-2.0
"""Invalid arguments: a TypeError or ValueError names the parameter, and what is expected.

In all of them None is an argument that was left out.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable, Mapping
from typing import Any

_INT64 = range(-(2**63), 2**63)


def wrong_type(name: str, value: object, expected: str) -> TypeError:
    text = repr(value)
    return TypeError(f"{name}={text if len(text) < 80 else type(value).__name__}: expected {expected}")


def text(name: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        raise wrong_type(name, value, "a str")


def texts(name: str, value: Iterable[object] | None, of: str) -> None:
    """A list, where a text would be taken for the list of its letters."""
    if value is not None and (isinstance(value, (str, bytes)) or not isinstance(value, Iterable)):
        raise wrong_type(name, value, f"a list of {of}")


def paths(value: Any) -> list[Any]:
    """The list of one path or several."""
    listed = [value] if isinstance(value, (str, os.PathLike)) else value
    if isinstance(listed, bytes) or not isinstance(listed, Iterable):
        raise wrong_type("paths", value, "a path, or a list of paths")
    listed = list(listed)
    for one in listed:
        if not isinstance(one, (str, os.PathLike)):
            raise wrong_type("paths: path", one, "a str or a path")
    return listed


def mapping(name: str, value: object, of: str) -> None:
    if value is not None and not isinstance(value, Mapping):
        raise wrong_type(name, value, f"a dict of {of}")


def whole_number(name: str, value: Any, known: range = _INT64) -> None:
    if value is None:
        return
    try:
        number = operator.index(value)
    except TypeError:
        raise wrong_type(name, value, "an int") from None
    if number not in known:
        most = "" if known.stop > _INT64[-1] else f" to {known.stop - 1}"
        expected = "64 bits" if known == _INT64 else f"{known.start}{most or ' or more'}"
        raise ValueError(f"{name}={number}: expected an int of {expected}")


def number(name: str, value: Any) -> None:
    """Also an infinite one."""
    if value is None:
        return
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise wrong_type(name, value, "a number")
    if math.isnan(value):
        raise ValueError(f"{name}={value}: expected a number")


def time_range(name: str, value: Any) -> None:
    """`(start, stop)` in seconds; None is open."""
    if value is None:
        return
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable) or len(bounds := tuple(value)) != 2:
        raise wrong_type(name, value, "(start, stop) in seconds, where None is open")
    for bound in bounds:
        number(f"{name}: bound", bound)
