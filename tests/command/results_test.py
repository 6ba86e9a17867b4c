#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Points that are kept, and read again: results_test.py PROGRAM"""
import csv
import io
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import closing
from pathlib import Path

from needs import built, needs, ranks

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.argv.pop(1)).resolve()
STUDY = PROGRAM.parent / "forewarp-study"
LISTING = str(ROOT / "examples" / "saxpy2.sass")
LAUNCH = [LISTING, "--gpu", "gtx970", "--block", "256", "--arg", "a=3"]
MANY = ["--sweep", "grid=1:40:1", "--sweep", "n=1000:50000:1000", "--static"]  # 2,000 points


class Stored(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)
        self.store = self.folder / "r.db"

    def run_it(self, *words, code=0, program=PROGRAM):
        ran = subprocess.run([str(w) for w in (program, *words)], capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertEqual(ran.returncode, code, ran.stderr + ran.stdout)
        return ran

    def sweep(self, *more, code=0, words=MANY):
        return self.run_it("sweep", *LAUNCH, *words, "--store", self.store, *more, code=code).stderr

    def results(self, *words, code=0):
        ran = self.run_it("results", *words, "--store", self.store, code=code)
        return ran.stdout if code == 0 else ran.stderr

    def rows(self, run=1, *more):
        return list(csv.DictReader(io.StringIO(self.results("export", run, *more))))

    def check_whole(self, points):
        with sqlite3.connect(self.store) as opened:
            self.assertEqual(opened.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            counts = opened.execute("SELECT count(*), count(DISTINCT point) FROM members WHERE run = 1").fetchone()
            self.assertEqual(counts, (points, points))
            self.assertEqual(opened.execute("SELECT count(*) FROM points").fetchone(), (points,))


@needs(built("forewarp-study", PROGRAM))
class Results(Stored):
    def test_a_store_says_what_the_sweep_says(self):
        said = self.sweep("-j", "2")
        self.assertIn("run 1 of", said)
        self.assertIn("2000 computed, 0 were there, 0 failed", said)
        plain = list(csv.DictReader(io.StringIO(self.run_it("sweep", *LAUNCH, *MANY, "--format", "csv").stdout)))
        kept = self.rows()
        self.assertEqual(len(kept), 2000)
        for column in plain[0]:
            self.assertEqual([row[column] for row in plain], [row[column] for row in kept], column)
        self.check_whole(2000)

    def test_a_rerun_computes_nothing_and_again_everything(self):
        self.sweep()
        self.assertIn("0 computed, 2000 were there", self.sweep("-j", "3", "-o", "out.csv"))
        self.assertEqual((self.folder / "out.csv").read_text(), self.results("export", 1))
        self.assertIn("run 2 of", self.sweep("--again"))
        self.assertEqual(self.rows(1), self.rows(2))
        self.check_whole(2000)

    def test_another_sweep_takes_over_the_points_that_it_shares(self):
        self.sweep(words=["--sweep", "grid=1:40:1", "--arg", "n=2000", "--static"])
        said = self.sweep(words=["--sweep", "n=1000,2000", "--sweep", "grid=1:40:1", "--static"])
        self.assertIn("40 computed, 40 were there", said)

    def test_lists_shows_and_compares_runs(self):
        self.sweep()
        self.sweep("--set", "hw.memory.bandwidth=x2")
        listed = json.loads(self.results("list", "--format", "json"))
        self.assertEqual([(run["run"], run["kind"], run["points"], run["failed"]) for run in listed],
                         [(1, "sweep", "2000", 0), (2, "sweep", "2000", 0)])
        self.assertIn("--set hw.memory.bandwidth=x2", listed[1]["command"])
        shown = self.results("show", 1, "--where", "grid=7", "--where", "n>=48000", "--order", "-n")
        lines = shown.splitlines()
        self.assertEqual([line.split()[3] for line in lines[4:7]], ["50000", "49000", "48000"], shown)
        self.assertIn("limited_by", lines[3])
        self.assertIn("the first 20", self.results("show", 1))
        differ = self.results("diff", 1, 2, "--limit", 1)
        self.assertIn("2000 points of both", differ)
        first, second = self.rows(1), self.rows(2)
        factors = {(a["grid"], a["n"]): float(b["time_ms"]) / float(a["time_ms"]) for a, b in zip(first, second)}
        changes = list(csv.DictReader(io.StringIO(self.results("diff", 1, 2, "--format", "csv", "--limit", 50))))
        self.assertEqual(min(factors.values()), float(changes[0]["factor"]))
        for row in changes:
            self.assertAlmostEqual(factors[row["grid"], row["n"]], float(row["factor"]), places=12)

    def test_exports_in_three_formats(self):
        self.sweep(words=["--sweep", "grid=1,2,3", "--arg", "n=1000", "--static"])
        rows = [row["time_ms"] for row in self.rows()]
        lines = [json.loads(line) for line in self.results("export", 1, "--format", "jsonl").splitlines()]
        whole = json.loads(self.results("export", 1, "--format", "json"))
        self.assertEqual(lines, whole)
        self.assertEqual([float(t) for t in rows], [row["time_ms"] for row in whole])
        self.assertEqual(json.loads(self.results("export", 1, "--format", "json", "--where", "grid=9")), [])

    def test_cases_are_kept_whole(self):
        cases = [{"id": i, "input": LISTING, "gpu": "gtx970", "grid": 10 + i, "block": 256, "args": {"n": 2560, "a": 3}} for i in range(4)]
        cases.append({"id": "bad", "input": "nowhere.sass", "gpu": "gtx970", "grid": 1, "block": 32})
        (self.folder / "c.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
        plain = self.run_it("predict", "--cases", "c.jsonl", code=1).stdout
        words = ("predict", "--cases", "c.jsonl", "--store", self.store)
        first = self.run_it(*words, code=1)
        self.assertEqual(first.stdout, plain)
        self.assertIn("5 computed, 0 were there, 1 failed", first.stderr)
        second = self.run_it(*words, code=1)
        self.assertEqual(second.stdout, plain)
        self.assertIn("1 computed, 4 were there, 1 failed", second.stderr)  # what failed is tried again
        self.assertEqual(json.loads(self.results("show", 1, "--point", 2)), json.loads(plain.splitlines()[2]))
        self.assertIn("nowhere.sass", self.rows()[4]["error"])

    def test_stores_are_merged_each_point_once(self):
        parts = {name: ["--sweep", grid, "--arg", "n=2000", "--static"] for name, grid in (("a", "grid=1:30:1"), ("b", "grid=21:50:1"))}
        for name, words in parts.items():
            self.run_it("sweep", *LAUNCH, *words, "--store", f"{name}.db")
        self.assertEqual(self.results("merge", "a.db", "b.db"), "a.db: 30 of 30 points added, 1 new runs\nb.db: 20 of 30 points added, 1 new runs\n")
        self.assertEqual([run["points"] for run in json.loads(self.results("list", "--format", "json"))], ["30", "30"])
        self.assertEqual(self.rows(2), list(csv.DictReader(io.StringIO(self.run_it("results", "export", 1, "--store", "b.db").stdout))))
        self.assertIn("0 computed, 50 were there", self.sweep(words=["--sweep", "grid=1:50:1", "--arg", "n=2000", "--static"]))
        # What a part got since: nothing is there twice, and a time takes the place of a failure, never the other way round.
        with sqlite3.connect(self.folder / "a.db") as part, sqlite3.connect(self.store) as whole:
            time, = part.execute("SELECT time_ms FROM points WHERE id = 7").fetchone()
            key, = part.execute("SELECT key FROM points WHERE id = 7").fetchone()
            part.execute("UPDATE points SET error = 'failed', time_ms = NULL WHERE id = 8")
            whole.execute("UPDATE points SET error = 'failed', time_ms = NULL WHERE key = ?", (key,))
        self.assertIn("a.db: 1 of 30 points added, 0 new runs", self.results("merge", "a.db"))
        with sqlite3.connect(self.store) as whole:
            self.assertEqual(whole.execute("SELECT error, time_ms FROM points WHERE key = ?", (key,)).fetchone(), (None, time))
            self.assertEqual(whole.execute("SELECT count(*), count(DISTINCT key), count(error), count(time_ms), count(input), count(gpu) FROM points").fetchone(),
                             (50, 50, 0, 50, 50, 50))
            self.assertEqual(whole.execute("SELECT count(*) FROM inputs").fetchone(), (1,))

    def test_what_cannot_be_merged_is_refused(self):
        self.sweep(words=["--sweep", "grid=1,2", "--arg", "n=2000", "--static"])
        self.assertIn("is the store itself", self.results("merge", self.store, code=1))
        (self.folder / "no.db").write_text("no store")
        self.assertIn("no.db: is no SQLite file", self.results("merge", "no.db", code=1))
        self.run_it("sweep", *LAUNCH, "--sweep", "grid=3,4", "--arg", "n=2000", "--static", "--store", "b.db")
        ran = self.run_it("results", "merge", "no.db", "b.db", "nowhere.db", "--store", "c.db", code=1)
        self.assertRegex(ran.stderr, "no.db: is no SQLite file.*\n.*nowhere.db")
        self.assertEqual(ran.stdout, "b.db: 2 of 2 points added, 1 new runs\n")
        self.check_whole(2)

    def test_a_store_that_two_processes_write_is_merged_meanwhile(self):
        words = [["sweep", *LAUNCH, "--sweep", grid, "--sweep", "n=1000:600000:1000", "--static", "--store", "live.db", "-q"] for grid in ("grid=1:60:1", "grid=31:90:1")]
        writers = [subprocess.Popen([PROGRAM, *w], cwd=self.folder) for w in words]
        counts = []
        while any(writer.poll() is None for writer in writers):
            if (self.folder / "live.db").exists() and (self.folder / "live.db-shm").exists():
                ran = subprocess.run([PROGRAM, "results", "merge", "live.db", "--store", self.store], capture_output=True, text=True, check=False, cwd=self.folder)
                if ran.returncode == 0:
                    counts.append(int(ran.stdout.split()[3]))
                else:  # it is just being made, or closed
                    self.assertRegex(ran.stderr, "is an empty file|was changed while|left within|cannot be opened")
        self.assertEqual([writer.wait() for writer in writers], [0, 0])
        self.assertGreater(len(counts), 1)
        self.assertEqual(counts, sorted(counts))
        self.results("merge", "live.db")
        for name in ("live.db", self.store):
            with closing(sqlite3.connect(self.folder / name)) as whole:
                self.assertEqual(whole.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
                self.assertEqual(whole.execute("SELECT count(*), count(DISTINCT key), count(time_ms) FROM points").fetchone(), (54_000, 54_000, 54_000))
                self.assertEqual(whole.execute("SELECT count(*) FROM members GROUP BY run").fetchall(), [(36_000,), (36_000,)])

    def test_a_validation_is_kept(self):
        cases = [{"id": i, "input": LISTING, "gpu": "gtx970", "grid": 100 + i, "block": 256, "args": {"n": 25600, "a": 1},
                  "measured_ms": 0.01} for i in range(6)]
        (self.folder / "m.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
        words = ("validate", "m.jsonl", "--static", "--format", "json")
        plain = json.loads(self.run_it(*words).stdout)
        for _ in range(2):
            kept = json.loads(self.run_it(*words, "--store", self.store).stdout)
            self.assertEqual(kept["sets"][0]["points"], plain["sets"][0]["points"])
        self.assertEqual([(row["measured_ms"], row["error"]) for row in self.rows()], [("0.01", "")] * 6)
        self.check_whole(6)

    def refused(self, *words, code=1):
        line = self.run_it(*words, code=code).stderr
        self.assertRegex(line, r"\Aforewarp: [^\n]+\n\Z")
        return line

    def test_refusals_are_one_line(self):
        self.assertIn("cannot be opened", self.refused("results", "list", "--store", "none.db"))
        self.assertIn("--store", self.refused("results", "list", code=2))
        self.assertIn("is a folder", self.refused("results", "list", "--store", "."))
        (self.folder / "t.txt").write_text("words\n" * 1000)
        self.assertIn("is no SQLite file", self.refused("sweep", *LAUNCH, *MANY, "--store", "t.txt"))
        self.assertIn("cannot be combined with one launch", self.refused("predict", *LAUNCH, "--grid", "3", "--store", "x.db"))
        self.assertIn("nothing is swept", self.refused("sweep", *LAUNCH, "--grid", "3"))
        self.sweep()
        self.assertIn("has no run 4; expected 1 to 1", self.refused("results", "show", "4", "--store", self.store))
        self.assertIn("is no column of run 1", self.refused("results", "show", "1", "--where", "x=1", "--store", self.store))
        self.assertIn("cannot be combined with --store", self.refused("sweep", *LAUNCH, *MANY, "--store", self.store, "--format", "html"))

    def test_a_disk_that_is_full_is_one_line(self):
        # A limit on the size of files stands in for the disk; the signal that it sends is ignored.
        limited = f"trap '' XFSZ; ulimit -f 200; exec {STUDY} sweep {' '.join(LAUNCH)} --sweep grid=1:100:1 --sweep n=1:1000:1 --static --store {self.store}"
        ran = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertRegex(ran.stderr.splitlines()[-1], r"\Aforewarp: .*r\.db: ")

    def test_killed_runs_go_on_and_every_point_is_there_once(self):
        self.kill_and_go_on([str(STUDY)], 4)
        self.check_whole(2000)

    def kill_and_go_on(self, program, kills):
        drawn = random.Random(1)
        words = [*program, "sweep", *LAUNCH, *MANY, "--store", str(self.store), "-q"]
        for _ in range(kills):
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(drawn.uniform(0.02, 0.5))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.run_it(*words[1:], program=words[0])


@needs(built("forewarp-study", PROGRAM))
class Array(Stored):
    """Tasks of the example job array, without Slurm."""

    def setUp(self):
        super().setUp()
        self.ask(20)

    def ask(self, count):
        cases = [{"id": i, "input": LISTING, "gpu": "gtx970", "grid": 10 + i, "block": 256, "args": {"n": 2560, "a": 3}} for i in range(count)]
        (self.folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))

    def task(self, task, ids, *parts, job=7, restarts=0, code=0):
        environment = dict(os.environ, FOREWARP=str(PROGRAM), SLURM_JOB_ID=str(job), SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT=str(len(ids)),
                           SLURM_ARRAY_TASK_MIN=str(min(ids)), SLURM_ARRAY_TASK_MAX=str(max(ids)), SLURM_RESTART_COUNT=str(restarts))
        ran = subprocess.run(["bash", ROOT / "examples" / "slurm" / "predict.sbatch", "cases.jsonl", "parts", *map(str, parts)], env=environment, cwd=self.folder,
                             capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, code, ran.stderr + "".join(log.read_text() for log in self.folder.glob("parts/*.log")))
        return ran.stderr

    def kept(self, name):
        with closing(sqlite3.connect(self.folder / "parts" / name)) as store:
            return sorted(int(json.loads(axes)[0]) for axes, in store.execute("SELECT axes FROM members"))

    def log(self, task, parts):
        return (self.folder / "parts" / f"part-{task}-of-{parts}.log").read_text()

    def test_each_case_is_of_one_task_whatever_ids_are_asked_again(self):
        for task in (1, 2, 3):
            self.task(task, [1, 2, 3])
        shares = [self.kept(f"part-{task}-of-3-7-0.db") for task in (1, 2, 3)]
        self.assertEqual(sorted(sum(shares, [])), list(range(20)))
        self.task(3, [1, 3], 3, job=8)
        self.assertEqual(self.kept("part-3-of-3-8-0.db"), shares[2])
        self.assertIn("0 computed, 6 were there", self.log(3, 3))
        self.results("merge", *sorted(self.folder.glob("parts/part-*.db")))
        self.assertIn("0 computed, 20 were there", self.run_it("predict", "--cases", "cases.jsonl", "--store", self.store).stderr)

    def test_ids_that_are_no_parts_are_refused(self):
        for task, ids, parts in ((3, [1, 3, 5], ()), (2, [2, 3], ()), (0, [0, 1], ()), (4, [4], (3,)), (0, [0], (3,))):
            self.assertIn("use --array=1-N", self.task(task, ids, *parts, code=2))
        self.assertFalse((self.folder / "parts").exists())

    def test_a_share_of_another_size_or_of_other_cases_is_not_taken(self):
        self.task(2, [1, 2])
        self.task(2, [1, 2, 3, 4])
        self.assertEqual(self.kept("part-2-of-4-7-0.db"), [1, 5, 9, 13, 17])
        self.ask(12)
        self.task(2, [1, 2, 3, 4], job=8)
        self.assertEqual(self.kept("part-2-of-4-8-0.db"), [1, 5, 9])

    def test_a_task_that_starts_again_writes_another_store_and_goes_on(self):
        self.task(1, [1, 2])
        self.assertNotIn("left out", self.log(1, 2))
        first = self.folder / "parts" / "part-1-of-2-7-0.db"
        with closing(sqlite3.connect(first)) as store, store:
            store.execute("UPDATE runs SET ended = NULL")
            store.execute("DELETE FROM members WHERE number > 3")
            store.execute("DELETE FROM points WHERE id NOT IN (SELECT point FROM members)")
        (self.folder / "parts" / "part-1-of-2-6-0.db").write_text("")
        (self.folder / "parts" / "part-1-of-2-6-1.db").write_text("damaged")
        before = first.read_bytes()
        self.task(1, [1, 2], restarts=1)
        self.assertIn("6 computed, 4 were there", self.log(1, 2))
        self.assertIn("part-1-of-2-6-1.db is left out", self.log(1, 2))
        self.assertEqual(first.read_bytes(), before)
        self.assertEqual(self.kept("part-1-of-2-7-1.db"), list(range(0, 20, 2)))
        self.results("merge", "parts/part-1-of-2-7-1.db", first)
        self.assertEqual([run["points"] for run in json.loads(self.results("list", "--format", "json"))], ["10"])


@needs(ranks(PROGRAM))
class Ranks(Stored):
    def ranks(self, count):
        return ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(count), str(STUDY)]

    def test_any_number_of_ranks_keeps_the_same_points(self):
        said = []
        for count in (1, 2, 4):
            self.store = self.folder / f"{count}.db"
            words = self.ranks(count) + ["sweep", *LAUNCH, *MANY, "--store", self.store]
            self.assertIn("2000 computed", self.run_it(*words[1:], program=words[0]).stderr)
            said.append(self.results("export", 1))
            self.check_whole(2000)
        self.store = self.folder / "threads.db"
        self.sweep("-j", "2")
        self.assertEqual({*said}, {self.results("export", 1)})

    def test_what_refuses_the_command_is_said_once(self):
        words = self.ranks(3) + ["sweep", "nowhere.sass", "--gpu", "gtx970", "--block", "32", "--sweep", "grid=1,2", "--store", self.store]
        ran = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(len([line for line in ran.stderr.splitlines() if line.startswith("forewarp")]), 1, ran.stderr)


if __name__ == "__main__":
    unittest.main()
