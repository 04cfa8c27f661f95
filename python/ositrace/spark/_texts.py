# SPDX-License-Identifier: MPL-2.0
"""Options as texts, of a query and of a command line."""

from __future__ import annotations

import json


def names_of(text: str) -> list[str]:
    """`id, x, y`."""
    return [part.strip() for part in text.split(",")]


def fields_of(text: str) -> dict[str, str]:
    """`{"x": "moving_object[*].base.position.x"}`, or `x=moving_object[*].base.position.x, ...`."""
    if text.lstrip().startswith("{"):
        return {str(name): str(path) for name, path in json.loads(text).items()}
    pairs = [part.partition("=") for part in text.split(",")]
    return {name.strip(): (path or name).strip() for name, _, path in pairs}


def times_of(text: str) -> tuple[float | None, float | None]:
    """`2:5`, `2:`, `:5` in seconds."""
    start, colon, stop = text.partition(":")
    try:
        if not colon:
            raise ValueError
        return (float(start) if start.strip() else None, float(stop) if stop.strip() else None)
    except ValueError:
        raise ValueError(f"time={text!r}: expected START:STOP in seconds") from None
