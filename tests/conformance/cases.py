# SPDX-License-Identifier: MPL-2.0
"""What the programs that walk over the cases of the MCAP conformance suite have in common."""
import subprocess
import sys


def run_cases(cases, folder, command, agrees, text_of=lambda case: None):
    """Runs the command of every (file, case), and counts those whose output agrees. Exit 77 when there are none."""
    cases = list(cases)
    if not cases:
        print(f"skipped: no MCAP conformance cases in '{folder}'")
        sys.exit(77)
    failed = 0
    for file, case in cases:
        done = subprocess.run(command(file), input=text_of(case), capture_output=True)
        if done.returncode or not agrees(done.stdout, file, case):
            failed += 1
            print(f"{file.stem}: not what was expected {done.stderr.decode()}")
    print(f"{len(cases) - failed} of {len(cases)} cases")
    sys.exit(failed != 0)
