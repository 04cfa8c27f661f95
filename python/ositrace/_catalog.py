# SPDX-License-Identifier: MPL-2.0
"""What many traces contain, as a table: made without reading messages, kept in Parquet."""

from __future__ import annotations

import json
import os
import subprocess
import warnings
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Union

from . import _arguments, _ositrace
from ._error import Error
from ._files import FileFacts, Paths, absolute, facts_of, file_id, list_files
from ._programs import path_of
from ._remote import RemoteFile, StorageOptions, is_remote, refuse_remote
from ._rows import optional_package
from ._trace import open_unless_text

#: A question for a file of a mounted object store takes milliseconds, and no processor time.
_THREADS = 16

_ROW_TYPES = {
    "file_id": "int64",
    "path": "string",
    "size": "int64",
    "mtime_ns": "int64",
    "campaign": "string",
    "date": "string",
    "container": "string",
    "compression": "string",
    "channel": "string",
    "type": "string",
    "encoding": "string",
    "frames": "uint64",
    "first_time_ns": "int64",
    "last_time_ns": "int64",
    "rate_hz": "float64",
    "osi_versions": "list",
    "host_id": "uint64",
    "x_min": "float64",
    "x_max": "float64",
    "y_min": "float64",
    "y_max": "float64",
    "static_data": "bool_",
    "findings": "int64",
    "error": "string",
}
_PLACE_TYPES = {"file_id": "int64", "path": "string", "frame": "uint64", "offset": "uint64", "time_ns": "int64"}


