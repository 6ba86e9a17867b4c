#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Suites of forewarp simulate, and queues: simulation_suites_test.py PROGRAM"""
import csv
import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from needs import built, ranks, want
from simulating import ROOT, System, main

BOARDS = """
base_w = 1
[[component]]
name = "u"
kind = "cpu"
performance = 1e9
failures_per_hour = 36
power = { active_w = 10 }
labels = { L = 1 }
"""
WORK = 'local v = sim.variables{n = 1.0}\nsim.process("L", function() sim.compute{operations = v.n * 1e9} end)\n'


class Suites(System):
    def setUp(self):
        super().setUp()
        self.study = Path(self.program).parent / "forewarp-study"
        want(self, built("forewarp-study", self.program))
        self.system, self.app = self.write("system.toml", BOARDS), self.write("app.lua", WORK)

    def table(self, *more, code=0, program=None, **options):
        words = ["simulate", self.system, self.app, *more, "--format", "csv", "-q"]
        ran = subprocess.run([*(program or [self.program]), *map(str, words)], capture_output=True, text=True, check=False, **options)
        self.assertEqual(ran.returncode, code, ran.stderr + ran.stdout)
        return list(csv.DictReader(io.StringIO(ran.stdout))), ran

    def test_variables_and_hardware(self):
        rows, _ = self.table("--sweep", "n=1:3:1", "--sweep", "system.u.performance=1e9,2e9")
        self.assertEqual([(row["n"], row["system.u.performance"]) for row in rows],
                         [(n, p) for n in "123" for p in ("1000000000", "2000000000")])
        for row in rows:
            self.assertAlmostEqual(float(row["time_ms"]), 1e12 * float(row["n"]) / float(row["system.u.performance"]), places=6)

    def test_another_board(self):
        """A kernel on two boards that follow each other: no word of the application changes."""
        self.system = self.write("boards.toml", '[[component]]\nname = "gpu"\nkind = "gpu"\nhardware = "gtx970"\nlabels = { P = 1 }\n')
        self.app = self.write("kernel.lua", f"""sim.process("P", function() sim.kernel{{input = "{ROOT / 'examples' / 'saxpy2.sass'}", grid = 15625, block = 256,
  args = {{n = 4e6, a = 16, x = {{buffer = 16000000}}, y = {{buffer = 16000000}}}}}} end)""")
        rows, _ = self.table("--sweep", "system.gpu.hardware=gtx970,titanx")
        self.assertEqual([row["system.gpu.hardware"] for row in rows], ["gtx970", "titanx"])
        for row in rows:
            alone, _ = self.table("--change", f"gpu.hardware={row['system.gpu.hardware']}", "--sweep", "system.gpu.count=1")
            self.assertEqual(alone[0]["time_ms"], row["time_ms"])
        self.assertGreater(float(rows[0]["time_ms"]), 1.2 * float(rows[1]["time_ms"]))

    def test_labels(self):
        """How many processes of a label a unit runs, swept like any other number: each draws its 10 W for a second."""
        rows, _ = self.table("--sweep", "system.u.labels.L=1,2,3")
        energies = [float(row["energy_ws"]) for row in rows]
        for processes, (row, energy) in enumerate(zip(rows, energies), 1):
            self.assertAlmostEqual(float(row["time_ms"]), 1000, places=6)
            self.assertAlmostEqual(energy, 1 + 10 * processes, places=6)

    def test_front(self):
        """Time 1 / p, energy (watts + 1 base) / p: faster boards with 5, 10 and 40 W."""
        rows, _ = self.table("--sweep", "system.u.performance=1e9,2e9", "--sweep", "system.u.power.active_w=5,10,40")
        best = {(row["system.u.performance"], row["system.u.power.active_w"]) for row in rows if row["best"] == "yes"}
        self.assertEqual(best, {("2000000000", "5")})
        rows, _ = self.table("--sweep", "system.u.performance=1e9,2e9", "--sweep", "system.u.failures_per_hour=36,7")
        best = {(row["system.u.performance"], row["system.u.failures_per_hour"]) for row in rows if row["best"] == "yes"}
        self.assertEqual(best, {("2000000000", "7")})

    def test_a_front_of_several(self):
        """A quicker unit that draws more: neither beats the other. Twice the work is beaten in all."""
        model = 'function compute_time(p) return p.n / quick end\nfunction active_power(p) return 10 * quick ^ 2 end\n'
        self.write("unit.lua", model)
        self.system.write_text(BOARDS.replace("labels", 'model = "unit.lua"\nattributes = { quick = 1 }\nlabels').replace("base_w = 1", "base_w = 0"), encoding="utf-8")
        self.app.write_text('local v = sim.variables{n = 1}\nsim.process("L", function() sim.compute{n = v.n} end)\n', encoding="utf-8")
        rows, _ = self.table("--sweep", "n=1,2", "--sweep", "system.u.attributes.quick=1,2")
        self.assertEqual([row["best"] for row in rows], ["yes", "yes", "no", "no"])  # n = 2 at 2: as quick as n = 1 at 1, four times the energy

    def test_runs_that_fail(self):
        rows, ran = self.table("--sweep", "n=1,x", code=1)
        self.assertEqual([bool(row["error"]) for row in rows], [False, True])
        self.assertIn("'x' is not what the variable holds", rows[1]["error"])

    def test_a_store_keeps_runs(self):
        store = self.at / "runs.db"
        words = ("--sweep", "n=1:4:1", "--store", store)
        first, _ = self.table(*words)
        begin = time.monotonic()
        again, _ = self.table(*words)
        self.assertEqual(first, again)
        self.assertLess(time.monotonic() - begin, 10)
        ran = self.forewarp("results", "list", "--store", store)
        self.assertIn("simulate", ran.stdout)
        ran = self.forewarp("results", "show", "1", "--store", store, "--columns", "n,time_ms,model")
        self.assertIn("simulation", ran.stdout)

    def test_the_same_on_one_and_several_ranks(self):
        want(self, ranks(self.program))
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        alone, _ = self.table("--sweep", "n=1:20:1")
        shared, _ = self.table("--sweep", "n=1:20:1", program=["mpirun", "-n", "4", "--oversubscribe", str(self.study)], env=environment)
        self.assertEqual(alone, shared)

    def test_a_queue(self):
        environment = {**os.environ, "FOREWARP_QUEUES": str(self.at / "queues")}
        with subprocess.Popen([self.program, "queue", "work", "night", "--idle", "8"], env=environment, stderr=subprocess.PIPE, text=True) as worker:
            deadline = time.monotonic() + 20
            while "1 workers" not in self.forewarp("queue", "list", "night", env=environment).stdout and time.monotonic() < deadline:
                time.sleep(0.05)
            rows, ran = self.table("--sweep", "n=1:5:1", "--queue", "night", env=environment)
            self.assertNotIn("no worker", ran.stderr)
            self.assertEqual([float(row["time_ms"]) for row in rows], [1000, 2000, 3000, 4000, 5000])
            self.assertIn("5 runs of the queue 'night'", worker.communicate()[1])

    def test_several_workers_share_a_queue(self):
        """Each run is computed once, whoever takes it, and the table is that of a run without a queue."""
        environment = {**os.environ, "FOREWARP_QUEUES": str(self.at / "queues")}
        words = [self.program, "queue", "work", "shared", "--idle", "8"]
        workers = [subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        deadline = time.monotonic() + 30
        while "2 workers" not in self.forewarp("queue", "list", "shared", env=environment).stdout and time.monotonic() < deadline:
            time.sleep(0.05)
        rows, ran = self.table("--sweep", "n=1:12:1", "--queue", "shared", "-j", "4", env=environment)
        self.assertNotIn("no worker", ran.stderr)
        self.assertEqual([float(row["time_ms"]) for row in rows], [1000 * n for n in range(1, 13)])
        done = [int(worker.communicate()[1].split("forewarp: ")[1].split(" runs of the queue 'shared'")[0]) for worker in workers]
        self.assertEqual(sum(done), 12)
        self.assertGreater(min(done), 0)

    def test_a_worker_sees_whole_runs_only(self):
        """Whatever lies among the runs that wait is taken: a file that is being written must not lie there."""
        environment = {**os.environ, "FOREWARP_QUEUES": str(self.at / "queues")}
        waiting = self.at / "queues" / "whole" / "waiting"
        waiting.mkdir(parents=True)
        words = [self.program, "simulate", str(self.system), str(self.app), "--sweep", "n=1:200:1", "--queue", "whole", "-j", "64", "-q"]
        seen = set()
        with subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as asker:
            deadline = time.monotonic() + 20
            while len(os.listdir(waiting)) < 64 and time.monotonic() < deadline:
                seen.update(os.listdir(waiting))
            asker.terminate()
        self.assertGreaterEqual(len(seen), 32)
        self.assertEqual([name for name in seen if not re.search(r"-\d+-\d+$", name)], [])

    def test_a_queue_without_workers_warns(self):
        environment = {**os.environ, "FOREWARP_QUEUES": str(self.at / "queues")}
        words = [self.program, "simulate", str(self.system), str(self.app), "--sweep", "n=1,2", "--queue", "empty", "--format", "csv", "-q"]
        with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as asker:
            line = asker.stderr.readline()
            self.assertIn("warning: the queue 'empty' has no worker: its runs wait until one begins with forewarp queue work empty", line)
            self.assertIsNone(asker.poll())
            self.forewarp("queue", "work", "empty", "--idle", "3", env=environment)
            self.assertEqual(len(asker.communicate()[0].splitlines()), 3)

    def test_refusals(self):
        for words, expected in ((["--sweep", "n"], "--sweep n: has no name and values; expected NAME=A,B,C or NAME=FROM:TO:STEP"),
                                (["--sweep", "n=1,2", "--sweep", "n=3"], "'n' is swept twice"),
                                (["--sweep", "n=1:3:0"], "never reaches its end"),
                                (["--sweep", "n=1,2", "--queue", "a b"], "the queue 'a b': has no such name"),
                                (["--sweep", "n=1,2", "--trace", "t.json"], "--trace: is of one run; expected no --sweep beside it")):
            self.assertIn(expected, self.forewarp("simulate", self.system, self.app, *words, code=1).stderr)

    def test_changes(self):
        for change, expected in (("u", "--change u: has no name and value; expected NAME.KEY=VALUE"),
                                 ("w.count=2", "--change w.count=2: nothing is called 'w'; expected u; did you mean 'u'?"),
                                 ("u.cuont=2", "'component[0].cuont' is not a key here")):
            self.assertIn(expected, self.forewarp("simulate", self.system, self.app, "--change", change, code=1).stderr)


main(sys.argv)
