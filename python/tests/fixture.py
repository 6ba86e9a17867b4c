# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests share: fixtures, and what a test needs (tests/command/needs.py)."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTINGS = ROOT / "tests" / "fixtures" / "listings"
SAXPY2 = ROOT / "examples" / "saxpy2.sass"

sys.path.append(str(ROOT / "tests" / "command"))
import needs  # noqa: E402


def has_simulator():
    import forewarp
    try:
        forewarp.systems._program()
    except forewarp.Error:
        return False
    return True


SIMULATOR = needs.Need("forewarp-system", has_simulator)


def saxpy2(**changes):
    import forewarp
    given = {"gpu": "gtx970", "grid": 15625, "block": 256, "args": {"n": 4_000_000, "a": 16}, **changes}
    return forewarp.load(SAXPY2).launch(**given)
