# SPDX-License-Identifier: MPL-2.0
"""`python -m ositrace VERB ...` is `osiconvert VERB ...`, and `python -m ositrace play ...` is `osiplay ...`."""

import sys

from ._programs import execute

if sys.argv[1:2] == ["play"]:
    execute("osiplay", sys.argv[2:])
execute("osiconvert", sys.argv[1:])
