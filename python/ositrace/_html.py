# SPDX-License-Identifier: MPL-2.0
"""What notebooks show."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ._arguments import public_names
from ._error import Error
from ._ositrace import Frame, Message

if TYPE_CHECKING:
    from ._picture import Picture

_LONGEST = 120


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of HTML; all texts may come from a file."""
    lines = [f"<caption>{_text(caption)}</caption>", _row("th", head)]
    lines += [_row("td", row) for row in rows]
    return f"<table>{''.join(lines)}</table>"


def _row(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells)}</tr>"


def _text(value: object) -> str:
    text = str(value)
    return html.escape(text if len(text) <= _LONGEST else text[:_LONGEST] + "...")


def _field_rows(message: Message) -> Iterable[tuple[str, object]]:
    for field, value in message.ListFields():
        if field.is_repeated:
            yield f"{field.name}[{len(value)}]", _content(field, value[0]) if len(value) == 1 else "..."
        else:
            yield field.name, _content(field, value)


def _content(field: Any, value: Any) -> object:
    if field.message_type is not None:
        return " ".join(str(value).split())
    if field.enum_type is not None:
        return next((name for name, number in field.enum_type.items() if number == value), value)
    return repr(value)


def _message_html(self: Message) -> str:
    return table(self.DESCRIPTOR.full_name, ("field", "value"), _field_rows(self))


def _frame_html(self: Frame) -> str:
    try:
        rows = list(_field_rows(self.message))
    except Error as error:
        rows = [("", error)]
    return table(repr(self)[1:-1], ("field", "value"), rows)


def _frame_picture(
    self: Frame,
    *,
    size: tuple[int, int] = (1280, 800),
    view: Literal["3d", "bird"] | None = None,
    theme: Literal["dark", "light"] | None = None,
    colour_by: str | None = None,
) -> Picture:
    """A picture of this frame alone, as `Trace.picture()` makes it: a frame without its map shows none."""
    from ._picture import picture_of_frame  # which starts programs

    return picture_of_frame(self, {"size": size, "view": view, "theme": theme, "colour_by": colour_by})


def _frame_dir(self: Frame) -> list[str]:
    return public_names(object.__dir__(self))


setattr(Message, "_repr_html_", _message_html)
setattr(Frame, "__dir__", _frame_dir)
setattr(Frame, "_repr_html_", _frame_html)
setattr(Frame, "picture", _frame_picture)
