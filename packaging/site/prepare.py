# SPDX-License-Identifier: MPL-2.0
"""Writes the source of the site: the pages of docs/ unchanged but for their links, and the references.

usage: prepare.py FOLDER BIN      BIN has osiconvert, osiplay and osiview, which print their options
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
#: Pages that are not in docs/.
OTHERS = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
LINK = re.compile(r"(!?)\[([^\]\n]*)\]\(([^)\s]+)\)")
LANGUAGES = {".py": "python", ".cpp": "cpp", ".hpp": "cpp", ".sh": "bash", ".cmake": "cmake", ".txt": "text"}


def page_of(path: Path) -> str | None:
    """The name on the site of a file of the repository that is a page."""
    name = path.relative_to(SOURCE).as_posix()
    if name in OTHERS:
        return OTHERS[name]
    return name.removeprefix("docs/") if name.startswith("docs/") and name.endswith(".md") else None


class Site:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broken: list[str] = []

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def page(self, path: Path, name: str) -> None:
        text = path.read_text()
        parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)  # code has no links
        parts[::2] = [LINK.sub(lambda match: self.link(match, path, name), part) for part in parts[::2]]
        self.write(name, "".join(parts))

    def link(self, match: re.Match[str], path: Path, name: str) -> str:
        kind, text, target = match.groups()
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return match[0]
        file, hash, anchor = target.partition("#")
        found = (path.parent / file).resolve()
        if not found.exists() or SOURCE not in found.parents:
            self.broken.append(f"{path.relative_to(SOURCE)}: {target}")
            return match[0]
        there = page_of(found) or (self.picture(found) if kind else self.file(found))
        return f"{kind}[{text}]({os.path.relpath(there, Path(name).parent)}{hash}{anchor})"

    def picture(self, path: Path) -> str:
        name = f"pictures/{path.name}"
        (self.folder / "pictures").mkdir(parents=True, exist_ok=True)
        shutil.copy(path, self.folder / name)
        return name

    def file(self, path: Path) -> str:
        """A page with a file of the repository, or the list of a folder."""
        name = path.relative_to(SOURCE).as_posix()
        page = f"files/{name.replace('/', '-')}.md"
        if path.is_dir():
            listed = "\n".join(f"- `{one.name}`" for one in sorted(path.iterdir()) if not one.name.startswith("."))
            self.write(page, f"# {name}\n\n{listed}\n")
        else:
            language = LANGUAGES.get(path.suffix, "text")
            self.write(page, f"# {name}\n\n```` {language}\n{path.read_text()}````\n")
        return page


def commands(folder: Path) -> str:
    """The options of every program and verb, as they print them."""

    def printed(*words: str) -> str:
        return subprocess.run([folder / words[0], *words[1:]], check=False, capture_output=True, text=True).stdout

    text = "# Commands\n\nWhat the programs print with `--help`.\n"
    for program in ("osiconvert", "osiplay", "osiview"):
        whole = printed(program, "--help")
        text += f"\n## {program}\n\n```text\n{whole}```\n"
        verbs = verbs_of(printed(program, "help", "--bash")) if program != "osiview" else []
        for verb in verbs:
            help = printed(program, verb, "--help")
            text += f"\n### {program} {verb}\n\n```text\n{help}```\n" if help else ""  # benchmarks may not be built
    return text


def verbs_of(completion: str) -> list[str]:
    """From the completions, which are made of the same data as the options."""
    found = re.search(r"help\) words='([^']*)'", completion)
    return found[1].split() if found else []


def cpp_reference() -> str:
    """The public headers: their comments, each before what it is about."""
    text = "# C++ reference\n\nThe public headers, `#include <ositrace/NAME>`.\n"
    headers = sorted(
        (path for folder in ("formats", "lib") for path in (SOURCE / folder).glob("**/include/ositrace/*.hpp")),
        key=lambda path: path.name,
    )
    for path in headers:
        documented = list(declarations(path.read_text()))
        if not documented:
            continue
        part = path.relative_to(SOURCE).parts
        where = "the library" if part[0] == "formats" or part[1] == "include" else f"the part `{part[1]}`"
        text += f"\n## {path.name}\n\nOf {where}.\n"
        for comment, declaration in documented:
            text += f"\n```cpp\n{declaration}\n```\n\n{comment}\n"
    return text


def declarations(header: str):
    """Comments of `///` at the beginning of lines, with the declarations after them."""
    lines = header.splitlines()
    at = 0
    while at < len(lines):
        if not lines[at].lstrip().startswith("/// "):
            at += 1
            continue
        comment = []
        while at < len(lines) and lines[at].lstrip().startswith("///"):
            comment.append(lines[at].strip().removeprefix("///").strip())
            at += 1
        declaration = []
        depth = 0
        while at < len(lines):
            line = re.sub(r"\s*///<.*", "", lines[at])
            at += 1
            declaration.append(re.sub(r"OSITRACE_API |\[\[nodiscard\]\] ", "", line))
            depth += line.count("(") - line.count(")")
            if depth <= 0 and re.search(r"[;{}]\s*$|=\s*$", line.split("//")[0].rstrip() or ";"):
                break
        shown = re.sub(r"\s*\{[^{}]*$", ";", "\n".join(declaration))
        indent = min((len(line) - len(line.lstrip()) for line in shown.splitlines() if line.strip()), default=0)
        yield " ".join(comment).replace("<", "&lt;"), "\n".join(line[indent:] for line in shown.splitlines()).strip()


PYTHON = """# Python reference

The docstrings of the package; [Python](../python.md) tells what it is for.

{parts}
"""


def python_reference() -> str:
    names = re.search(r"__all__ = \[(.*?)\]", (SOURCE / "python/ositrace/__init__.py").read_text(), re.DOTALL)[1]
    public = [name for name in re.findall(r'"(\w+)"', names) if not name.startswith("_")]
    functions = [name for name in public if name[0].islower()]
    classes = [name for name in public if name[0].isupper()]
    modules = modules_of()
    return PYTHON.format(
        parts="\n\n".join(
            f"::: {modules[name]}.{name}\n    options:\n      show_root_full_path: false\n      heading_level: 2\n"
            for name in [*functions, *classes]
        )
    )


def modules_of() -> dict[str, str]:
    """Where the names of the package come from: some are imported only when they are used."""
    found = {}
    text = (SOURCE / "python/ositrace/__init__.py").read_text()
    for module, names in re.findall(r"^ *from \.(\w+) import (.*)$", text, re.MULTILINE):
        for name in re.findall(r"\w+", names.split(" as ")[0]):
            found[name] = f"ositrace.{module}"
    return found


def main() -> int:
    folder, programs = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    site = Site(folder)
    for path in sorted((SOURCE / "docs").glob("*.md")):
        site.page(path, path.name)
    for name, page in OTHERS.items():
        site.page(SOURCE / name, page)
    site.picture(SOURCE / "gui/install/osiview.svg")
    shutil.copy(SOURCE / "packaging/site/site.css", folder / "site.css")
    site.write("reference/commands.md", commands(programs))
    site.write("reference/python.md", python_reference())
    site.write("reference/cpp.md", cpp_reference())
    for link in site.broken:
        print(f"no such file: {link}", file=sys.stderr)
    return 1 if site.broken else 0


if __name__ == "__main__":
    sys.exit(main())
