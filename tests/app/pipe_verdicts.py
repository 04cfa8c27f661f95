#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Every verb gives the same verdict on an input whether it comes as a file or through a pipe.

usage: pipe_verdicts.py OSICONVERT BROKEN [STRIDE]     takes one of STRIDE inputs

Inputs: those of the folder BROKEN, and traces that are damaged here. The same: exit code, findings, frames of the
output, messages. What differs because a pipe cannot seek (docs/recover.md):
- names and sizes of files; warnings that the summary is not used, which a pipe never uses;
- how much of a record with a hostile length is left, because the end of a pipe is unknown;
- stats and cat read a file by its index, so the text of an error may name the index; its place is the same;
- cat names the channel in each line, because a pipe may declare others later;
- if no declaration of a channel is left but that in the summary;
- recover believes the extension of a file that begins as text, and info that of a file of one byte: it is a damaged
  trace (exit code 3), where a pipe may be anything (1).
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, BROKEN = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
STRIDE = int(sys.argv[3]) if len(sys.argv) > 3 else 1
VERBS = {"check": ["--json", "--disable", "file_name.convention", "--disable", "file_name.extension"],
         "info": ["--json"], "stats": ["--json"], "cat": [], "convert": [], "recover": []}
#: Where only the extension of a file shows that it is a trace.
UNNAMED = {("recover", "text.osi"), ("info", "half_a_prefix.osi")}
WRITES = ("convert", "recover")
OUTPUT = pathlib.Path("out.mcap")

#: Lines that only one of the two has.
DROPPED = re.compile(r"osiconvert: (if this is a damaged trace, )?try |the summary (cannot be used|is damaged)")
REPLACED = [(re.compile(pattern), text) for pattern, text in (
    (r"standard input", "INPUT"),
    (r'"-"', '"INPUT"'),
    (r'^      "bytes": .*', "SIZE"),
    (r"the file is truncated: it ends in a record \w+: it announces [^\"]*", "LENGTH"),
    (r"a (record \w+|\w+ record) of \d+ bytes exceeds the limit of [^\"]*", "LENGTH"))]
PLACE = re.compile(r"(INPUT: (frame [0-9]+ )?(at )?byte [0-9]+): .*")


def run(*words, stdin=None):
    return subprocess.run([PROGRAM, *words], input=stdin, capture_output=True, check=False)


def write_inputs(folder):
    """As {name: bytes} in the order of the names."""
    def made(name, *words):
        done = run(*words, "-o", name, "--quiet") if words[0] != "generate" else run(*words, name, "--quiet")
        assert done.returncode == 0, done.stderr
        return pathlib.Path(name).read_bytes()

    sources = {"trace.osi": made("trace.osi", "generate", "--type", "gt", "--frames", "6", "--objects", "2"),
               "lz4.mcap": made("lz4.mcap", "convert", "trace.osi", "--chunk-size", "20K"),
               "plain.mcap": made("plain.mcap", "convert", "trace.osi", "--compression", "none", "--chunk-size", "20K"),
               "trace.osifb": made("trace.osifb", "convert", "trace.osi")}
    ones = b"\xff" * 8
    inputs = {}

    def damaged(data, at, content):
        return data[:at] + content + data[at + len(content):]

    for name, data in sources.items():
        inputs[f"whole_{name}"] = data
        inputs[f"tail_{name}"] = data + bytes(4096)
        for eighth in (3, 5, 7):
            at = len(data) * eighth // 8
            inputs[f"cut_{eighth}_{name}"] = data[:at]
            inputs[f"ones_{eighth}_{name}"] = damaged(data, at, ones * 2)
            inputs[f"zeros_{eighth}_{name}"] = damaged(data, at, bytes(400))
            inputs[f"missing_{eighth}_{name}"] = data[:at] + data[at + 777:]

    # The lengths of the second Chunk and of the DataEnd record.
    plain = sources["plain.mcap"]
    at, chunks, opcode = 8, [], 0
    while opcode != 15:
        opcode, data_end = plain[at], at
        if opcode == 6:
            chunks.append(at)
        at += 9 + int.from_bytes(plain[at + 1:at + 9], "little")
    lengths = (bytes.fromhex("0000000000010000"), b"\xff" * 7 + b"\x7f", ones, bytes(8))
    places = [(place, length) for place in (chunks[1], data_end) for length in lengths]
    for number, (place, length) in enumerate(places, 1):
        inputs[f"length_{number}_plain.mcap"] = damaged(plain, place + 1, length)
    inputs["library_plain.mcap"] = damaged(plain, 26, b"X")  # only the checksum of the data section shows it
    for file in BROKEN.iterdir():
        if file.suffix in (".osi", ".osifb", ".mcap"):
            inputs[file.name] = file.read_bytes()
    for name, data in inputs.items():
        (folder / name).write_bytes(data)
    return dict(sorted(inputs.items()))


def without_names(text, name, places_only):
    """What a verb prints, without what differs by nature."""
    lines = []
    for line in text.decode(errors="surrogateescape").splitlines():
        if not line or DROPPED.search(line):
            continue
        if name:
            line = line.replace(name, "INPUT")
        for pattern, replacement in REPLACED:
            line = pattern.sub(replacement, line)
        lines.append(PLACE.sub(r"\1", line) if places_only else line)
    return lines


def verdict(verb, name, data=None):
    """Lines, and the bytes of the output; from standard input if there is data."""
    OUTPUT.unlink(missing_ok=True)
    output = ["-o", str(OUTPUT), "--quiet"] if verb in WRITES else []
    done = run(verb, "-" if data is not None else name, *output, *VERBS[verb], stdin=data)
    printed = b"%d lines" % done.stdout.count(b"\n") if verb == "cat" else done.stdout
    own_name = name if data is None else None
    places_only = verb in ("stats", "cat")
    lines = [f"exit {done.returncode}", *without_names(printed, own_name, places_only),
             *without_names(done.stderr, own_name, places_only)]
    return lines, OUTPUT.read_bytes() if OUTPUT.exists() else None


def frames_of(output):
    """The messages of an output, as text."""
    if output is None:
        return None
    OUTPUT.write_bytes(output)
    return run("cat", str(OUTPUT)).stdout


def compare(verb, name, data):
    """The differences, as lines."""
    (of_file, file_output), (of_pipe, pipe_output) = verdict(verb, name), verdict(verb, name, data)
    differences = list(difflib.unified_diff(of_file, of_pipe, "file", "pipe", lineterm="", n=0))
    if file_output != pipe_output and frames_of(file_output) != frames_of(pipe_output):
        differences.append("the outputs have different frames")
    return differences


def main():
    failed = compared = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        os.environ.update(LC_ALL="C", XDG_CACHE_HOME=scratch + "/cache")
        folder = pathlib.Path("inputs")
        folder.mkdir()
        inputs = write_inputs(folder)
        for name in list(inputs)[::STRIDE]:
            for verb in VERBS:
                if (verb, name) in UNNAMED:
                    continue
                compared += 1
                if differences := compare(verb, f"inputs/{name}", inputs[name]):
                    failed += 1
                    print(f"{verb} {name}: file and pipe differ", *differences[:6], sep="\n")
    print(f"{compared} verdicts compared, {failed} differ")
    return 1 if failed or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
