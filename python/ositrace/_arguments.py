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


def public_names(names: Iterable[str]) -> list[str]:
    """For dir(), and with it Tab: those of Python itself are among them."""
    return [name for name in names if not name.startswith("_") or name.endswith("__")]


class PublicNames:
    """Of its objects dir(), and with it Tab, lists no private names."""

    def __dir__(self) -> list[str]:
        return public_names(super().__dir__())


def wrong_type(name: str, value: object, expected: str) -> TypeError:
    text = repr(value)
    return TypeError(f"{name}={text if len(text) < 80 else type(value).__name__}: expected {expected}")


def text(name: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        raise wrong_type(name, value, "a str")


def path(name: str, value: object) -> None:
    if value is not None and not isinstance(value, (str, os.PathLike)):
        raise wrong_type(name, value, "a path")


def flag(name: str, value: object) -> None:
    """None is not one."""
    if not isinstance(value, bool):
        raise wrong_type(name, value, "True or False")


def flags(**given: object) -> None:
    for name, value in given.items():
        flag(name, value)


def choice(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        *others, last = map(repr, known)
        expected = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{name}={value!r}: expected {expected}")


def texts(name: str, value: Iterable[object] | None, of: str) -> None:
    """A list, where a text would be taken for the list of its letters."""
    if value is not None and (isinstance(value, (str, bytes)) or not isinstance(value, Iterable)):
        raise wrong_type(name, value, f"a list of {of}")


def paths(value: Any, name: str = "paths") -> list[Any]:
    """The list of one path or several."""
    if isinstance(value, (str, os.PathLike)):
        return [value]
    if isinstance(value, bytes) or not isinstance(value, Iterable):
        raise wrong_type(name, value, "a path, or a list of paths")
    listed = []
    for one in value:
        if not isinstance(one, (str, os.PathLike)):
            if isinstance(value, (list, tuple)):
                raise wrong_type(f"{name}: path", one, "a str or a path")
            raise wrong_type(name, value, "a path, or a list of paths")
        listed.append(one)
    return listed


def mapping(name: str, value: object, of: str) -> None:
    if value is not None and not isinstance(value, Mapping):
        raise wrong_type(name, value, f"a dict of {of}")


def whole_number(name: str, value: Any, known: range = _INT64) -> None:
    if value is None:
        return
    try:
        if isinstance(value, bool):
            raise TypeError
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
