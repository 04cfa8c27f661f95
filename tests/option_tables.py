#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""The tables of options in docs/, and the keywords of the Python package, are those that the programs declare.

usage: option_tables.py [--update] SOURCE_FOLDER FOLDER_OF_PROGRAMS

In a page, a comment before a table names the program, its verb, and the options that it shows. Without a verb the
second column has the verbs that an option belongs to:

    <!-- options: osiconvert --resume --threads -->
    | option | of | |
    |---|---|---|

In `_verbs.py` the attributes of a class of options are those that all functions have which use it or a class made from
it, without those of its own base, the parameters of the functions, and what is of no use there. In `_error.py` are the
names of all keywords, for the errors of a program. --update writes all of them.
"""
import ast
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

WIDTH = 120
#: Bench is a program of its own.
PROGRAMS = {"osiconvert": "osiconvert", "osiplay": "osiplay", "osiview": "osiview", "osiplay bench": "ositrace-bench"}
TABLE = re.compile(
    r"^<!-- options: (osi\w+(?: bench)?)((?: [a-z0-9]+)?)((?: --[a-z-]+)+) -->\n((?:\|.*\n){2})(?:\|.*\n)*", re.MULTILINE
)

#: What Python's keywords are, by the option, or by the name of its value. The alternatives of NAME and WHAT are all.
TYPES = {
    "--attach": "Iterable[Path]", "--to": "str", "--drop": "Iterable[str]", "--keep": "Iterable[str]",
    "--set": "Mapping[str, Any]", "--round": "Mapping[str, float]",
    "": "bool", "A:B": "Range", "BYTES": "Bytes", "FILE": "Path", "ID": "int", "KEY=VALUE": "Mapping[str, str]",
    "L": "int", "M": "float", "N": "int", "OLD=NEW": "Mapping[str, str]", "POSE": "Sequence[float]", "REGEX": "str",
    "S": "Seconds", "TYPE": "str",
}
#: Options without a keyword: they choose what is printed.
NO_KEYWORDS = {"fail_on", "format", "json", "list", "output", "summary"}


class Option(NamedTuple):
    names: str
    verb: str
    value: str
    choices: str
    help: str

    @property
    def name(self):
        return self.names.split(",")[-1]

    @property
    def keyword(self):
        return self.name[2:].replace("-", "_")


def options_of(program):
    """None: it was not built."""
    if not program.exists():
        return None
    printed = subprocess.run([program, "help", "--options"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [Option(*line.split("\t")) for line in printed.splitlines()]


# The pages


def as_markdown(option):
    words = set(option.choices.split())
    alternatives = r"[a-z0-9]+(?:\|[a-z0-9]+)+"
    code = rf"(--[a-z-]+(?: [A-Z]+)?|{alternatives}|\.[a-z][a-z0-9]+|[A-Za-z0-9+:._-]+)"

    def marked(found):
        word = found[0]
        if re.fullmatch(alternatives, word):
            return ", ".join(f"`{each}`" for each in word.split("|"))
        return f"`{word}`" if word in words or word.startswith("--") or re.fullmatch(r"\.[a-z][a-z0-9]+", word) else word

    return re.sub(code, marked, option.help).replace(" | ", "; ").replace("*", "\\*").replace("; repeatable", "; may be repeated")


def rows_of(program, verb, names, options):
    rows, before = [], None
    for name in names:
        found = [one for one in options if one.name == name and verb in ("", one.verb)]
        if not found:
            raise SystemExit(f"{program} has no option {name}")
        for text in dict.fromkeys(one.help for one in found):
            same = [one for one in found if one.help == text]
            of = ", ".join(f"`{one.verb}`" for one in same)
            if len(same) == len({one.verb for one in options}):
                of = "every command"
            place = "" if verb else f" {'the same' if of == before else of} |"
            before = of
            rows.append(f"| `{f'{name} {same[0].value}'.strip()}` |{place} {as_markdown(same[0])} |")
    return rows


def updated_page(text, programs):
    def updated(found):
        program, verb, names, heading = found.groups()
        if programs[program] is None:
            print(f"skipped, {program} is not built: {found[0].splitlines()[0]}")
            return found[0]
        rows = rows_of(program, verb.strip(), names.split(), programs[program])
        return f"<!-- options: {program}{verb}{names} -->\n{heading}" + "".join(f"{row}\n" for row in rows)

    return TABLE.sub(updated, text)


# The Python package


def uses_of(function):
    """The class of a function's options, and the names of its parameters."""
    arguments = function.args
    parameters = {one.arg for one in arguments.posonlyargs + arguments.args + arguments.kwonlyargs}
    used = arguments.kwarg.annotation if arguments.kwarg else None
    return (used.slice.id if isinstance(used, ast.Subscript) else None), parameters


