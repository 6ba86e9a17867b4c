# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What cannot be done says so in one line: where, what was found, what was expected, and a way out."""
from pathlib import Path

import forewarp

listing = Path(__file__).resolve().parents[2] / "examples" / "saxpy2.sass"
kernel = forewarp.load(listing)

try:
    kernel.predict("gtx970", grid=1, block=2048)
except forewarp.Error as error:
    print(error)
    print(f"place: {error.place}; found: {error.found}; expected: {error.expected}; way out: {error.way_out}")
else:
    raise SystemExit("a block of 2048 threads was accepted")
