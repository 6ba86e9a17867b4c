# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Inputs that nobody should give, and whether the tool comes through them: made here, every one of them."""
import os
import random
import re
import resource
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
    """One call: its words, what it reads from standard input, and where it must differ from others: what it leaves (`makes`), whether
    it must refuse (`refused`, a part of what it says), what must hold afterwards (`then`: a fault, or nothing)."""

    def __init__(self, name, *words, stdin=b"", output=None, makes=(), refused=None, then=None, stack=None):
        self.name, self.words, self.stdin, self.output = name, [str(w) for w in words], stdin, output
        self.makes, self.refused, self.then, self.stack = set(makes), refused, then, stack

    most_seconds = MOST_SECONDS

    def fault(self, folder):
        """What is wrong with how the tool took it; empty: nothing."""
        before = set(os.listdir(folder))
        began = time.perf_counter()
        sink = open(self.output, "wb") if self.output else subprocess.PIPE
        process = subprocess.Popen([TOOL, *self.words], cwd=folder, stdin=subprocess.PIPE, stdout=sink, stderr=subprocess.PIPE,
                                   preexec_fn=self.stack and (lambda: resource.setrlimit(resource.RLIMIT_STACK, (self.stack, self.stack))))
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
        left = set(os.listdir(folder)) - before - self.makes
        for made in self.makes & set(os.listdir(folder)):
            (folder / made).unlink()
        if process.returncode < 0:
            return f"dies by {signal.Signals(-process.returncode).name}"
        if "internal fault" in text:
            return "internal fault"
        if seconds > self.most_seconds:
            return f"{seconds:.1f} s"
        if process.returncode != 0 and not text.strip() and not said:
            return f"exit {process.returncode} without a word"
        if process.returncode != 0 and max(map(len, text.splitlines()), default=0) > MOST_ERROR:
            return f"a message of {len(text)} characters"
        if "\x1b" in text:
            return "escape sequences reach the terminal"
        if left:
            return f"leaves {sorted(left)[0]}"
        answer = text + (said or b"").decode(errors="replace")
        if self.refused is not None and (process.returncode == 0 or self.refused not in answer):
            return f"is not refused for '{self.refused}', but {answer.strip()[:80] or 'nothing'}"
        return (self.then(answer) if self.then else "") or ""


class Slow(Bad):
    """A compiler runs: its time is its own."""
    most_seconds = 4 * MOST_SECONDS


class Linked(Bad):
    """A link stands where the result goes; what is behind it is looked at afterwards."""

    def __init__(self, then, *words):
        super().__init__("-o is a link with a missing target", *words, makes=(), then=then)

    def fault(self, folder):
        found = super().fault(folder)
        return "" if found == "leaves target" and not self.then("") else found


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


def of_types(folder):
    """A value of each kind in place of each number of a board: refused, by its line."""
    text = (ROOT / "data" / "gpus" / "gtx970.toml").read_text()
    for i, place in enumerate(re.finditer(r"^(\w+) = (?:\{ value = )?(\d[\d.]*)", text, re.M)):
        header = text[text.rindex("\n[", 0, place.start()) + 1:].partition("\n")[0]
        lists = () if "gajger." in header else ("[13]",)  # a model's parameter may be a list
        for value in (*lists, "true", '"13"', "[]", '""'):
            file = folder / f"typed{i}.toml"
            file.write_text(text[:place.start(2)] + value + text[place.end(2):])
            words = ["predict", LISTING, "--gpu", file, *LAUNCH, "--no-cache"]
            # A fact that is a table of its own is named where the table begins.
            begin = text.rindex("\n[", 0, place.start()) + 1 if place[1] == "value" else place.start()
            yield Bad(f"{place[1]} = {value}", *words, refused=f"typed{i}.toml:{text.count(chr(10), 0, begin) + 1}")


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


def listing(folder, name, body, head=("kernel k", "arch sm_52", "registers 8", "shared 0", "param 0 n int")):
    file = folder / f"{name}.sass"
    file.write_text("".join(f"// {line}\n" for line in head) + body)
    return file


def many_entries(count):
    """Pairs of blocks that jump into each other's loop: no loop of theirs has one entry."""
    text = "".join(f"@P0 BRA `(.B{i});\n.A{i}:\nIADD R1, R1, 0x1;\n.B{i}:\nIADD R2, R2, 0x1;\n@P1 BRA `(.A{i});\n" for i in range(count))
    return text + "EXIT;\n"


