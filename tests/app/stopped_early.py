#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""A stop that is requested before or while an input is opened is no empty result: a verb ends by the signal and leaves
nothing, or completely, as without the signal.

usage: stopped_early.py OSICONVERT [RUNS]
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 12
INPUTS = ("a.osi", "a.mcap")
VERBS = (
    "split a.osi --out-dir out --every-frames 2",
    "split a.mcap --out-dir out --every-frames 2",
    "split a.mcap --out-dir out --channels",
    "convert a.osi -o out/a.mcap",
    "convert a.mcap --out-dir out --to osifb",
    "cut a.osi -o out/a.osi --frames 1:7",
    "cut a.mcap -o out/a.mcap --time 0:0.5",
    "concat a.osi -o out/a.osi",
    "static expand a.osi -o out/a.osi",
    "wrap gt2sv a.osi -o out/a.osi --host 1",
    "recover a.osi -o out/a.osi",
    "recover a.mcap -o out/a.mcap",
    "catalog a.osi a.mcap -o out/a.jsonl",
    "generate out/a.osi --frames 20",
    "info a.osi --full",
    "info a.mcap",
    "stats a.mcap",
    "cat a.osi --fields timestamp.nanos",
    "check a.osi a.mcap --fail-on never",
    "diff a.osi a.mcap",
    "rename a.osi a.mcap",
)


def run(verb, before=None):
    """Exit code, standard output, and the files that are left with their sizes."""
    shutil.rmtree("out", ignore_errors=True)
    if "--out-dir" not in verb:
        os.mkdir("out")
    done = subprocess.run([PROGRAM, *verb.split()], preexec_fn=before, capture_output=True, check=False)
    files = {path: os.path.getsize(path) for path in pathlib.Path("out").rglob("*") if path.is_file()}
    return done.returncode, done.stdout, files


def request_stop():
    """The signal is pending when the program begins: blocked signals stay so across exec()."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    os.kill(os.getpid(), signal.SIGTERM)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run_once = [[PROGRAM, "generate", "a.osi", "--frames", "9", "--type", "gt", "--objects", "2", "--quiet"],
                    [PROGRAM, "convert", "a.osi", "-o", "a.mcap", "--chunk-size", "100K", "--quiet"]]
        for command in run_once:
            subprocess.run(command, check=True)
        stopped = 0
        for verb in VERBS:
            whole = run(verb)
            if whole[0] != 0:
                sys.exit(f"{verb}: exit code {whole[0]}")
            for _ in range(RUNS):
                code, output, files = run(verb, request_stop)
                if code == -signal.SIGTERM:
                    stopped += 1
                    if files:
                        sys.exit(f"{verb}: stopped, and leaves {sorted(map(str, files))}")
                elif (code, output, files) != whole:
                    sys.exit(f"{verb}: exit code {code} after a stop, with {sorted(map(str, files))} and:\n"
                             f"{output.decode(errors='replace')}\nWithout: {sorted(map(str, whole[2]))}")
        os.chdir("/")
        if stopped == 0:
            sys.exit("no run was stopped")
        print(f"{len(VERBS)} verbs, {stopped} of {len(VERBS) * RUNS} runs stopped")


main()
