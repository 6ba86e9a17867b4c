# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The Python package as its users meet it: examples, a wheel, a space in Kernel Tuner's words."""
import os
import re
import subprocess

from showing import BUILD, ROOT, Skip


def python(script, *arguments):
    """What a script of python/ prints, with the package of the build folder; skipped where that was not built."""
    if not list((BUILD / "python" / "forewarp").glob("_core*.so")):
        raise Skip("the Python package is not built: scripts/build")
    cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
    executable = re.search(r"^FOREWARP_PYTHON_EXECUTABLE:\w+=(.*)$", cache, re.MULTILINE).group(1)
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python"), "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg"}
    done = subprocess.run([executable, ROOT / "python" / script, *arguments], capture_output=True, text=True, check=False, env=environment)
    return done.returncode, (done.stdout + done.stderr).splitlines()


def examples():
    code, lines = python("tests/run_examples.py")
    skipped = [line for line in lines if line.startswith("skipped: ")]
    return code == 0, "; ".join([lines[-1], *skipped])


def wheel():
    code, lines = python("tests/wheel.py", BUILD)
    if code == 77:
        raise Skip(lines[-1])
    return code == 0, "; ".join(lines)


def tuned():
    code, lines = python("tests/run_examples.py", "-v", "tune_vector_add")
    if code == 77:
        raise Skip(next(line for line in lines if line))
    if code != 0:
        return False, lines[-2]
    ranked = [" ".join(line.split()) for line in lines if line.startswith("block_size_x=")]
    return len(ranked) == 15, f"{len(ranked)} configurations: first {ranked[0]}; last {ranked[-1]}; {lines[-2]}"
