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


def whole(store):
    """What a store lacks that has every case once."""
    with sqlite3.connect(store, timeout=60) as opened:
        check = opened.execute("PRAGMA integrity_check").fetchone()[0]
        members, points = opened.execute("SELECT count(*), count(DISTINCT point) FROM members").fetchone()
        stored = opened.execute("SELECT count(*) FROM points WHERE error IS NULL").fetchone()[0]
    faults = [] if check == "ok" else [f"integrity_check: {check}"]
    return faults + ([] if (members, points, stored) == (CASES,) * 3 else [f"{members} points, {points} different, {stored} stored"])


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
        store = folder / "r.db"
        killed, rounds, faults = 0, 0, []
        while killed < KILLS and rounds < KILLS:
            before = kept_points(store)
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, start_new_session=True)
            wait_for(store, before + 1 + drawn.randrange(max(1, CASES // KILLS // 2)), process)
            ranks = ranks_of(process.pid) if process.poll() is None else []
            for pid in ranks if drawn.random() < 0.3 else ranks and [drawn.choice(ranks)]:
                os.kill(pid, signal.SIGKILL)
            ended = process.wait(timeout=600) == 0
            after = kept_points(store)
            if after < before:
                faults.append(f"{before} points became {after}")
            if ended:  # it was quicker than the kill: the next one begins anew
                faults += whole(store)
                rounds += 1
                store.unlink()
            else:
                killed += 1
        last = run(*words, env=environment).stdout
        faults += whole(store)
        if last != plain:
            faults.append("lines differ from those of an undisturbed run")
    return (not faults and killed == KILLS,
            f"{killed} kills of {RANKS} ranks within {rounds + 1} run(s) of {CASES} points: complete, each point once, integrity_check ok, lines as undisturbed"
            if not faults else "; ".join(faults[:3]))
