#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Runs the commands of the ```console blocks in the documentation and compares exit codes and printed output.

usage: docs_commands.py SOURCE_FOLDER BUILD_FOLDER PAGE...

The commands of a page run in order in an empty folder, with the programs of the build in PATH, as a reader runs them
who begins at the top: a page itself shows how its inputs are made. A comment before a block, which readers do not see,
contains directives, one per line:

    <!-- commands
    skip: REASON                 no command of the block runs here
    skip 'START': REASON         commands that begin with START do not run here
    exit N 'START'               their exit code is N instead of 0
    numbers vary                 numbers with their units are not compared
    -->

The lines after a command are its output, up to the next command; `...` stands for any number of lines. Without such
lines the output is not compared. A block fails if a command neither runs nor has a reason to be skipped. If this build
lacks a program or FMU, the rest of the block is skipped with a message.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT_SECONDS = 60
PROGRAMS = ("osiconvert", "osiplay", "osiview", "fmpy", "jq", "zstd")
FENCE = re.compile(r"^```(\S*)")


class Failure(Exception):
    pass


class Block:
    """The commands of a console block, with what a comment before it says about them."""

    def __init__(self, line, directives, lines):
        self.line = line
        self.skips, self.exits, self.numbers_vary = [], [], False
        for directive in directives:
            self.add(directive)
        self.commands = []  # (command, lines of output)
        for text in lines:
            if text.startswith("$ "):
                self.commands.append([text[2:], []])
            elif self.commands and self.commands[-1][0].endswith("\\"):
                self.commands[-1][0] += "\n" + text
            elif self.commands:
                self.commands[-1][1].append(text)
            else:
                raise Failure(f"line {line}: the block does not begin with a command")
        for start in [start for start, _ in self.skips + self.exits if start]:
            if not any(command.startswith(start) for command, _ in self.commands):
                raise Failure(f"line {line}: no command begins with '{start}'")

    def add(self, directive):
        if match := re.fullmatch(r"skip(?: '(.+)')?: (.+)", directive):
            self.skips.append((match[1] or "", match[2]))
        elif match := re.fullmatch(r"exit (\d+) '(.+)'", directive):
            self.exits.append((match[2], int(match[1])))
        elif directive == "numbers vary":
            self.numbers_vary = True
        else:
            raise Failure(f"line {self.line}: unknown directive '{directive}'")

    def reason_to_skip(self, command):
        return next((reason for start, reason in self.skips if command.startswith(start)), None)

    def exit_code(self, command):
        return next((code for start, code in self.exits if command.startswith(start)), 0)


def blocks_of(page):
    blocks, directives = [], []
    lines = iter(enumerate(page.read_text().split("\n"), 1))
    for number, line in lines:
        if line == "<!-- commands":
            directives = []
            for _, inside in lines:
                if inside == "-->":
                    break
                directives.append(inside)
        elif fence := FENCE.match(line):
            content = []
            for _, inside in lines:
                if FENCE.match(inside):
                    break
                content.append(inside)
            if fence[1] in ("sh", "bash", "shell", ""):
                raise Failure(f"line {number}: commands belong into a ```console block")
            if fence[1] == "console":
                blocks.append(Block(number, directives, content))
            elif directives:
                raise Failure(f"line {number}: directives before a block that is not ```console")
            directives = []
    if directives:
        raise Failure("directives without a block")
    return blocks


def pattern_of(lines, numbers_vary):
    """A regular expression for the output: `...` is any lines."""
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
            continue
        text = re.escape(line.rstrip())
        if numbers_vary:
            text = re.sub(r"(\d+(?:\\\.\d+)?)(?:\\ (?:ns|us|ms|s|min)\b)?", r"[\\d.]+(?: \\w+)?", text)
            text = re.sub(r"(?:\\ )+", " +", text)
        parts.append(text + r" *\n")
    return "".join(parts)


def missing_part(command, folder, build, path):
    """What this build lacks for a command, or nothing."""
    for program in PROGRAMS:
        if re.search(rf"(^|[\s|;&]){program}\s", command) and shutil.which(program, path=path) is None:
            return f"{program} is {'not built' if program.startswith('osi') else 'not installed'}"
    for fmu in re.findall(r"(?:fmu:|/fmu/)([\w./-]+\.fmu)", command):
        if not (folder / fmu).exists() and not (build / "fmu" / fmu).exists():
            return f"{fmu} is not built"
    if " bench " in command and shutil.which("ositrace-bench", path=path) is None:
        return "the benchmarks are not built"
    return None


def run(command, folder, environment):
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          timeout=LIMIT_SECONDS, check=False)


def check_command(block, command, shown, folder, environment):
    done = run(command, folder, environment)
    if done.returncode != block.exit_code(command):
        raise Failure(f"$ {command}\n{done.stdout}exit {done.returncode}, expected {block.exit_code(command)}")
    if shown and not re.fullmatch(pattern_of(shown, block.numbers_vary), done.stdout):
        expected = "\n".join(shown)
        raise Failure(f"$ {command}\nthe page shows:\n{expected}\nthe command prints:\n{done.stdout}")


def run_page(page, scratch, build, environment):
    """Returns the numbers of commands that ran and that were skipped."""
    ran = skipped = 0
    for block in blocks_of(page):
        if not block.commands:
            raise Failure(f"line {block.line}: a block without a command")
        lacking = None
        for command, shown in block.commands:
            reason = block.reason_to_skip(command)
            if not reason:
                # Once a command is skipped, so are the later ones: they may read its output.
                lacking = reason = lacking or missing_part(command, scratch, build, environment["PATH"])
            if reason:
                skipped += 1
                print(f"  skipped ({reason}): {command.splitlines()[0]}")
                continue
            check_command(block, command, shown, scratch, environment)
            ran += 1
    return ran, skipped


def main():
    source, build = (Path(folder).resolve() for folder in sys.argv[1:3])
    failed = ran = skipped = 0
    for name in sys.argv[3:]:
        print(f"{name}:")
        with tempfile.TemporaryDirectory() as scratch:
            display = ("DISPLAY", "WAYLAND_DISPLAY")
            environment = {name: value for name, value in os.environ.items() if name not in display}
            environment |= {"PATH": f"{build}/bin:{os.environ['PATH']}", "HOME": scratch, "LC_ALL": "C", "TZ": "UTC"}
            try:
                counts = run_page(source / name, Path(scratch), build, environment)
                ran, skipped = ran + counts[0], skipped + counts[1]
            except (Failure, subprocess.TimeoutExpired) as failure:
                failed += 1
                print(f"  FAILED: {failure}")
    print(f"{ran} commands ran, {skipped} were skipped, {failed} pages failed")
    return 1 if failed or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
