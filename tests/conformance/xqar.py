#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""The library of ASAM's Quality Checker Framework reads what `osiconvert check --format xqar` writes.

usage: xqar.py OSICONVERT PACKAGES BROKEN [TRACES]

PACKAGES is the folder of the unpacked wheels; exit 77 when they are not there. BROKEN is a folder of files that have
findings.
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def check(osiconvert, files, form):
    done = subprocess.run([osiconvert, "check", *map(str, files), "--format", form, "--fail-on", "never"],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"{form}: exit {done.returncode} {done.stderr}")
    return done.stdout


def main(osiconvert, broken, traces=None):
    files = sorted(file for file in pathlib.Path(broken).iterdir() if file.suffix in (".osi", ".osifb", ".mcap"))
    files += sorted(pathlib.Path(traces).glob("*.osi"))[:3] if traces else []
    files.append(pathlib.Path("not_there.osi"))
    findings = json.loads(check(osiconvert, files, "json"))["findings"]
    with tempfile.NamedTemporaryFile(suffix=".xqar") as out:
        out.write(check(osiconvert, files, "xqar").encode())
        out.flush()
        result = Result()
        result.load_from_file(out.name)
    report = result._report_results
    issues = [issue for bundle in report.checker_bundles for checker in bundle.checkers for issue in checker.issues]
    if len(report.checker_bundles) != len(files):
        sys.exit(f"{len(report.checker_bundles)} bundles of {len(files)} files")
    if sorted(issue.rule_uid for issue in issues) != sorted(finding["id"] for finding in findings):
        sys.exit("the issues are not the findings")
    if len({issue.issue_id for issue in issues}) != len(issues):
        sys.exit("an issue id stands twice")
    print(f"{len(issues)} issues of {len(files)} files")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    sys.path.insert(0, sys.argv[2])
    try:
        from qc_baselib import Result
    except ImportError as missing:
        print(f"skipped: {missing}")
        sys.exit(77)
    main(sys.argv[1], *sys.argv[3:])
