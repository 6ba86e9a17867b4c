#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""A wheel by pip without a network, and what it holds predicts away from the sources: wheel.py BUILD_FOLDER"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fixture import needs

ROOT = Path(__file__).resolve().parents[2]
TRIAL = """
import forewarp, forewarp.session
assert "{folder}" in forewarp.__file__, forewarp.__file__
assert "{folder}" in forewarp.session.session().data, forewarp.session.session().data
result = forewarp.load("{listing}").predict("titanx", 15625, 256, {{"n": 4000000, "a": 1}})
print("wheel:", result)
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    if needs.lacks("wheel", *(needs.module(name, f"Python's {name}") for name in ("pip", "setuptools", "wheel", "pybind11"))):
        return needs.SKIPPED
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "FOREWARP_DATA")}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("pyproject.toml", "setup.py", "CMakeLists.txt", "README.md", "LICENSE"):
            shutil.copy(ROOT / part, folder)
        shutil.copytree(ROOT / "data", folder / "data")
        shutil.copytree(ROOT / "python" / "forewarp", folder / "python" / "forewarp")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
        run(*pip, "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", folder, folder,
            env={**environment, "FOREWARP_BUILD": str(Path(sys.argv[1]).resolve())})
        wheel = next(folder.glob("forewarp-*.whl"))
        run(*pip, "install", "--no-deps", "--no-index", "--target", folder / "installed", wheel)
        print(f"{wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB")
        trial = TRIAL.format(folder=folder / "installed", listing=ROOT / "examples" / "saxpy2.sass")
        print(run(sys.executable, "-c", trial, cwd=folder, env={**environment, "PYTHONPATH": str(folder / "installed")}), end="")
    return 0


sys.exit(main())
