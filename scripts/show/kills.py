# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Ends commands at random moments and looks at what they leave: no half results, no files, the same digits next time."""
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from showing import ROOT, TOOL

SIGNALS = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
LISTING = ROOT / "examples" / "saxpy2.sass"
SOURCE = "__global__ void k(float* x, int n) { for (int i = 0; i < n; ++i) x[threadIdx.x + i] += %d; }\n"


class Fault(Exception):
    """What a kill did that it must not."""


class Ground:
    """Folders of one trial: where it works, where it caches, where temporary files go."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("work", "cache", "tmp"):
            (folder / name).mkdir(parents=True)
        self.work, self.tmp = folder / "work", folder / "tmp"
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"), TMPDIR=str(self.tmp))

    def start(self, words):
        return subprocess.Popen([str(w) for w in (TOOL, *words)], cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def whole(self, words):
        """The command undisturbed; its seconds."""
        began = time.perf_counter()
        process = self.start(words)
        error = process.communicate(timeout=300)[1]
        if process.returncode != 0:
            raise Fault(f"the next run ends with {process.returncode}: {error.strip()[:200]}")
        return time.perf_counter() - began

    def killed(self, words, after, number):
        process = self.start(words)
        try:
            process.communicate(timeout=after)
            return False
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        process.communicate(timeout=60)
        return process.returncode == -number  # else it ended by itself in between

    def left(self, expected):
        """Nothing but what the command is for, nor anything in the temporary folder once the next command ran."""
        odd = [p.name for p in self.work.iterdir() if p.name not in expected]
        odd += [f"{p.relative_to(self.folder)}" for p in (self.folder / "cache").rglob("*") if ".tmp" in p.name]
        if odd:
            raise Fault(f"leaves {sorted(odd)[0]}")

    def no_compiler_folders(self):
        left = [p.name for p in self.tmp.iterdir() if p.name.startswith("forewarp-")]
        if left:
            raise Fault(f"leaves {left[0]}")


def lines_of(file):
    return file.read_text().splitlines(keepends=True) if file.exists() else []


class Cases:
    """predict --cases FILE -o OUT: what is there is the beginning of what comes undisturbed, in whole lines."""
    words = ("predict", "--cases", "cases.jsonl", "-o", "out.jsonl", "-j", "2")

    def __init__(self, ground):
        self.ground = ground
        cases = [{"id": i, "input": str(LISTING), "gpu": "gtx970", "grid": 100 + i, "block": 256, "args": {"n": 4096 * (1 + i % 97), "a": 1 + i % 5}}
                 for i in range(120)]
        (ground.work / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in cases))
        self.out = ground.work / "out.jsonl"
        self.seconds = ground.whole(self.words)
        self.right = self.digits(lines_of(self.out))

    @staticmethod
    def digits(lines):
        return [json.loads(line) for line in lines]

    def before(self):
        self.out.unlink(missing_ok=True)

    def after(self, number):
        lines = lines_of(self.out)
        if lines and not lines[-1].endswith("\n"):
            raise Fault("half a line")
        if self.digits(lines) != self.right[:len(lines)]:
            raise Fault("a line differs")
        self.ground.left({"cases.jsonl", "out.jsonl"})
        return len(lines)

    def again(self):
        self.ground.whole(self.words)
        if self.digits(lines_of(self.out)) != self.right:
            raise Fault("the next run differs")


class Validation:
    """validate with a journal: the run that goes on says what an undisturbed one says."""
    words = ("validate", "cases.jsonl", "--journal", "journal", "--format", "json", "-o", "out.json", "-q")

    def __init__(self, ground):
        self.ground = ground
        cases = [{"id": i, "input": str(LISTING), "gpu": "gtx970", "grid": 100 + i, "block": 256, "args": {"n": 4096 * (1 + i % 97), "a": 1 + i % 5},
                  "measured_ms": 0.01 + i * 1e-4} for i in range(120)]
        (ground.work / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in cases))
        self.out, self.journal = ground.work / "out.json", ground.work / "journal"
        self.seconds = ground.whole(self.words)
        self.right = self.out.read_text()

    def before(self):
        self.out.unlink(missing_ok=True)
        self.journal.unlink(missing_ok=True)

    def after(self, number):
        lines = lines_of(self.journal)
        for line in lines:
            if line.endswith("\n"):
                json.loads(line.split(" ", 1)[1])
        if self.out.exists() and self.out.read_text() != self.right:
            raise Fault("half a result")
        self.ground.left({"cases.jsonl", "out.json", "journal"})
        return len(lines)

    def again(self):
        self.ground.whole(self.words)
        if self.out.read_text() != self.right:
            raise Fault("the run that goes on differs")


class Caches:
    """predict of a source: listings, launches and the compiler's folders."""
    words = ("predict", "k.cu", "--gpu", "gtx970", "--grid", "2048", "--block", "256", "--arg", "x=buffer:1048576", "--arg", "n=64", "--format", "json",
             "-o", "out.json")

    def __init__(self, ground):
        self.ground, self.count = ground, 0
        self.out = ground.work / "out.json"
        self.compiles = "CUDA_HOME" in os.environ or all(map(shutil.which, ("nvcc", "cuobjdump", "nvdisasm")))
        if not self.compiles:
            self.words = ("predict", LISTING, *self.words[2:8], "--arg", "n=4000000", "--arg", "a=9", *self.words[-4:])
        self.before()
        self.seconds = ground.whole(self.words)

    def before(self):
        """Another text each time, so that it is compiled and executed; but for its length it costs the same."""
        self.count += 1
        if self.compiles:
            (self.ground.work / "k.cu").write_text(SOURCE % self.count)
        else:
            shutil.rmtree(self.ground.folder / "cache", ignore_errors=True)
        self.out.unlink(missing_ok=True)

    def after(self, number):
        if self.out.exists():
            json.loads(self.out.read_text())
        if number != signal.SIGKILL:
            self.ground.no_compiler_folders()
        self.ground.left({"k.cu", "out.json"})
        return 1

    def again(self):
        """From what the killed one left in the caches, and without any cache."""
        def prediction():
            return json.loads(self.out.read_text())["models"]
        self.ground.whole(self.words)
        self.ground.no_compiler_folders()
        cached = prediction()
        self.ground.whole((*self.words, "--no-cache"))
        if prediction() != cached:
            raise Fault("what is cached differs")


