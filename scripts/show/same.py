# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Whether sets are predicted as a saved state says, and alike with any number of threads."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import tempfile
from pathlib import Path

from showing import ROOT, Skip

THREADS = (1, 2, 8)
FEW = ("stream", "saxpy2_small", "latency")  # cheap sets whose points differ in kind


def script(name):
    """A script as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def same_for_threads(states, folder, here):
    """Points of a few sets that do not depend on the number of threads, and of how many."""
    names = [name for name in FEW if name in here]
    for threads in THREADS:
        states.save(folder / str(threads), 12, threads, names, quiet=True)
    equal = different = 0
    for threads in THREADS[1:]:
        with contextlib.redirect_stdout(io.StringIO()):
            _, same, other = states.compare(folder / str(THREADS[0]), folder / str(threads))
        equal, different = equal + same, different + other
    return equal, different


def sets_equal(out):
    if "MEASURED_SETS" not in os.environ:
        raise Skip("MEASURED_SETS names no folder with the measurements")
    states = script("states")
    here, _ = states.sets_here(os.environ["MEASURED_SETS"], os.environ.get("TUNING_SOURCES"))
    before = os.environ.get("STATE_BEFORE")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        equal, different = same_for_threads(states, folder, here)
        threads = f"{', '.join(map(str, THREADS))} threads: {equal} comparisons equal, {different} differ"
        if not before:
            raise Skip(f"STATE_BEFORE names no folder of `scripts/states save`; {threads}") if different == 0 else RuntimeError(threads)
        files = sorted(Path(before).glob("*.json"))
        rows = json.loads(files[0].read_text())["rows"] if files else 0
        states.save(folder / "after", rows, 2, [file.stem for file in files], quiet=True)
        listed = io.StringIO()
        with contextlib.redirect_stdout(listed):
            sets, same, other = states.compare(Path(before), folder / "after")
        (out / "sets.txt").write_text(listed.getvalue())
    return same > 0 and other == 0 and different == 0, f"{sets} sets of {rows} rows: {same} points equal, {other} differ; {threads}"
