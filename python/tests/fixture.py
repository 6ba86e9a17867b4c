# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests share: fixtures, and whether a toolkit is there."""
import os
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTINGS = ROOT / "tests" / "fixtures" / "listings"
SAXPY2 = ROOT / "examples" / "saxpy2.sass"


def has_toolkit():
    folder = os.environ.get("CUDA_HOME", "")
    return shutil.which("nvcc") is not None or bool(folder) and (Path(folder) / "bin" / "nvcc").exists()


def has_simulator():
    import forewarp
    try:
        forewarp.systems._program()
    except forewarp.Error:
        return False
    return True


def saxpy2(**changes):
    import forewarp
    given = {"gpu": "gtx970", "grid": 15625, "block": 256, "args": {"n": 4_000_000, "a": 16}, **changes}
    return forewarp.load(SAXPY2).launch(**given)
