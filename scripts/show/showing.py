# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What every scripts/show/NAME needs: demands that print one line each, and ways to ask the tool."""
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("FOREWARP_BUILD", ROOT / "build" / "release"))
TOOL = BUILD / "tools" / "forewarp" / "forewarp"

# In the background of a script it is ignored, and by all that is started from here.
signal.signal(signal.SIGINT, signal.default_int_handler)


class Skip(Exception):
    """Something that the demand needs is not on this machine."""


class Showing:
    """Runs demands in order and keeps their lines; a demand returns (holds, figure). Exit code 1: one misses, or none is so named."""

    def __init__(self, name):
        self.out = ROOT / "build" / "show" / name
        self.out.mkdir(parents=True, exist_ok=True)
        self.lines = []
        self.only = sys.argv[1:]

    def demand(self, title, goal, check):
        if self.only and not any(word in title for word in self.only):
            return
        try:
            holds, figure = check()
            verdict = "PASS" if holds else "MISS"
        except Skip as reason:
            verdict, figure = "SKIP", str(reason)
        except Exception as fault:  # a demand that cannot be asked is not reached
            verdict, figure = "MISS", f"{type(fault).__name__}: {str(fault).splitlines()[0] if str(fault) else ''}"
        line = f"{verdict}  {title}  {figure}  ({goal})"
        print(line, flush=True)
        self.lines.append(line)

    def finish(self):
        count = {v: sum(line.startswith(v) for line in self.lines) for v in ("PASS", "MISS", "SKIP")}
        last = f"{count['PASS']} passed, {count['MISS']} missed, {count['SKIP']} skipped"
        print(last)
        (self.out / "lines.txt").write_text("\n".join(self.lines + [last]) + "\n")
        return 1 if count["MISS"] or not self.lines else 0


def run(*arguments, check=True, **options):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, **options)
    if check and done.returncode != 0:
        raise RuntimeError((done.stderr or done.stdout).strip().splitlines()[-1] if (done.stderr or done.stdout).strip() else f"exit {done.returncode}")
    return done


def observed(what):
    """Of people who tried."""
    return tomllib.loads((Path(__file__).parent / "observed.toml").read_text(encoding="utf-8"))[what]


def forewarp(*arguments, **options):
    return run(TOOL, *arguments, **options)


def predict(*arguments):
    """The result object of one prediction."""
    return json.loads(forewarp("predict", *arguments, "--format", "json").stdout)


def predict_many(cases, *arguments):
    """Results of many cases in one process."""
    file = BUILD / "cases.tmp.jsonl"
    file.write_text("".join(json.dumps(c) + "\n" for c in cases))
    done = forewarp("predict", "--cases", file, *arguments, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def calc(formula, **inputs):
    text = forewarp("model", "calc", formula, *[f"{k}={v}" for k, v in inputs.items()]).stdout
    return {k: float(v) for k, v in (line.split() for line in text.splitlines())}


def model(result, name):
    """The numbers of one model in a result."""
    for entry in result["models"]:
        if entry["name"] == name:
            return entry
    raise KeyError(f"model {name} is not in the result")


def bench(name, filter_):
    """The benchmarks of one program, by name."""
    done = run(BUILD / "bench" / f"bench_{name}", f"--benchmark_filter={filter_}", "--benchmark_format=json",
               "--benchmark_min_time=0.5")
    return json.loads(done.stdout)["benchmarks"]


def best_time(arguments, repeats=15):
    """Median wall time of a whole process in milliseconds."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        subprocess.run([str(a) for a in arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(1e3 * (time.perf_counter() - begin))
    return sorted(times)[len(times) // 2]