def of_listed_kernels(folder):
    """Kernels whose listing is a trap: for walks over paths, for readers, for those who execute."""
    short = ["--gpu", "gtx970", "--grid", "4", "--block", "64", "--no-cache", "--arg", "n=4"]
    for count in (3, 300, 5000):
        knot = listing(folder, f"knot{count}", many_entries(count))
        yield Bad(f"{count} loops of several entries", "analyze", knot)
        yield Bad(f"{count} loops of several entries, predicted", "predict", knot, *short, "--static")
        case = f'{{"input": "{knot}", "gpu": "gtx970", "grid": 4, "block": 64, "args": {{"n": 4}}}}\n'
        yield Bad(f"{count} loops of several entries among cases", "predict", "--cases", "-", stdin=(case * 2).encode(),
                  then=lambda answer: "" if answer.count('"schema"') == 2 else "a case ended the batch")
    yield Bad("64 KiB of stack", *predict(), stack=1 << 16)
    yield Bad("64 KiB of stack, listing only", "analyze", folder / "knot5000.sass", stack=1 << 16)
    unknown = listing(folder, "unknown", "MOV R1, RZ;\nFROBNICATE R3, R4;\nZORK;\nEXIT;\n")
    yield Bad("unknown opcodes without addresses", "analyze", unknown, then=lambda answer: "" if "2 unknown" in answer else "they vanish")
    units = listing(folder, "units", "EXIT;\n", ("kernel k", "arch sm_52", "registers 8", "shared 48K"))
    yield Bad("// shared 48K", "analyze", units, refused="48K")
    early = listing(folder, "early", ".L1:\nIADD R1, R1, 0x1;\nISETP.LT.AND P0, PT, R1, c[0x0][0x140], PT;\n@P0 BRA `(.L1);\nEXIT;\n")
    yield Bad("a label before the first instruction", "analyze", early, then=lambda answer: "" if "loops" in answer else "its loop is lost")
    huge = listing(folder, "huge", "EXIT;\n", ("kernel k", "arch sm_52", "registers 8", "shared 0", "param 0 n Box 4294967295"))
    yield Bad("a parameter of 4 GiB", "predict", huge, "--gpu", "gtx970", "--grid", "4", "--block", "64", "--no-cache")
    endless = listing(folder, "endless", ".L1:\nIADD R1, R1, 0x1;\nBRA `(.L1);\nEXIT;\n")
    yield Bad("an endless kernel", "predict", endless, *short)
    yield Bad("an endless kernel with a budget", "predict", endless, *short, "--budget", "0.1")
    trap = listing(folder, "trap", "BPT.TRAP 0x1;\nEXIT;\n")
    yield Bad("a kernel that traps", "predict", trap, *short)
    stuck = listing(folder, "stuck", "S2R R0, SR_TID.X;\nISETP.LT.AND P0, PT, R0, 0x20, PT;\n@P0 BAR.SYNC 0x1, 0x40;\n@!P0 BAR.SYNC 0x2, 0x40;\nEXIT;\n")
    yield Bad("a kernel that deadlocks", "predict", stuck, *short)
    named = listing(folder, "named", "EXIT;\n", ("kernel k\x1b[2J", "arch sm_52", "registers 8", "shared 0"))
    yield Bad("escape sequences in a kernel's name", "predict", named, *short[:-2])
    long = listing(folder, "long", "EXIT;\n", ("kernel " + "k" * 5_000_000, "arch sm_52", "registers 8", "shared 0"))
    yield Bad("a kernel's name of 5 MB", "predict", long, *short[:-2], "--block", "4096")


