# SPDX-License-Identifier: MPL-2.0
"""The exceptions of the package."""

from __future__ import annotations

import errno
import re
import sys
import warnings
from collections.abc import Iterable


class Error(Exception):
    """What went wrong, and where. The text is one line: `run.osi: frame 7 at byte 912: moving_object[3].id: <reason>`.

    Attributes
    ----------
    code : str
        What kind of thing went wrong: `io`, `missing`, `malformed`, `truncated`, `limit`, `unsupported`, `ambiguous`,
        `mismatch`, `exists`, `lossy`, `cancelled`, `usage`.
    file : str or None
    frame : int or None
        From 0.
    byte : int or None
        From the start of the file, uncompressed.
    field : str
        Path of the field, empty where none is concerned.
    reason : str
        The text without the place.
    """

    def __init__(
        self,
        text: str,
        *,
        code: str = "usage",
        file: str | None = None,
        frame: int | None = None,
        byte: int | None = None,
        field: str = "",
        reason: str | None = None,
    ) -> None:
        super().__init__(text)
        self.text = text
        self.code = code
        self.file = file
        self.frame = frame
        self.byte = byte
        self.field = field
        self.reason = text if reason is None else reason
        self.program_text = text  # what osiconvert says, which has options where this one has parameters

    def __str__(self) -> str:
        return self.text

    def of_file(self, name: str, frame: int | None = None) -> Error:
        """The same error of a file that the user knows by another name; the frame is added where it has none."""
        attributes: dict[str, object] = {**self.__dict__, "file": name}
        text = self.text
        if self.file is not None:
            text = text.removeprefix(f"{self.file}: ").replace(self.file, name)
        if frame is not None and self.frame is None:
            attributes["frame"], text = frame, f"frame {frame}: {text}"
        attributes["text"] = attributes["program_text"] = text if text.startswith(name) else f"{name}: {text}"
        return _restored(type(self), attributes)


class MissingFileError(Error, FileNotFoundError):
    """A file that does not exist."""


class UnknownNameError(Error, KeyError):
    """A topic, type or field that does not exist; the text has similar names."""


class ChannelError(Error, TypeError):
    """What needs one channel is asked of several. A TypeError, too: `list(trace)` does without `len(trace)` then."""


def _restored(kind: type[Error], attributes: dict[str, object]) -> Error:
    error = kind(str(attributes["text"]))
    error.__dict__.update(attributes)
    return error


def from_library(
    text: str,
    reason: str,
    code: str,
    file: str | None,
    frame: int | None,
    byte: int | None,
    field: str,
    of_a_verb: bool = False,
) -> Error:
    """The exception for an error of the C++ library, or of a program (`of_a_verb`)."""
    program_text = text
    if code == "exists":  # a sentence that begins with the name of the file
        text, reason = (one.replace("Use --overwrite to", "Use overwrite=True to") for one in (text, reason))
    else:
        text, reason = (with_parameters(one, file, of_a_verb) for one in (text, reason))
    kind = MissingFileError if code == "missing" and file is not None else Error
    error = kind(text, code=code, file=file, frame=frame, byte=byte, field=field, reason=reason)
    error.program_text = program_text
    if isinstance(error, FileNotFoundError):
        error.errno, error.filename = errno.ENOENT, file
    return error


#: Parameters that are options of the programs with the same names; those of functions that run no program first.
_OF_ALL = frozenset(
    "chunk_size compression encoding level loop overwrite rate schema step_size time to topic type".split()
)
_OF_VERBS = frozenset(
    "apply attach attach_map carry_static channels connect differences disable drop every every_bytes "
    "every_frames every_seconds findings frames host ignore in_process input_encoding into keep keep_empty "
    "layout list_frames map map_deviation max_message meta mounting out_dir pair_by period profile rename "
    "resume retime round rules sensor_id set shift_time skip_bad_frames static threads time_tolerance timeout "
    "tolerance trajectory unpack_series".split()
)
_FLAGS = frozenset(
    "apply carry_static channels in_process keep_empty list_frames overwrite resume retime skip_bad_frames "
    "trajectory unpack_series".split()
)
_OPTION = re.compile(
    r"(?<![^\s('])--(?P<name>[a-z][a-z-]*)"
    r"(?::|\s(?P<value>numbered|declared|carry|[0-9.]*[0-9])|\s[A-Z](?::?[A-Z])*\b)?"
)

#: What is said otherwise, by functions that run no program, and by those that do.
_PHRASES = {
    False: {
        "leave them out (cut --frames), write .mcap, or give --keep-empty here and to the commands that read it": (
            "leave them out, or write .mcap"
        ),
        ", or give --keep-empty here and to the commands that read it": "",
    },
    True: {
        "to the commands that read it": "to the functions that read it",
        "(cut --frames)": "by cut(frames=)",
        "(--list shows them)": "('osiconvert check --list' shows them)",
        "--meta zero_time=...": 'meta={"zero_time": ...}',
        "--late drop": "drop_late=True",
        "('osiconvert info' prints what the trace contains)": "(Trace.stats() has what the trace contains)",
        "`osiconvert wrap gt2sv`": "wrap('gt2sv', ...)",
        "osiconvert wrap gt2sv IN -o OUT": "wrap('gt2sv', ...)",
        "osiconvert wrap sv2gt IN -o OUT": "wrap('sv2gt', ...)",
        "--json and a trace on standard output exclude each other": "a function writes no trace to standard output",
    },
}


def with_parameters(text: str, file: str | None, of_a_verb: bool) -> str:
    """The text of an error or warning, with the names of parameters in the place of options: `overwrite=True`."""
    parts = text.split(file) if file else [text]
    for said, instead in _PHRASES[of_a_verb].items():
        parts = [part.replace(said, instead) for part in parts]
    return (file or "").join(_OPTION.sub(lambda option: _parameter(option, of_a_verb), part) for part in parts)


def _parameter(option: re.Match[str], of_a_verb: bool) -> str:
    name, value = option["name"].replace("-", "_"), option["value"]
    if name not in _OF_ALL and name not in _OF_VERBS:
        return option[0]
    if option[0].endswith(":"):
        return f"{name}:"
    given = name + "="
    if name in _FLAGS:
        given += "True"
    elif value is not None:
        given += value if value[-1].isdigit() else f'"{value}"'
    return given if of_a_verb or name in _OF_ALL else f"ositrace.convert({given})"


def warn(text: str) -> None:
    """A UserWarning at the line that called the package."""
    depth = 1
    package = __name__.partition(".")[0]
    while sys._getframe(depth).f_globals.get("__name__", "").partition(".")[0] == package:
        depth += 1
    warnings.warn(text, stacklevel=depth + 1)


def unknown_name(
    name: str, kind: str, known: Iterable[str], file: str | None = None, place: str = ""
) -> UnknownNameError:
    """`there is no topic 'gt' (known: ...)`, with similar names first."""
    names = [one for one in dict.fromkeys(known) if one]
    import difflib  # takes long, and only an error needs it

    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    reason = f"there is no {kind} '{name}'" + (f" in {place}" if place else "")
    reason += f"; did you mean {' or '.join(repr(n) for n in near)}?" if near else f" (known: {_listed(names)})"
    return UnknownNameError(f"{file}: {reason}" if file else reason, code="usage", file=file, reason=reason)


def _listed(names: list[str]) -> str:
    most = 40
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