class Catalog(_arguments.PublicNames):
    """A row for each channel of each file, and an index table: places where a program can begin to read."""

    def __init__(self, rows: Any, places: Any) -> None:
        self.rows = rows  #: a `pyarrow.Table`
        self.places = places  #: a `pyarrow.Table`

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Catalog:
        """The catalog in a file, and its index table in the file beside it: `.jsonl` of `osiconvert`, or Parquet."""
        name = os.fspath(path)
        return cls(_read(name, _ROW_TYPES), _read(_places_file(name), _PLACE_TYPES))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write both tables, as `read()` has them. Files of these names are replaced, each when it is complete."""
        name = os.fspath(path)
        refuse_remote("path", name)
        for table, file in ((self.places, _places_file(name)), (self.rows, name)):
            part = f"{file}.{os.getpid()}.part"
            try:
                if _is_json(name):
                    self._write_lines(table, part)
                else:
                    optional_package("pyarrow.parquet", "a catalog").write_table(table, part)
                os.replace(part, file)
            finally:
                if os.path.lexists(part):
                    os.unlink(part)

    def _write_lines(self, table: Any, path: str) -> None:
        """JSON lines that `osiconvert catalog --update` reads: they have size and time of a file instead of its id."""
        names = ("path", "size", "mtime_ns")
        facts = {one["file_id"]: one for one in self.rows.select(["file_id", *names]).to_pylist()}
        with open(path, "w", encoding="utf-8") as stream:
            for row in table.to_pylist():
                line = {**facts[row["file_id"]], **row}
                del line["file_id"]
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")

    def to_pandas(self) -> Any:
        return self.rows.to_pandas()

    def __len__(self) -> int:
        return int(self.rows.num_rows)

    def __repr__(self) -> str:
        return f"<Catalog of {len(self)} channels>"


#: A catalog, its file, or rows of it: `catalog.rows.filter(pc.field("campaign") == "munich")`.
AnyCatalog = Union[Catalog, str, "os.PathLike[str]", Any]


def catalog(
    paths: Paths,
    output: str | os.PathLike[str] | None = None,
    *,
    update: bool = False,
    overwrite: bool = False,
    check: bool = False,
    schema: str | os.PathLike[str] | bytes | None = None,
    threads: int = _THREADS,
    storage_options: StorageOptions | None = None,
) -> Catalog:
    """List what many traces contain.

    Of an MCAP file its summary is read; of another one the lengths of all frames, and the first and the last frame. The
    columns are those of `osiconvert catalog`, and `file_id`, a number for path, size and time of a file.

    Parameters
    ----------
    paths : path, pattern, folder, or list of these
        As `scan()` has them.
    output : path, optional
        A file that the catalog is written to: `.jsonl` as `osiconvert catalog` writes it, any other is Parquet.
        `.index` before its extension names the file of the index table.
    update : bool
        Reuse the rows in the output for files that have not changed, if it and its index table exist.
    overwrite : bool
        Replace the output and read every file. Without `update` or `overwrite` an output that exists is an error.
    check : bool
        Count the errors and warnings of `check()`, which reads every file.
    schema : path or bytes, optional
        As `open()` has it.
    threads : int
        Files that are read at the same time.
    storage_options : dict, optional
        As `open()` has them. Findings of objects in a store are not counted.

    Returns
    -------
    Catalog
        Also of files that are broken: the column `error` says why, and so does a UserWarning.

    >>> ositrace.catalog("lake/", "lake.parquet", update=True).to_pandas().groupby("campaign").frames.sum()
    """
    _arguments.flags(update=update, overwrite=overwrite, check=check)
    if update and overwrite:
        raise ValueError("expected update=True or overwrite=True, not both")
    refuse_remote("output", output)
    pa = optional_package("pyarrow", "catalog()")
    known: Mapping[tuple[str, int, int], Any] = {}
    before = None
    if output is not None and os.path.lexists(output):
        if not update and not overwrite:
            reason = f"{os.fspath(output)} exists. Use update=True or overwrite=True."
            raise Error(reason, code="exists", file=os.fspath(output))
        before = earlier(output) if update else None
        known = {} if before is None else _unchanged(before, check)
    if output is not None:
        folder = os.path.dirname(os.path.abspath(output))
        if not os.path.isdir(folder):
            raise Error(f"{folder}: No such file or directory", code="io", file=folder)

    def entry(path: str) -> _Entry:
        return _entry(path, known, check, schema, storage_options)

    with ThreadPoolExecutor(threads) as pool:
        names = dict.fromkeys(absolute(name) for name in list_files(paths, storage_options))
        entries = list(pool.map(entry, names))
    rows = _table(pa, _ROW_TYPES, (row for one in entries for row in one.rows))
    places = _table(pa, _PLACE_TYPES, (row for one in entries for row in one.places))
    kept = pa.array([one.kept for one in entries if one.kept is not None], pa.int64())
    if before is not None and len(kept):
        pc = optional_package("pyarrow.compute", "catalog()")
        parts = [[table.filter(pc.is_in(table["file_id"], value_set=kept))] for table in (before.rows, before.places)]
        rows, places = pa.concat_tables([*parts[0], rows]), pa.concat_tables([*parts[1], places])
    made = Catalog(rows.sort_by("path"), places.sort_by([("path", "ascending"), ("offset", "ascending")]))
    broken = [one for one in entries if one.problem]
    if broken:
        more = f" (and {len(broken) - 1} more files)" if len(broken) > 1 else ""
        warnings.warn(f"{broken[0].problem}{more}", stacklevel=2)
    if output is not None:
        made.write(output)
    return made


def catalog_of(value: AnyCatalog) -> Any:
    """The rows of a catalog in any of its forms, as a `pyarrow.Table`."""
    if isinstance(value, Catalog):
        return value.rows
    if isinstance(value, (str, os.PathLike)):
        return _read(os.fspath(value), _ROW_TYPES)
    pa = optional_package("pyarrow", "a catalog")
    return pa.table(value)


def earlier(output: str | os.PathLike[str]) -> Catalog | None:
    """The catalog that is updated; None: without its places, which a removed file had, every file is read again."""
    rows = _read(os.fspath(output), _ROW_TYPES)  # what is no catalog is not replaced
    places = _places_file(os.fspath(output))
    return Catalog(rows, _read(places, _PLACE_TYPES)) if os.path.lexists(places) else None


def _read(file: str, types: Mapping[str, str]) -> Any:
    """One of the tables."""
    pa = optional_package("pyarrow", "a catalog")
    if not is_remote(file):
        facts_of(file)  # an Error where there is none
    try:
        if _is_json(file):
            return _table_of_lines(pa, file, types)
        table = optional_package("pyarrow.parquet", "a catalog").read_table(file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Error(f"{file}: {reason}", code="io", file=file, reason=reason) from None
    except pa.ArrowInvalid:
        raise _no_table(file) from None
    if table.schema.names != list(types):
        raise _no_table(file)
    return table


def _table_of_lines(pa: Any, file: str, types: Mapping[str, str]) -> Any:
    rows = []
    with open(file, encoding="utf-8", errors="replace") as lines:
        for number, text in enumerate(lines, 1):
            try:
                row = json.loads(text)
                row["file_id"] = file_id(row["path"], row["size"], row["mtime_ns"])
                if missing := types.keys() - row.keys():
                    raise KeyError(*missing)
            except (ValueError, TypeError, KeyError):
                raise _no_table(f"{file}: line {number}") from None
            rows.append(row)
    try:
        return _table(pa, types, rows)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        raise _no_table(file) from None


def _no_table(file: str) -> Error:
    return Error(f"{file}: not a table of a catalog", code="malformed", file=file)


def _is_json(file: str) -> bool:
    return file.lower().endswith(".jsonl")


class _Entry(NamedTuple):
    """What is known of a file: rows of both tables, or the id of one that has not changed."""

    rows: list[dict[str, Any]]
    places: list[dict[str, Any]]
    problem: str | None = None
    kept: int | None = None


def _entry(path: str, known: Mapping[tuple[str, int, int], Any], check: bool, schema: Any, storage: Any) -> _Entry:
    """One broken file does not stop the others."""
    facts = FileFacts(path, 0, 0)
    try:
        _check_name(path)
        facts = facts_of(path, storage)
        if tuple(facts) in known:
            return _Entry([], [], kept=facts.file_id)
        trace = open_unless_text(RemoteFile(path, storage) if is_remote(path) else path, None, schema, False)
        if trace is None:
            return _entry_of_text(facts, check, schema)
        with trace:
            info, (channels, places, problem) = trace.info, trace.catalog_entry()
        findings = None
        if check and not is_remote(path):
            from ._verbs import check as check_trace

            found = check_trace(path)
            findings = found.errors + found.warnings
    except Error as error:
        return _Entry([_row(facts, {}, None, error.program_text)], [], str(error))
    compression = info.chunk_compression if info.chunks else info.compression
    shared = {"container": info.container, "compression": compression}
    return _Entry(
        [_row(facts, {**shared, **channel}, findings, problem) for channel in channels or [{}]],
        [
            {"file_id": facts.file_id, "path": path, "frame": frame, "offset": offset, "time_ns": time}
            for frame, offset, time in places
        ],
        problem,
    )


def _entry_of_text(facts: FileFacts, check: bool, schema: Any) -> _Entry:
    """Text is read by the program, whose catalog has the same columns."""
    if is_remote(facts.path) or isinstance(schema, bytes):
        reason = "a text trace is read by its path, with a schema by its path"
        raise Error(f"{facts.path}: {reason}", code="unsupported", file=facts.path, reason=reason)
    command = [path_of("osiconvert"), "catalog", facts.path, "-o", "-", "--quiet", "--threads", "1"]
    command += ["--check"] * check + ([] if schema is None else [f"--schema={os.fspath(schema)}"])
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if not lines:
        reason = done.stderr.decode(errors="replace").strip()
        raise Error(f"{facts.path}: {reason}", code="io", file=facts.path, reason=reason)
    rows = [_row(facts, line, line["findings"], line["error"]) for line in lines]
    return _Entry(rows, [], lines[0]["error"])


def _row(facts: FileFacts, columns: Mapping[str, Any], findings: int | None, error: str | None) -> dict[str, Any]:
    campaign, date = _ositrace.path_facts(os.fsencode(facts.path))
    whose = {**facts._asdict(), "file_id": facts.file_id, "campaign": campaign, "date": date}
    row = {"osi_versions": [], **columns, **whose, "findings": findings, "error": error}
    return {name: _utf8(value) for name, value in row.items()}


def _check_name(path: str) -> None:
    if _utf8(path) != path:
        raise Error(f"{_utf8(path)}: its name is not UTF-8", code="io", file=path)


def _utf8(value: Any) -> Any:
    """Text with U+FFFD for bytes that are no UTF-8: Arrow's text has no other."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if isinstance(value, str) else value


def _unchanged(before: Catalog, check: bool) -> dict[tuple[str, int, int], Any]:
    """Files of an earlier catalog without an error, with findings where these are wanted."""
    columns = before.rows.select(["path", "size", "mtime_ns", "error", "findings"]).to_pydict()
    return {
        (path, size, changed): True
        for path, size, changed, error, findings in zip(*columns.values())
        if error is None and (findings is not None) == check
    }


def _places_file(path: str) -> str:
    stem, extension = os.path.splitext(path)
    return f"{stem}.index{extension}"


def _table(pa: Any, types: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> Any:
    made = {"list": lambda: pa.list_(pa.string())}
    schema = pa.schema([(name, (made.get(kind) or getattr(pa, kind))()) for name, kind in types.items()])
    columns: dict[str, list[Any]] = {name: [] for name in types}
    for row in rows:
        for name, values in columns.items():
            values.append(row.get(name))
    return pa.table(columns, schema)
