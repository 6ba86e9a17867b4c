# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Inputs that nobody should give, and whether the tool comes through them: made here, every one of them."""
import os
import random
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from showing import ROOT, TOOL

MOST_SECONDS, MOST_BYTES, MOST_ERROR = 5, 1 << 30, 2000
LISTING = ROOT / "examples" / "saxpy2.sass"
LAUNCH = ["--grid", "64", "--block", "256", "--arg", "n=16384", "--arg", "a=2"]
ODD_VALUES = ("nan", "inf", "-1", "0", "1e300", "1e-300", "true", "[13]", '"x"', "9" * 40)
ODD_OPTIONS = ("", "nan", "-1", "0", "4294967296", "1e400", "x", "9" * 100, "\x1b[2J", "a" * 100_000)


class Bad:
    """One call: its words, what it must leave behind, and what it reads from standard input."""

    def __init__(self, name, *words, stdin=b"", output=None):
        self.name, self.words, self.stdin, self.output = name, [str(w) for w in words], stdin, output

    def fault(self, folder):
        """What is wrong with how the tool took it; empty: nothing."""
        before = set(os.listdir(folder))
        began = time.perf_counter()
        sink = open(self.output, "wb") if self.output else subprocess.PIPE
        process = subprocess.Popen([TOOL, *self.words], cwd=folder, stdin=subprocess.PIPE, stdout=sink, stderr=subprocess.PIPE)
        try:
            said, error = process.communicate(self.stdin, timeout=4 * MOST_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return "hangs"
        except BrokenPipeError:
            said, error = b"", process.stderr.read()
            process.wait()
        seconds = time.perf_counter() - began
        text = error.decode(errors="replace")
        left = set(os.listdir(folder)) - before
        if process.returncode < 0:
            return f"dies by {signal.Signals(-process.returncode).name}"
        if "internal fault" in text:
            return "internal fault"
        if seconds > MOST_SECONDS:
            return f"{seconds:.1f} s"
        if process.returncode != 0 and not text.strip() and not said:
            return f"exit {process.returncode} without a word"
        if process.returncode != 0 and max(map(len, text.splitlines()), default=0) > MOST_ERROR:
            return f"a message of {len(text)} characters"
        if "\x1b" in text:
            return "escape sequences reach the terminal"
        if left:
            return f"leaves {sorted(left)[0]}"
        return ""


def peak_bytes(words, folder):
    process = subprocess.Popen([TOOL, *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss * 1024


def predict(*words):
    return ["predict", LISTING, "--gpu", "gtx970", *LAUNCH, "--no-cache", *words]


def of_facts(folder, count):
    """GPU files with one number replaced by something else, drawn over all facts."""
    text = (ROOT / "data" / "gpus" / "gtx970.toml").read_text()
    places = [m for m in re.finditer(r"^(\w[\w.]*) = (?:\{ value = )?([-\d.][\w.+-]*)", text, re.M)]
    drawn = random.Random(7)
    for i in range(count):
        place, value = drawn.choice(places), drawn.choice(ODD_VALUES)
        file = folder / f"gpu{i}.toml"
        file.write_text(text[:place.start(2)] + value + text[place.end(2):])
        words = ["predict", LISTING, "--gpu", file, *LAUNCH, "--no-cache"] if i % 2 else ["gpu", "check", file]
        yield Bad(f"{place[1]} = {value[:12]} ({words[0]})", *words)


def of_set(count):
    """Numbers of --set, drawn over the facts of a board."""
    shown = subprocess.run([TOOL, "gpu", "show", "gtx970", "--format", "json"], capture_output=True, text=True).stdout
    paths = sorted(set(re.findall(r'"path": ?"([\w.]+)"', shown))) or ["sm.count", "l2.bytes", "memory.bandwidth", "clock.boost"]
    drawn = random.Random(8)
    for _ in range(count):
        path, value = drawn.choice(paths), drawn.choice(ODD_VALUES)
        yield Bad(f"--set {path}={value[:12]}", *predict("--set", f"hw.{path}={value}"))


def of_options():
    for name in ("--grid", "--block", "--smem", "--regs", "--clock", "--budget", "--sample", "-j", "--trip", "--assume-branch", "--arg", "--option",
                 "--set", "--sweep", "--format", "--view", "--timing", "--gpu", "--kernel", "--model", "--copy", "--link", "--constant", "--launch"):
        for value in ODD_OPTIONS:
            yield Bad(f"{name} {value[:12]!r}", *predict(name, value))


def of_listings(folder, count):
    """A listing with bytes removed, doubled or changed."""
    data = LISTING.read_bytes()
    drawn = random.Random(9)
    for i in range(count):
        at, size = drawn.randrange(len(data)), drawn.randrange(1, 400)
        part = {0: b"", 1: data[at:at + size] * 3, 2: bytes(drawn.randrange(256) for _ in range(size)), 3: b"\n" * size}[i % 4]
        file = folder / f"kernel{i}.sass"
        file.write_bytes(data[:at] + part + data[at + size:])
        yield Bad(f"listing {i}", "predict", file, "--gpu", "gtx970", *LAUNCH, "--no-cache")


def of_files(folder):
    deep = folder / "deep.toml"
    deep.write_text("a" + ".a" * 100_000 + " = 1\n")
    nested = folder / "nested.json"
    nested.write_text("[" * 200_000)
    missing = folder / "missing"
    missing.symlink_to(folder / "nowhere")
    for file in (deep, nested, missing, folder, "/dev/null", "/dev/zero", "/dev/full"):
        for words in (("predict", LISTING, "--gpu", file, *LAUNCH), ("predict", file, "--gpu", "gtx970", *LAUNCH), predict("--launch", file),
                      ("predict", "--cases", file, "--gpu", "gtx970"), ("gpu", "check", file), predict("--calibration", file),
                      predict("--arg", f"x=buffer:4096:file:{file}")):
            yield Bad(f"{words[0]} of {Path(str(file)).name}", *words)
    yield Bad("gpu list to a full disk", "gpu", "list", output="/dev/full")
    yield Bad("predict to a full disk", *predict(), output="/dev/full")
    yield Bad("-o is a folder", *predict("-o", folder))
    yield Bad("cases that are none", "predict", "--cases", "-", "--gpu", "gtx970", stdin=b'{"input": 3}\n\xff\xfe\n[]\n{}\n')
    yield Bad("endless name", *predict("--kernel", "k" * 1_000_000)[:-2], stdin=b"")


def inputs(folder):
    yield from of_options()
    yield from of_facts(folder, 60)
    yield from of_set(60)
    yield from of_listings(folder, 60)
    yield from of_files(folder)


def bad_inputs(out):
    """Faults among all of them, the first of each kind by name; all of them go to a file."""
    with tempfile.TemporaryDirectory() as name:
        folder, runs = Path(name), Path(name) / "runs"
        runs.mkdir()
        faults, asked = [], 0
        for bad in inputs(folder):
            asked += 1
            try:
                fault = bad.fault(runs)
            except OSError as why:  # words too long for this system
                fault = "" if why.errno == 7 else str(why)
            if fault:
                faults.append(f"{bad.name}: {fault}")
        most = max(peak_bytes(words, runs) for words in (predict("--launch", "/dev/zero"), predict("--set", "hw.sm.count=4294967295"),
                                                         ("predict", LISTING, "--gpu", "/dev/zero", *LAUNCH)))
    (out / "bad_inputs.txt").write_text("\n".join(faults) + "\n")
    shown = "; ".join(faults[:4])
    return not faults and asked >= 300 and most <= MOST_BYTES, f"{asked} inputs, {len(faults)} taken badly; {most / 2**30:.1f} GiB at most{'; ' if shown else ''}{shown}"
