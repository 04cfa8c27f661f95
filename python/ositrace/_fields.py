# SPDX-License-Identifier: MPL-2.0
"""Field paths as attributes, which Tab completes."""

from __future__ import annotations

from . import _ositrace
from ._error import unknown_name
from ._ositrace import Channel, Descriptor, FieldDescriptor


class FieldPath:
    """A path to a field of the messages of a channel; `table()` takes it in the place of text.

    >>> fields = trace.fields
    >>> trace.table({"id": fields.moving_object.id, "x": fields.moving_object.base.position.x})
    >>> fields.moving_object[3].base.velocity.x    # one element; without an index every one: [*]
    """

    __slots__ = ("_channel", "_message", "_field", "_text")

    def __init__(
        self, channel: Channel, message: Descriptor | None, field: FieldDescriptor | None = None, text: str = ""
    ) -> None:
        self._channel = channel
        self._message = message
        self._field = field
        self._text = text

    def __getattr__(self, name: str) -> FieldPath:
        fields = {} if self._message is None else self._message.fields_by_name
        field = fields.get(name)
        if field is None:
            if name.startswith("_"):
                raise AttributeError(name)
            place = self._message.full_name if self._message else f"{self} (not a message)"
            raise AttributeError(unknown_name(name, "field", fields, place=place).text)
        before = f"{self}." if self._text else ""
        return made_path(self._channel, field.message_type, field, before + field.name)

    def __getitem__(self, index: int) -> FieldPath:
        if self._field is None or not self._field.is_repeated or self._text.endswith("]"):
            raise TypeError(f"{self or 'a message'} is not repeated")
        return made_path(self._channel, self._message, self._field, f"{self._text}[{int(index)}]")

    def __dir__(self) -> list[str]:
        return [] if self._message is None else [field.name for field in self._message.fields]

    def __str__(self) -> str:
        every = self._field is not None and self._field.is_repeated and not self._text.endswith("]")
        return self._text + ("[*]" if every else "")

    def __repr__(self) -> str:
        if self._field is None:
            return f"<fields of {self._channel.type}: {', '.join(self.__dir__())}>"
        if self._message is not None and dir(self) != ["value"]:
            return f"<{self}: {self._message.full_name}>"
        path = str(self)
        (column,) = _ositrace.table_of_paths(self._channel, [(path, path)], "frames", False).columns
        return f"<{path}{f', in {column[1]}' if column[1] else ''}>"


#: What completes names in notebooks (jedi) believes the annotations in the source of a class. Of a class whose name the
#: source has not it asks the object.
_class_of_paths: type[FieldPath] = type("path of a field", (FieldPath,), {"__slots__": ()})


def made_path(
    channel: Channel, message: Descriptor | None, field: FieldDescriptor | None = None, text: str = ""
) -> FieldPath:
    """A path whose fields Tab completes, also after an index."""
    return _class_of_paths(channel, message, field, text)
