# SPDX-License-Identifier: MPL-2.0
"""What messages have beside their fields. The fields themselves are read by the compiled module."""

from __future__ import annotations

import importlib
from pathlib import PurePosixPath
from typing import Any

from . import _arguments, _ositrace
from ._error import Error
from ._ositrace import EnumDescriptor, Message


def other_attribute(message: Message, name: str) -> Any:
    """Enums and enumerators that the message type declares, as the classes have them that protoc generates."""
    descriptor = message.DESCRIPTOR
    if not name.startswith("_"):
        for enum in descriptor.enum_types:
            if enum.name == name:
                return enum
            for known, number in enum.items():
                if known == name:
                    return number
    fields = [field.name for field in descriptor.fields]
    import difflib  # takes long, and only an error needs it

    near = difflib.get_close_matches(name, fields, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else f" (fields: {', '.join(fields)})"
    raise AttributeError(f"{descriptor.full_name} has no field '{name}'" + ("" if name.startswith("_") else hint))


def to_dict(self: Message) -> dict[str, Any]:
    """The fields that are set: enums by name where they have one, messages as dicts, repeated fields as lists."""
    return {field.name: _plain(field, value) for field, value in self.ListFields()}


def to_json(self: Message) -> str:
    """The message as one line of JSON: Protobuf's mapping with the names of the .proto file."""
    return _ositrace.message_json(self)


def to_protobuf(self: Message) -> Any:
    """The message as an object of the package `osi3` (osi-python), which can be changed.

    Raises
    ------
    Error
        The bytes are broken, with file, frame and byte.
    """
    descriptor = self.DESCRIPTOR
    package, _, name = descriptor.full_name.partition(".")
    module_name = f"{package}.{PurePosixPath(descriptor.file).stem}_pb2"
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"to_protobuf() needs {module_name}: pip install osi-python", name=error.name
        ) from None
    for part in name.split("."):
        found = getattr(found, part)
    decode_error: Any = importlib.import_module("google.protobuf.message").DecodeError
    try:
        return found.FromString(self.SerializeToString())
    except decode_error as error:
        to_dict(self)  # says where it is broken
        raise Error(f"{descriptor.full_name}: {error}", code="malformed") from error


def serialize_to_string(self: Message) -> bytes:
    """The bytes of the message in Protobuf; where the trace has it in Protobuf these are the bytes of the trace."""
    return _ositrace.message_bytes(self)


def byte_size(self: Message) -> int:
    """The length of SerializeToString()."""
    return len(_ositrace.message_bytes(self))


def _plain(field: _ositrace.FieldDescriptor, value: Any) -> Any:
    if field.is_repeated:
        return [_plain_element(field, element) for element in value]
    return _plain_element(field, value)


def _plain_element(field: _ositrace.FieldDescriptor, value: Any) -> Any:
    if field.message_type is not None:
        return to_dict(value)
    if field.enum_type is not None:
        try:
            return field.enum_type.Name(value)
        except ValueError:
            return value  # a number that this release does not know
    return value


def _str(self: Message) -> str:
    return _ositrace.message_text(self, False)


def _repr(self: Message) -> str:
    try:
        fields = self.ListFields()
    except Error as error:
        return f"<{self.DESCRIPTOR.full_name}, broken: {error}>"
    names = [f"{field.name}[{len(value)}]" if field.is_repeated else field.name for field, value in fields]
    return f"<{self.DESCRIPTOR.full_name}: {', '.join(names) or 'empty'}>"


_equals_message = Message.__eq__


def _equals(self: Message, other: object) -> Any:
    """Also to an object of `osi3` with the same content."""
    name = self.DESCRIPTOR.full_name
    if isinstance(other, Message) or getattr(getattr(other, "DESCRIPTOR", None), "full_name", None) != name:
        return _equals_message(self, other)
    wire = getattr(other, "SerializePartialToString")()
    return _equals_message(self, _ositrace.message_from(wire, name, _ositrace.message_schema(self)))


def _differs(self: Message, other: object) -> Any:
    equal = _equals(self, other)
    return equal if equal is NotImplemented else not equal


def _dir(self: Message) -> list[str]:
    return [field.name for field in self.DESCRIPTOR.fields] + _arguments.public_names(object.__dir__(self))


def _reduce(self: Message) -> tuple[Any, ...]:
    return _restored, (self.SerializeToString(), self.DESCRIPTOR.full_name, _ositrace.message_schema(self))


def _restored(wire: bytes, type: str, schema: bytes | None) -> Message:
    return _ositrace.message_from(wire, type, schema)


def _enum_keys(self: EnumDescriptor) -> list[str]:
    """The names, as `items()` has them."""
    return [name for name, _ in self.items()]


def _enum_values(self: EnumDescriptor) -> list[int]:
    """The numbers, as `items()` has them."""
    return [number for _, number in self.items()]


def _install() -> None:
    methods = {
        "to_dict": to_dict,
        "to_json": to_json,
        "to_protobuf": to_protobuf,
        "SerializeToString": serialize_to_string,
        "ByteSize": byte_size,
        "__eq__": _equals,
        "__ne__": _differs,
        "__str__": _str,
        "__repr__": _repr,
        "__dir__": _dir,
        "__reduce__": _reduce,
    }
    for name, method in methods.items():
        setattr(Message, name, method)
    setattr(EnumDescriptor, "keys", _enum_keys)
    setattr(EnumDescriptor, "values", _enum_values)


_install()
