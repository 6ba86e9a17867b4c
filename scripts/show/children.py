# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Ends commands at random moments while programs run for them, and looks for what lives on; and programs that exceed a limit.

    children.py [N]    N kills (100), one line for each demand

No toolkit is needed: scripts stand for its programs, each with a descendant that ignores what it can. All that a command starts carries a mark
in its environment, by which /proc shows it.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from showing import BUILD, ROOT, TOOL, Skip

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
MARK = "FOREWARP_SHOW_CHILDREN"
SOURCE = "__global__ void k(float* x) { x[threadIdx.x] = 1; }\n"
LAUNCH = ("--gpu", "gtx970", "--grid", "1", "--block", "32", "--arg", "x=buffer:4096", "--no-cache")
# A program that hangs with a descendant that hears no signal but SIGKILL.
HANGS = "#!/bin/sh\n(trap '' TERM INT HUP; while :; do sleep 5; done) &\nwhile :; do sleep 5; done\n"
ANSWERS = "#!/bin/sh\ncase \"$*\" in *--list-gpu-code*) echo sm_52; exit 0;; *--version*) echo 'release 11.8, V'; exit 0;; esac\n"


def toolkit(folder, nvcc=HANGS):
    """A folder of scripts in place of a toolkit; what compiles hangs."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    for name in ("nvcc", "ptxas", "cuobjdump", "nvdisasm"):
        file = folder / "bin" / name
        file.write_text(ANSWERS + nvcc.removeprefix("#!/bin/sh\n"))
        file.chmod(0o755)
    return folder


def marked(mark):
    """Processes that carry the mark and live."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if f"{MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                state = (entry / "stat").read_text().rpartition(") ")[2][0]
                found += [int(entry.name)] if state not in "ZX" else []
        except (OSError, IndexError):
            continue
    return found


def subjects(folder):
    """Name, command and the least number of processes that stand for "it runs"."""
    source = folder / "k.cu"
    source.write_text(SOURCE)
    yield "predict", [TOOL, "predict", source, "--cuda", toolkit(folder / "cuda"), *LAUNCH], 4
    if (BUILD / "tools" / "forewarp-system" / "forewarp-system").exists():
        script = folder / "endless.lua"
        script.write_text("function main() while true do end end\n")
        example = next((ROOT / "examples").glob("**/system.toml"), None)
        if example:
            yield "simulate", [TOOL, "simulate", example, script], 2
    if (BUILD / "tools" / "forewarp-serve" / "forewarp-serve").exists():
        yield "serve", [TOOL, "serve", "--port", "0"], 1


def trial(words, mark, folder, at_least, drawn):
    """Kills at a random moment of its first second; what lives on a little later."""
    environment = dict(os.environ, **{MARK: mark}, TMPDIR=str(folder), XDG_CACHE_HOME=str(folder / "cache"))
    process = subprocess.Popen([str(w) for w in words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    begun, most = time.perf_counter(), drawn.uniform(0, 1)
    seen = 0
    while time.perf_counter() - begun < most and process.poll() is None:
        seen = max(seen, len(marked(mark)))
        time.sleep(0.02)
    process.send_signal(drawn.choice(SIGNALS))
    process.wait(30)
    for _ in range(100):
        left = marked(mark)
        if not left:
            break
        time.sleep(0.02)
    for number in left:
        os.kill(number, signal.SIGKILL)
    return len(left), seen >= at_least


def kills(count=100):
    drawn = random.Random(3)
    faults, ran = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        all_of = list(subjects(folder))
        for i in range(count):
            what, words, at_least = all_of[i % len(all_of)]
            left, running = trial(words, f"{os.getpid()}-{i}", folder, at_least, drawn)
            ran += running
            if left:
                faults.append(f"{what}: {left} left")
    named = ", ".join(what for what, _, _ in all_of)
    return not faults and ran >= count // 2, f"{count - len(faults)} of {count} leave none ({named}; {ran} with programs running){'; ' if faults else ''}{'; '.join(faults[:3])}"


def limits():
    """Programs that write without end: ended, the message names program and limit."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "k.cu").write_text(SOURCE)
        cuda = toolkit(folder / "cuda", "#!/bin/sh\nexec cat /dev/zero\n")
        done = subprocess.run([str(w) for w in (TOOL, "predict", folder / "k.cu", "--cuda", cuda, *LAUNCH)], capture_output=True, text=True, timeout=300)
    line = done.stderr.strip().splitlines()[0] if done.stderr.strip() else "nothing"
    return done.returncode == 1 and "nvcc" in line and "MiB of output" in line, line[-120:]


def pipes():
    """Named pipes without another end wherever a file is read or written: refused within 5 s, in one line."""
    listing = ROOT / "examples" / "saxpy2.sass"
    launch = ["--grid", "64", "--block", "256", "--arg", "n=16384", "--arg", "a=2", "--no-cache"]
    faults = []
    with tempfile.TemporaryDirectory() as name:
        pipe = Path(name) / "pipe.toml"
        os.mkfifo(pipe)
        calls = {"input": ["predict", pipe, "--gpu", "gtx970", *launch], "--gpu": ["predict", listing, "--gpu", pipe, *launch],
                 "--cases": ["predict", "--cases", pipe], "--launch": ["predict", listing, "--gpu", "gtx970", "--launch", pipe],
                 "--calibration": ["predict", listing, "--gpu", "gtx970", *launch, "--calibration", pipe], "gpu check": ["gpu", "check", pipe],
                 "-o": ["predict", listing, "--gpu", "gtx970", *launch, "-o", pipe], "validate": ["validate", pipe],
                 "--journal": ["validate", listing, "--journal", pipe], "compare": ["compare", pipe, pipe]}
        for what, words in calls.items():
            began = time.perf_counter()
            try:
                done = subprocess.run([str(w) for w in (TOOL, *words)], capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL)
            except subprocess.TimeoutExpired:
                faults.append(f"{what} waits")
                continue
            if done.returncode == 0 or not done.stderr.strip():
                faults.append(f"{what} says nothing")
            elif time.perf_counter() - began > 5:
                faults.append(f"{what} takes {time.perf_counter() - began:.1f} s")
    return not faults, f"{len(calls) - len(faults)} of {len(calls)} places refused in time{'; ' if faults else ''}{'; '.join(faults[:3])}"


def long_listings():
    """Time of a listing with twice as much of one thing, and memory of a large one."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "k.sass"

        def seconds(head, body):
            file.write_text("// arch sm_52\n" + head + "\t\tFunction : k\n" + body + "EXIT;\n")
            began = time.process_time(), os.times().children_user
            subprocess.run([str(TOOL), "analyze", str(file), "--list"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            return os.times().children_user - began[1]

        kinds = {"symbols": lambda n: ("".join(f"// symbol v{i} global {8 * i} 8\n" for i in range(n)), ""),
                 "source files": lambda n: ("", "".join(f'\t//## File "/f{i}.cu", line 1\nFADD R0, R1, R2;\n' for i in range(n))),
                 "labels": lambda n: ("", "".join(f".L{i}:\nFADD R0, R1, R2;\n" for i in range(n)))}
        grown = {}
        for kind, text in kinds.items():
            grown[kind] = seconds(*text(60_000)) / max(seconds(*text(30_000)), 0.02)
    return max(grown.values()) < 3, ", ".join(f"{kind} x{factor:.1f}" for kind, factor in grown.items())


DEMANDS = [("kill at random moments", "no child left, 100 of 100", kills),
           ("a program that writes without end", "ended, program and limit named", limits),
           ("a named pipe in place of a file", "refused within 5 s everywhere", pipes),
           ("listings of twice the size", "below 3 times the time: symbols, files, labels", long_listings)]


def main():
    count, missed = int(sys.argv[1]) if len(sys.argv) > 1 else 100, 0
    for title, goal, check in DEMANDS:
        try:
            holds, figure = check(count) if check is kills else check()
            verdict = "PASS" if holds else "MISS"
        except Skip as reason:
            verdict, figure = "SKIP", str(reason)
        missed += verdict == "MISS"
        print(f"{verdict}  {title}  {figure}  ({goal})", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