def trials(count, folder):
    drawn = random.Random(5)
    subjects = [make(Ground(folder / make.__name__)) for make in (Cases, Validation, Caches)]
    for i in range(count):
        subject, number = subjects[i % len(subjects)], SIGNALS[drawn.randrange(len(SIGNALS))]
        after = drawn.uniform(0, 0.7 * subject.seconds)  # the first run, which this is of, was cold
        yield subject, number, after


def kills(out, count=100):
    """Faults among all of them, the first by name; all of them go to a file."""
    faults, finished, stopped = [], 0, 0
    with tempfile.TemporaryDirectory() as name:
        for subject, number, after in trials(count, Path(name)):
            try:
                subject.before()
                stopped += subject.ground.killed(subject.words, after, number)
                lines = subject.after(number)
                finished += lines
                subject.again()
            except (Fault, ValueError, KeyError) as fault:
                faults.append(f"{type(subject).__name__}, {signal.Signals(number).name} after {after:.3f} s: {fault}")
    (out / "kills.txt").write_text("\n".join(faults) + "\n")
    shown = "; ".join(faults[:3])
    enough = stopped >= 0.7 * count  # others had ended before the signal came
    return not faults and enough, f"{stopped} of {count} killed, {finished} results kept by them, {len(faults)} faults{'; ' if shown else ''}{shown}"
