# SPDX-License-Identifier: MPL-2.0
"""Runs tests of the package with pytest.

usage: run.py PACKAGE_FOLDER WHEELS_FOLDER FILE...
The first has the package as the build made it, the second the unpacked wheels of cmake/python-tests.txt.
Exit code 77: skipped.
"""

import os
import sys

os.environ.pop("LD_PRELOAD", None)  # a sanitizer for this process; programs bring their own
package, wheels, *files = sys.argv[1:]
sys.path[:0] = [package, wheels]
sys.dont_write_bytecode = True
try:
    import pytest
except ModuleNotFoundError:
    print(f"skipped: {wheels} is missing (configure the build with network access)")
    sys.exit(77)
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *files]))
