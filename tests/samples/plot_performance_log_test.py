#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""samples/plot_performance_log.py with a log of the study, with our logs, and with files that are not logs.

usage: plot_performance_log_test.py PLOT_SCRIPT OSIPLAY OSICONVERT
"""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT, OSIPLAY, OSICONVERT = sys.argv[1:4]
HEADER = {
    "OsiMessages": ["osi3::SensorView", "osi3::SensorData"],
    "EventFields": ["EventId", "GlobalTime", "SimulationTime", "MessageId", "SizeValueReference", "MessageSize"],
    "EventTypes": ["StartSourceCalc", "StartOSISerialize", "StopOSISerialize", "StartOSIDeserialize",
                   "StopOSIDeserialize"],
    "FormatVersion": {"Major": 1, "Minor": 0, "Patch": 0, "PreRelease": "beta"},
}


def log_of(**events):
    data = [{"Instance": {"ModelIdentity": name}, "OsiEvents": [[event, 0, 0.1, 0, 5, 100] for event, _ in steps]}
            for name, steps in events.items()]
    text = json.dumps({"Header": HEADER, "Data": data})
    for steps in events.values():  # times as they are written, digit by digit
        for event, time in steps:
            text = text.replace(f"[{event}, 0, ", f"[{event}, {time}, ", 1)
    return text


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120)


class Plot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def plot(self, *words):
        return run(sys.executable, SCRIPT, *words)

    def test_stages_of_a_source_as_the_study_logged_it(self):
        source = [(0, "1648482698.771"), (1, "1648482698.817"), (2, "1648482698.83"), (0, "1648482698.841"),
                  (1, "1648482698.882"), (2, "1648482698.891")]
        done = self.plot(self.write("a.json", log_of(Source=source)), "--text")
        self.assertEqual(done.stdout, "Source: 54.500 ms a step, 2 steps\n"
                                      "  generate     median 43.500 ms, 41.000 .. 46.000 ms\n"
                                      "  serialize    median 11.000 ms, 9.000 .. 13.000 ms\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_nanoseconds_of_a_model_survive(self):
        model = [(3, "1648482698.000000001"), (4, "1648482698.000001001"), (1, "1648482698.000003001"),
                 (2, "1648482698.000006001")]
        done = self.plot(self.write("a.json", log_of(Model=model)), "--text")
        self.assertEqual([line.split()[2] for line in done.stdout.splitlines()[1:]], ["0.001", "0.002", "0.003"])

    def test_models_of_the_same_name_are_told_apart(self):
        events = [(0, "1.0"), (1, "1.5"), (2, "2.0")]
        done = self.plot(self.write("a.json", log_of(Source=events)), self.write("b.json", log_of(Source=events)),
                         "--text")
        self.assertIn("Source (a): ", done.stdout)
        self.assertIn("Source (b): ", done.stdout)

    def test_what_is_no_log_is_refused_in_a_line(self):
        for name, text in (("a.json", "{}"), ("b.json", "no JSON"),
                           ("c.json", json.dumps({"Header": HEADER, "Data": []}))):
            done = self.plot(self.write(name, text), "--text")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, "^plot_performance_log: .*\n$")

    def test_a_log_of_osiplay_is_one(self):
        trace, log = self.folder / "t.osi", self.folder / "log.json"
        self.assertEqual(run(OSICONVERT, "generate", trace, "--frames", "5", "--quiet").returncode, 0)
        done = run(OSIPLAY, trace, "--sink", "null", "--log", log)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.plot(log, "--text")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("5 steps", done.stdout)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is missing")
    def test_a_picture_is_made(self):
        events = [(3, "1.0"), (4, "1.1"), (1, "1.3"), (2, "1.6")]
        picture = self.folder / "plot.png"
        done = self.plot(self.write("a.json", log_of(Model=events, Other=events)), "-o", picture)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
