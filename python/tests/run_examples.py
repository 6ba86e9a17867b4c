#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Every example of python/examples ends well: run_examples.py [-v] [NAME ..]; -v shows what they print.

An example says in its docstring what it needs; where that is not there, it is left out with a word.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from fixture import needs

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NEEDS = {"a CUDA toolkit": needs.TOOLKIT, "Numba with NVVM": needs.NVVM, "Matplotlib": needs.MATPLOTLIB}


def lacks(example):
    found = re.search(r"^Needs: (.*)$", example.read_text(encoding="utf-8"), re.MULTILINE)
    return needs.lacks(example.name, *(NEEDS[need] for need in (found.group(1).split(", ") if found else ())))


def main():
    names = [name for name in sys.argv[1:] if name != "-v"]
    examples = sorted(path for path in EXAMPLES.glob("*.py") if not names or path.stem in names)
    failed = ran = 0
    with tempfile.TemporaryDirectory() as folder:
        for example in examples:
            if lacks(example):
                continue
            done = subprocess.run([sys.executable, example], cwd=folder, capture_output=True, text=True, check=False)
            ran += 1
            print(f"{'passed ' if done.returncode == 0 else 'FAILED '} {example.stem}")
            failed += done.returncode != 0
            if done.returncode != 0 or "-v" in sys.argv:
                print(done.stdout + done.stderr, end="")
    print(f"{ran} of {len(examples)} examples ran, {failed} failed")
    return 1 if failed else 0 if ran else needs.SKIPPED


sys.exit(main())
