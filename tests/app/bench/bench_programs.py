#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""`osiplay bench`, as people and scripts call it: every verb, its JSON and its page, and that a wrong result fails the run.

usage: bench_programs.py OSIPLAY OSICONVERT VERB APP_FOLDER
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

OSIPLAY, OSICONVERT, VERB, APP = sys.argv[1:5]
ROW = {"name", "variant", "median_ns", "q1_ns", "q3_ns", "min_ns", "bytes", "ratio_to_memcpy", "ratio_to_naive", "samples"}


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300)


class Bench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.trace = pathlib.Path(cls.folder.name) / "lidar.osi"
        done = run(OSICONVERT, "generate", cls.trace, "--frames", "3", "--reflections", "500", "--quiet")
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def bench(self, *words, trace=None):
        return run(OSIPLAY, "bench", VERB, trace or self.trace, "--quick", "--repetitions", "3", *words)

    def rows(self):
        done = self.bench("--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_json_has_the_shape_of_the_contract(self):
        result = self.rows()
        self.assertEqual(result["format"], 1)
        self.assertIn("processor", result["machine"])
        self.assertIn("libprotobuf", result["versions"])
        self.assertGreater(int(result["machine"]["thread_clock_overhead_ns"]), 0)
        for row in result["rows"]:
            self.assertLessEqual(ROW, set(row))
            samples = sorted(map(int, row["samples"]))
            self.assertEqual(len(samples), 3)
            self.assertEqual(int(row["min_ns"]), samples[0])
            self.assertEqual(int(row["median_ns"]), samples[1])
            self.assertTrue(samples[0] <= int(row["q1_ns"]) <= samples[1] <= int(row["q3_ns"]) <= samples[2])

    def test_every_round_has_its_yardstick_and_what_is_measured_against_it(self):
        rows = self.rows()["rows"]
        for name in {row["name"] for row in rows}:
            roles = [row["role"] for row in rows if row["name"] == name]
            self.assertEqual(roles.count("yardstick"), 1, name)
            if VERB in ("convert", "columns"):
                self.assertEqual(roles.count("naive"), 1, name)
                self.assertIn("ours", roles, name)
        for row in rows:
            if row["role"] == "yardstick":
                self.assertEqual(row["ratio_to_memcpy"], 1)
            if row["role"] == "naive":
                self.assertEqual(row["ratio_to_naive"], 1)

    def test_the_table_has_every_row(self):
        rows = self.rows()["rows"]
        done = self.bench()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for text in [row[key] for row in rows for key in ("name", "variant")] + ["clock overhead", "3 interleaved repetitions"]:
            self.assertIn(text, done.stdout)

    def test_the_page_is_well_formed_and_stands_alone(self):
        page = pathlib.Path(self.folder.name) / "report.html"
        done = self.bench("--html", page)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        document = xml.dom.minidom.parse(str(page))
        rounds = {row["name"] for row in self.rows()["rows"]}
        self.assertEqual(len(document.getElementsByTagName("svg")), len(rounds))
        self.assertEqual({heading.firstChild.data for heading in document.getElementsByTagName("h2")}, rounds)
        self.assertEqual(document.getElementsByTagName("script"), [])
        for name in ("src", "href"):
            self.assertFalse([e for e in document.getElementsByTagName("*") if e.hasAttribute(name)])

    def test_every_variant_with_a_wrong_result_fails_the_run(self):
        for name in {row["variant"] for row in self.rows()["rows"] if row["role"] != "yardstick"}:
            done = self.bench("--spoil", name)
            self.assertEqual((done.returncode, done.stdout), (1, ""), name)
            self.assertIn(f"'{name}'", done.stderr)
            self.assertIn("give different results, so their times mean nothing", done.stderr)

    def test_a_flatbuffers_trace_has_the_same_rows(self):
        flat = self.trace.with_suffix(".osifb")
        run(OSICONVERT, "proto2flat", self.trace, flat, "--overwrite", "--quiet")
        done = self.bench("--json", trace=flat)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        key = [(row["name"], row["variant"]) for row in json.loads(done.stdout)["rows"]]
        self.assertEqual(key, [(row["name"], row["variant"]) for row in self.rows()["rows"]])

    def test_every_option_is_documented(self):
        text = run(OSIPLAY, "bench", VERB, "--help").stdout
        options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.MULTILINE))
        self.assertIn("--spoil", options)
        for name in ("man/osiplay.1", "completions/osiplay.bash", "completions/_osiplay"):
            documented = (pathlib.Path(APP) / name).read_text(encoding="utf-8").replace("\\-", "-")
            self.assertIn(VERB, documented)
            self.assertEqual({option for option in options if option not in documented}, set(), name)

    def test_errors_have_a_line_and_a_code(self):
        done = self.bench(trace="absent.osi")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, "^osiplay bench: absent.osi: .*\n$")
        done = self.bench("--spoil", "nobody")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--spoil: there is no variant 'nobody'", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