def keyword_lines(option):
    kind = TYPES.get(option.name) or TYPES.get(option.value)
    if kind is None and not option.choices:
        raise SystemExit(f"{option.name} of {option.verb}: the type of '{option.value}' is not in TYPES")
    if kind is None:
        kind = f"Literal[{', '.join(f'{chr(34)}{one}{chr(34)}' for one in option.choices.split())}]"
    text = option.help.removesuffix("; repeatable")
    line = f"    {option.keyword}: {kind}  #: {text}"
    if len(line) <= WIDTH:
        return [line]
    return [f"    #: {one}" for one in textwrap.wrap(text, WIDTH - 7)] + [f"    {option.keyword}: {kind}"]


def classes_of(tree, options):
    """The options of each class, by its name."""
    classes = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef) and one.name.endswith("Options")}
    bases = {name: one.bases[0].id for name, one in classes.items()}
    verbs, parameters = {name: set() for name in classes}, {}
    for function in (one for one in tree.body if isinstance(one, ast.FunctionDef)):
        used, own = uses_of(function)
        parameters.setdefault(function.name, set()).update(own)
        while used in classes:
            verbs[used].add(function.name)
            used = bases[used]
    keywords, known = {}, {}  # of each class alone, and with those of its base
    for name in classes:  # a base is before those made from it
        own = [{one.keyword for one in options if one.verb == verb} - parameters[verb] for verb in verbs[name]]
        inherited = known.get(bases[name], [])
        common = set.intersection(*own) - {one.keyword for one in inherited} - NO_KEYWORDS
        first = min(verbs[name], key=[one.verb for one in options].index)
        keywords[name] = [one for one in options if one.verb == first and one.keyword in common]
        known[name] = inherited + keywords[name]
    for function in (one for one in tree.body if isinstance(one, ast.FunctionDef)):
        used, _ = uses_of(function)
        if used in classes:
            has = {one.keyword for one in known[used]} | parameters[function.name] | NO_KEYWORDS
            for one in options:
                if one.verb == function.name and one.keyword not in has:
                    raise SystemExit(f"{one.name} of {one.verb} is neither in {used} nor a parameter of {one.verb}()")
    return {classes[name]: own for name, own in keywords.items()}


def keywords_of(text, options):
    """All options that are keywords of functions in a text."""
    functions = [one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)]
    parameters = {one.name: uses_of(one)[1] for one in functions}
    taken = {one.keyword for own in classes_of(ast.parse(text), options).values() for one in own}
    return [
        one
        for one in options
        for own in [parameters.get(one.verb or "play", set())]
        if one.keyword in own or (own and one.keyword in taken and one.keyword not in NO_KEYWORDS)
    ]


def word_set(name, words):
    lines = textwrap.wrap(" ".join(sorted(words - NO_KEYWORDS)), WIDTH - 16)
    return f"{name} = frozenset(\n" + ' "\n'.join(f'    "{line}' for line in lines) + '".split()\n)\n'


def updated_errors(text, keywords):
    of_all = set(re.search(r'_OF_ALL = frozenset\(\n    "(.*)"', text)[1].split())
    for name, words in (
        ("_OF_VERBS", {one.keyword for one in keywords} - of_all),
        ("_FLAGS", {one.keyword for one in keywords if not one.value}),
    ):
        text = re.sub(rf"^{name} = frozenset\(\n(?:    .*\n)+\)\n", word_set(name, words), text, flags=re.MULTILINE)
    return text


def updated_verbs(text, options):
    lines = text.split("\n")
    classes = classes_of(ast.parse(text), options)
    for node in sorted(classes, key=lambda one: -one.lineno):
        has_text = ast.get_docstring(node) is not None
        keeps = node.body[0].end_lineno if has_text else node.lineno
        own = [line for one in classes[node] for line in keyword_lines(one)]
        lines[keeps : node.end_lineno] = [""] * (has_text and own != []) + own
    return "\n".join(lines)


def main():
    update = sys.argv[1] == "--update"
    source, folder = (Path(one) for one in sys.argv[-2:])
    programs = {name: options_of(folder / file) for name, file in PROGRAMS.items()}
    files = {page: updated_page(page.read_text(), programs) for page in sorted(source.glob("docs/*.md"))}
    verbs, play, errors = (source / "python/ositrace" / f"_{name}.py" for name in ("verbs", "play", "error"))
    keywords = keywords_of(verbs.read_text(), programs["osiconvert"])
    keywords += keywords_of(play.read_text(), programs["osiplay"])
    files[verbs] = updated_verbs(verbs.read_text(), programs["osiconvert"])
    files[errors] = updated_errors(errors.read_text(), keywords)
    old = [file for file, text in files.items() if text != file.read_text()]
    for file in old:
        if update:
            file.write_text(files[file])
        print(f"{file.relative_to(source)}: {'updated' if update else 'has other options than the programs'}")
    if old and not update:
        print(f"tests/option_tables.py --update {source} {folder}")
    return 1 if old and not update else 0


if __name__ == "__main__":
    sys.exit(main())
