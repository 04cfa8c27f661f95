# SPDX-License-Identifier: MPL-2.0
"""The programs `osiconvert`, `osiplay` and `osiview`, which are in the package.

The verbs run them as child processes. Which channel is meant, what an output is named and what counts as a loss is
decided by the programs alone, so a function and the command line cannot differ. A child is ended as in a terminal, by a
signal, which leaves no output, and its threads never meet those of Python.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Union

from ._arguments import wrong_type
from ._error import Error, from_library, warn, with_parameters

_FOLDER = Path(__file__).parent / "bin"

#: What the programs exit with when they are done and the answer is no: findings, a difference, something lost.
_FINDINGS = 3


@dataclass(frozen=True)
class Progress:
    """How far a verb is. The last one of a verb that ends well has `done` 1."""

    file: str  #: that is read; the last one of several
    frames: int
    bytes: int | None
    done: float | None  #: 0 to 1, where the end is known


#: A function; or True for a bar of tqdm, False for nothing, and None for a bar in a notebook where tqdm is installed.
ProgressOption = Union[Callable[[Progress], object], bool, None]


def path_of(program: str) -> str:
    """The program in this package."""
    path = _FOLDER / program
    if not path.exists():
        raise Error(
            f"{path}: is not in this package", code="unsupported", file=str(path), reason="is not in this package"
        )
    return str(path)


@dataclass(frozen=True)
class Outcome:
    """How a program ended."""

    program: str
    code: int
    printed: Any  #: the JSON on its standard output, None where it printed nothing
    failures: list[Error]
    complaints: str  #: its standard error

    def result(self, several: bool) -> Any:
        """What it printed; the first failure is raised, or with several files, which go on, a warning."""
        if self.code in (0, _FINDINGS) or (several and self.printed is not None):
            for failure in self.failures:
                warn(str(failure))
            return self.printed
        if self.failures:
            raise self.failures[0]
        complaints = with_parameters(self.complaints, None, of_a_verb=True)
        raise Error(complaints or f"{self.program} ended with {self.code}", code="io")


def run(
    program: str,
    arguments: Sequence[str],
    progress: ProgressOption = None,
    known_as: Mapping[str, str] = MappingProxyType({}),
    hear: Callable[[str], object] = warn,
) -> Outcome:
    """Run a program to its end. Its warnings become Python's, and name files in `known_as` as the user does.

    Exceptions, of the progress callback and KeyboardInterrupt, end it first.
    """
    path = path_of(program)
    with shown(progress) as show, tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as complaints:
        events_end, program_end = os.pipe()
        with open(events_end, "rb") as events:
            try:
                child = subprocess.Popen(
                    [path, *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=complaints,
                    pass_fds=[program_end],
                    env={**os.environ, "OSITRACE_EVENTS": str(program_end)},
                    start_new_session=True,  # Ctrl-C reaches it once, from here
                )
            finally:
                os.close(program_end)
            with _ended(child):
                failures = _follow(events, show, known_as, hear)
                code = child.wait()
        printed.seek(0)
        text = printed.read()
        result = json.loads(text) if text else None
        if code in (0, _FINDINGS):
            show(Progress(arguments[-1], _frames_of(result), None, 1.0))
        complaints.seek(0)
        return Outcome(program, code, result, failures, complaints.read().decode(errors="replace").strip())


def _frames_of(printed: Mapping[str, Any] | None) -> int:
    """That a program has read or written, as it says."""
    printed = printed or {}
    return sum(one.get("frames") or 0 for one in printed.get("files", [printed]) if isinstance(one.get("frames"), int))


def execute(program: str, arguments: Sequence[str]) -> None:
    """Become the program."""
    try:
        path = path_of(program)
    except Error as error:
        sys.exit(str(error))
    sys.stdout.flush()
    os.execv(path, [program, *arguments])


def osiconvert() -> None:
    """The console script."""
    execute("osiconvert", sys.argv[1:])


def osiplay() -> None:
    """The console script."""
    execute("osiplay", sys.argv[1:])


def osiview() -> None:
    """The console script, where Qt is installed, too."""
    from ._picture import why_no_viewer  # which needs this module

    given = sys.argv[1:]
    draws = any(word.split("=")[0] in ("--screenshot", "--video", "--help", "-h", "--version") for word in given)
    if why := why_no_viewer(opens_window=not draws and bool(os.environ.get("DISPLAY"))):
        sys.exit(f"osiview: {why}")
    execute("osiview", given)


def words(*paths: str | os.PathLike[str]) -> list[str]:
    """Arguments that are no options, whatever their names begin with."""
    texts = [os.fspath(path) for path in paths]
    return [os.path.join(".", text) if text.startswith("-") else text for text in texts]


def options(given: Mapping[str, Any], forms: Mapping[str, Callable[[Any], Any]]) -> list[str]:
    """Command-line options of keyword arguments.

    `forms` has the form of each value. None and False leave an option out, True is a flag, a mapping or a list repeats
    it.
    """
    texts = []
    for name, value in given.items():
        if value is None or value is False:
            continue
        form = forms[name](value)
        option = "--" + name.replace("_", "-")
        if form is True:
            texts.append(option)
        else:
            texts += [f"{option}={one}" for one in (form if isinstance(form, list) else [form])]
    return texts


def _follow(
    events: BinaryIO,
    show: Callable[[Progress], object],
    known_as: Mapping[str, str],
    hear: Callable[[str], object],
) -> list[Error]:
    """Hand on what happens until the program ends; returns what failed."""
    failures: list[Error] = []
    for event in _read(events):
        for name, text in event.items():
            for path, known in known_as.items():
                event[name] = text = text.replace(path, known) if isinstance(text, str) else text
        kind = event["event"]
        if kind == "progress":
            show(Progress(event["label"], event["frames"], event["bytes"], event["done"]))
        elif kind == "failure":
            failures.append(_error_of(event))
        elif kind == "warning" or (kind == "error" and not failures):
            hear(with_parameters(event["text"], None, of_a_verb=True))
    return failures


def _read(events: BinaryIO) -> Iterator[dict[str, Any]]:
    lines = []
    for line in events:
        lines.append(line)
        if line == b"}\n":
            yield json.loads(b"".join(lines))
            lines.clear()


def _error_of(event: Mapping[str, Any]) -> Error:
    places = (event["file"], event["frame"], event["byte"], event["field"])
    return from_library(event["text"], event["reason"], event["code"], *places, of_a_verb=True)


@contextmanager
def _ended(child: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        try:
            child.terminate()  # as Ctrl-C; SIGINT may be ignored, as under nohup
            child.wait()
        except BaseException:
            child.kill()  # the second Ctrl-C
            child.wait()
            raise
        raise


@contextmanager
def shown(progress: ProgressOption) -> Iterator[Callable[[Progress], object]]:
    """What is called with the progress."""
    if callable(progress):
        yield progress
        return
    if progress is not None and not isinstance(progress, bool):
        raise wrong_type("progress", progress, "a function, True, False or None")
    if progress is None:
        progress = _is_notebook()
        required = False
    else:
        required = True
    try:
        tqdm = __import__("tqdm.auto", fromlist=["tqdm"]).tqdm if progress else None
    except ModuleNotFoundError as error:
        if required:
            raise ModuleNotFoundError("progress=True needs tqdm: pip install tqdm", name=error.name) from None
        tqdm = None
    if tqdm is None:
        yield lambda _: None
        return
    with tqdm(total=100, unit="%", bar_format="{desc} {bar} {postfix}", leave=False) as bar:

        def show(now: Progress) -> None:
            bar.set_description_str(Path(now.file).name, refresh=False)
            bar.set_postfix_str(f"{now.frames} frames", refresh=False)
            bar.n = round(100 * (now.done or 0))
            bar.refresh()

        yield show


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return type(shell).__name__ == "ZMQInteractiveShell"
