# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The store of results at its size and under kills; called by scripts/show/everyday. Each gives (holds, text).
CASES and KILLS name a smaller trial."""
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

from showing import ROOT, TOOL, Skip, run

STUDY = TOOL.parent / "forewarp-study"
LISTING = ROOT / "examples" / "saxpy2.sass"
POINTS, SECONDS = 1_000_000, 10
CASES, KILLS, RANKS = int(os.environ.get("CASES", "2000")), int(os.environ.get("KILLS", "20")), 3


def needed():
    if not STUDY.exists():
        raise Skip("forewarp-study is not built: SQLite was not found")


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def million():
    """Grid and one argument of a kernel, by the closed form, in one thread. Other programs on the machine are not its time."""
    needed()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "r.db"
        before, began = processor_seconds(), time.perf_counter()
        run(STUDY, "sweep", LISTING, "--gpu", "gtx970", "--block", "256", "--arg", "a=128", "--sweep", "grid=1:1000:1", "--sweep",
            "n=1000:1000000:1000", "--static", "--store", store, "-j", "1", "-q")
        used, wall = processor_seconds() - before, time.perf_counter() - began
        with sqlite3.connect(store) as opened:
            kept = opened.execute("SELECT count(*) FROM members").fetchone()[0]
        size = store.stat().st_size / 1e6
    return kept == POINTS and used <= SECONDS, f"{kept} points in {used:.1f} s of one core ({wall:.1f} s on the clock), {size:.0f} MB"


def kept_points(store):
    """How many are there; a store that is just being made has none."""
    if not store.exists():
        return 0
    with sqlite3.connect(store, timeout=60) as opened:
        tables = opened.execute("SELECT count(*) FROM sqlite_master WHERE name = 'members'").fetchone()[0]
        return opened.execute("SELECT count(*) FROM members").fetchone()[0] if tables else 0


def wait_for(store, points, process):
    """Until so many are there: moments by work, not by the clock, are in the middle of it on any machine."""
    while process.poll() is None and kept_points(store) < points:
        time.sleep(0.02)


def ranks_of(launcher):
    """Processes that mpirun began."""
    listed = subprocess.run(["pgrep", "-P", str(launcher)], capture_output=True, text=True, check=False).stdout.split()
    return [int(pid) for pid in listed]


def kills():
    """Kills a rank, or all of them, at random moments; the last run is left alone. Its lines are those of a run without a store."""
    needed()
    if not shutil.which("mpirun"):
        raise Skip("mpirun is not on this machine")
    drawn = random.Random(23)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = [{"id": i, "input": str(LISTING), "gpu": "gtx970", "grid": 10 + i, "block": 256, "args": {"n": 2560 + 256 * i, "a": 1 + i % 7}}
                 for i in range(CASES)]
        (folder / "c.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
        environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))
        plain = run(TOOL, "predict", "--cases", folder / "c.jsonl", "--no-cache").stdout
        words = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", RANKS, STUDY, "predict", "--cases", folder / "c.jsonl", "--no-cache",
                 "--store", folder / "r.db", "-q"]
        words = [str(word) for word in words]
        killed, kept = 0, []
        for _ in range(KILLS):
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, start_new_session=True)
            wait_for(folder / "r.db", (kept[-1] if kept else 0) + drawn.randrange(CASES // KILLS), process)
            ranks = ranks_of(process.pid)
            if ranks and process.poll() is None:
                for pid in ranks if drawn.random() < 0.3 else [drawn.choice(ranks)]:
                    os.kill(pid, signal.SIGKILL)
                killed += 1
            process.wait(timeout=120)
            kept.append(kept_points(folder / "r.db"))
        last = run(*words, env=environment).stdout
        with sqlite3.connect(folder / "r.db") as opened:
            check = opened.execute("PRAGMA integrity_check").fetchone()[0]
            members, points = opened.execute("SELECT count(*), count(DISTINCT point) FROM members").fetchone()
            stored = opened.execute("SELECT count(*) FROM points").fetchone()[0]
    lost = any(b < a for a, b in zip(kept, kept[1:]))
    right = (members, points, stored) == (CASES, CASES, CASES) and last == plain and not lost
    return (right and check == "ok" and killed == KILLS,
            f"{killed} kills of {RANKS} ranks, {kept[0]} .. {kept[-1]} points kept by them; then {members} points, {points} different, "
            f"integrity_check {check}, the lines {'equal' if last == plain else 'differ from'} those of an undisturbed run")