def of_words():
    """Words that were believed, and words that brought it down."""
    for value in ("4294967295", "100000"):
        yield Bad(f"-j {value} with a sweep", *predict("--sweep", "grid=64:128:64", "-j", value))
    yield Bad("--set link.bogus=1", *predict("--set", "link.bogus=1"), refused="link.bogus")
    for fact in ("sm.count=true", "sm.count=[13]", "sm.count=4294967295", "l2.bytes=1e300"):
        yield Bad(f"--set {fact}", *predict("--set", f"hw.{fact}"), refused=fact.split("=")[0])
    yield Bad("--clock 1e-300", *predict("--clock", "1e-300"), refused="MHz")
    yield Bad("a clock of 1e-300 by --set", *predict("--set", "hw.clock.boost_mhz=1e-300"), refused="MHz")
    yield Bad("--budget nan", *predict("--budget", "nan"), refused="budget")
    case = f'{{"input": "{LISTING}", "gpu": "gtx970", "grid": 64, "block": 256, "args": {{"n": 16384, "a": 2}}'
    yield Bad("a case's clock of 1e-300", "predict", "--cases", "-", stdin=(case + ', "clock_mhz": 1e-300}\n').encode(), refused="MHz")
    yield Bad("\\u0000 in a path", "predict", "--cases", "-", stdin=case.replace(".sass", ".sass\\u0000x").encode() + b"}\n", refused="u0000")
    yield Bad("escape sequences in an id", "predict", "--cases", "-", stdin=(case + ', "id": "\\u001b[2J"}\n').encode())
    yield Bad("--cases beside --grid", "predict", "--cases", "-", "--grid", "5", stdin=(case + "}\n").encode(), refused="--grid")


def of_outputs(folder):
    """Where results go: what is there already, what cannot be, what has no room."""
    link, target = folder / "runs" / "link", folder / "runs" / "target"

    def linked(answer):
        kept = link.is_symlink() and target.exists()
        link.unlink()
        target.unlink(missing_ok=True)
        return "" if kept else "the link is replaced"

    link.symlink_to("target")
    yield Linked(linked, *predict("-o", "link"))
    yield Bad("-o /dev/stdout", *predict("--format", "number", "-o", "/dev/stdout"), then=lambda answer: "" if re.match(r"[\d.e-]+\n", answer) else "no number")
    for place in ("/dev/full", "/nowhere/out", "."):
        yield Bad(f"-o {place}", *predict("-o", place), refused="")
        yield Bad(f"--cases -o {place}", "predict", "--cases", "-", "-o", place, stdin=b"{}\n", refused="")


def of_believed_files(folder):
    """Files that contradict themselves, and what was written for the tool and then edited by hand."""
    text = (ROOT / "data" / "gpus" / "gtx970.toml").read_text()
    board = folder / "contradiction.toml"
    board.write_text(re.sub(r"(base_mhz = (?:\{ value = )?)", r"\g<1>9", text))
    yield Bad("predict with what gpu check refuses", "predict", LISTING, "--gpu", board, *LAUNCH, "--no-cache", refused="boost clock")
    measured = folder / "measured.jsonl"
    measured.write_text(f'{{"input": "{LISTING}", "gpu": "gtx970", "grid": 64, "block": 256, "args": {{"n": 16384, "a": 2}}, "measured_ms": 0.002}}\n')
    journal, words = folder / "journal", ["validate", measured, "--format", "json", "-q", "--journal"]
    right = subprocess.run([str(w) for w in (TOOL, *words, journal)], capture_output=True, text=True).stdout
    kept = journal.read_text()
    at = re.search(r'"predicted_ms":[\d.]*?([1-8])', kept).start(1)
    journal.write_text(kept[:at] + str(int(kept[at]) + 1) + kept[at + 1:])
    yield Bad("an edited digit in a journal", *words, journal, then=lambda answer: "" if answer == right else "it is believed")
    source = folder / "a$(touch pwned).cu"
    source.write_text("__global__ void k(float* x) { x[threadIdx.x] = 1; }\n")
    launch = ["--gpu", "gtx970", "--grid", "1", "--block", "32", "--arg", "x=buffer:4096"]
    yield Slow("a source whose name is a command", "predict", source, *launch, "--no-cache")
    plain = folder / "plain.cu"
    plain.write_text(source.read_text())
    case = f'{{"input": "{plain}", "gpu": "gtx970", "grid": 1, "block": 32, "args": [{{"buffer": 4096}}], "compile_options": ["-DX=$(touch pwned)"]}}\n'
    yield Slow("a compile option that is a command", "predict", "--cases", "-", stdin=case.encode())


def inputs(folder):
    yield from of_listed_kernels(folder)
    yield from of_words()
    yield from of_outputs(folder)
    yield from of_believed_files(folder)
    yield from of_options()
    yield from of_facts(folder, 60)
    yield from of_types(folder)
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
