# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Which numbers of a GPU file change which predictions: every fact is changed by itself over launches that exercise all units."""
import fnmatch
import json
import subprocess
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REASONS = ROOT / "docs" / "no_effect.toml"
LISTINGS = ROOT / "tests" / "fixtures" / "listings"
# Listing (and what is special), grid, block, arguments, options. In this order they are asked until one answers otherwise.
LAUNCHES = {
    "saxpy2": ("2000", "256", ["n=512000", "a=8"], []),
    "atomics_histogram": ("432", "256", ["data=buffer:1000000:random:1", "counts=buffer:1024", "n=1000000"], []),
    "float_sums": ("400", "256", ["0=buffer:1024", "1=buffer:64"], []),
    "matmul_tiled": ("16,16", "16,16", ["n=256"], []),
    "warpgroup_matrix": ("1320", "128", ["0=buffer:67584"], []),
    "matrix_unit": ("16,16", "32", ["n=256"], []),
    "constant_memory": ("16,16", "32,8", ["from=buffer:1048576", "to=buffer:1048576", "width=512", "height=128", "radius=2"], []),
    "spills": ("400", "256", ["n=102400", "order=buffer:409600:zeros"], []),
    "doubles": ("400", "256", ["n=102400", "scale=2"], []),
    "halves": ("400", "256", ["n=102400"], []),
    "integers": ("400", "256", ["n=102400", "divisor=7", "shift=3"], []),
    "special_functions": ("400", "256", ["n=102400"], []),
    "warp_votes": ("400", "256", ["n=102400", "x=buffer:409600:iota"], []),
    "strided_global": ("400", "256", ["2=5", "3=1"], ["--kernel", "strided_global_4"]),
    "transpose_conflicts": ("64,64", "32,8", ["2=2048", "3=2048"], []),
    "asynchronous_copy": ("216", "128", ["tiles=8"], []),
    "stencil_column": ("32,8", "32,8", ["nx=1024", "ny=256", "nz=16"], ["--warm"]),
    "triad": ("20000", "256", ["n=5120000"], []),
    "triad/warm": ("9766", "256", ["n=2500000"], ["--warm"]),
    "copy_wide": ("20000", "256", ["n=5120000"], []),
    "texture_fetch": ("216", "256", [], []),
    "surface_write": ("216", "256", [], []),
    "switch_table": ("400", "256", ["what=buffer:409600:zeros", "n=102400"], []),
    "accurate_functions": ("400", "256", ["n=102400"], []),
    "reduction_shared": ("400", "256", ["n=102400"], []),
    "function_call": ("400", "256", ["degree=4", "n=102400"], []),
}
BY_TIMING = ("event", "stream", "graph", "host")  # what a harness adds is asked for by name


def listing(name, sm):
    kernel = name.partition("/")[0]
    compiled = LISTINGS / f"{kernel}.{sm}.sass"
    return compiled if compiled.exists() else LISTINGS / f"{kernel}-{sm.replace('_', '')}.sass"  # written by hand


def run(tool, *arguments):
    return subprocess.run([str(tool), *map(str, arguments)], capture_output=True, text=True, check=False, cwd=ROOT)


def facts_of(tool, gpu):
    """Numbers by path; lists and words are left out."""
    answer = json.loads(run(tool, "gpu", "show", gpu, "--format", "json").stdout)
    plain = {path: fact["value"] for path, fact in answer["facts"].items() if isinstance(fact.get("value"), (int, float))}
    return plain, "sm_" + answer["cc"].replace(".", "")


def numbers(answer):
    """What an answer says: times by model, and the rest of its numbers as one text."""
    if answer.get("error"):
        return {"error": answer["error"]}
    times = {m["name"]: (m["time_ms"], json.dumps(m.get("numbers"))) for m in answer.get("models", []) if m.get("applies", True)}
    times["auto"] = (answer["time_ms"], answer["model"])
    times["bounds"] = json.dumps([(b["resource"], b["cycles_per_warp"]) for b in answer["bounds"]])
    times["occupancy"] = json.dumps(answer["occupancy"])
    times["profile"] = json.dumps(answer.get("profile"))
    times["interval"] = json.dumps(answer["interval_ms"])
    return times


def answer(tool, gpu, sm, name, changes=()):
    """The whole answer to one launch, all models."""
    grid, block, arguments, options = LAUNCHES[name]
    command = ["predict", listing(name, sm), "--gpu", gpu, "--grid", grid, "--block", block, "--model", "all",
               "--format", "json", *options]
    for argument in arguments:
        command += ["--arg", argument]
    for path, value in changes:
        command += ["--set", f"hw.{path}={value:.12g}"]
    ran = run(tool, *command)
    try:
        return json.loads(ran.stdout)
    except json.JSONDecodeError:
        return {"error": ran.stderr}


def others(value):
    """Values to try instead: half as much again would break what must be a power of two."""
    if value == 0:
        return [1.0, 100.0]
    if value == 1:
        return [2.0, 0.0]
    return [value * 2, value / 2]


class Table:
    """Effects of the facts of one GPU."""

    def __init__(self, tool, gpu):
        self.tool, self.gpu = tool, gpu
        self.facts, self.sm = facts_of(tool, gpu)
        self.names = [name for name in LAUNCHES if listing(name, self.sm).exists()]
        answers = {name: answer(tool, gpu, self.sm, name) for name in self.names}
        self.base = {name: numbers(its) for name, its in answers.items()}
        self.refused = {name: its["error"] for name, its in self.base.items() if "error" in its}
        self.names = [name for name in self.names if name not in self.refused]
        self.classes = {c for name in self.names for c in (answers[name].get("profile") or {}).get("by_class", {})}

    def driven(self, path):
        """Whether some launch can tell at all: classes that none executes are not asked."""
        parts = path.split(".")
        return parts[0] != "class" or parts[1] in self.classes

    def effect(self, path, every_launch=False):
        """Names of what changes when this fact changes."""
        changed = set()
        for name in self.names:
            for value in others(self.facts[path]):
                now = numbers(answer(self.tool, self.gpu, self.sm, name, [(path, value)]))
                if "error" not in now:
                    changed |= {part for part, its in now.items() if its != self.base[name].get(part)}
            if changed and not every_launch:
                break
        return changed

    def effects(self, paths, every_launch=False, jobs=2):
        with ThreadPoolExecutor(jobs) as pool:
            return dict(zip(paths, pool.map(lambda path: self.effect(path, every_launch), paths)))


def reasons():
    """(pattern of paths, reason, whether of fixed latencies alone) of what changes nothing."""
    with open(REASONS, "rb") as file:
        return [(entry["path"], entry["reason"], entry.get("fixed", False)) for entry in tomllib.load(file)["fact"]]


def reason_for(path, listed, facts):
    variable = facts.get(path.rpartition(".")[0] + ".variable", 0)
    return next((reason for pattern, reason, fixed in listed
                 if fnmatch.fnmatchcase(path, pattern) and not (fixed and variable)), None)
