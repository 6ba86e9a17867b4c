#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Upper bounds as a user asks for them: wcet_test.py PROGRAM"""
import json
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
FIXTURES = ROOT / "tests/fixtures/asfermi"
LOOP = [str(FIXTURES / "loop.asfermi"), "--gpu", "gtx470", "--arg", "0=buffer:4096", "--wcet"]
# Voudouris 2014, Tables 8, 9 and 17: instructions of a warp by class.
ROWS = ["dep=1", "ind=78", "lds=40", "sts=9", "st=9", "ld=8"]
COLUMNS = ["dep=21", "ind=57", "lds=7", "sts=3", "st=2", "ld=5"]
STORE_PART = ["dep=21", "ind=16", "lds=0", "sts=0", "st=8", "ld=0"]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False,
                          cwd=ROOT)


def bound_of_counts(*counts):
    ran = run("model", "calc", "wcet", "--gpu", "gtx470", *counts)
    assert ran.returncode == 0, ran.stderr
    return {name: float(value) for name, value in map(str.split, ran.stdout.splitlines())}


def worst(*arguments):
    ran = run("predict", *arguments, "--format", "json")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)["wcet"]


class Wcet(unittest.TestCase):
    def refusal(self, *arguments):
        ran = run("predict", *arguments)
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(ran.stdout, "")
        return ran.stderr

    # 22 + 78*6 + 40*26 + 9*30 + 8*500 + 9*134 and so on; measured at most: 4004, 3426 and 616 + 300.
    def test_bounds_of_counts_lie_above_what_was_measured(self):
        for counts, cycles, measured in ((ROWS, 7006, 4004), (COLUMNS, 3844, 3426),
                                         (STORE_PART, 1630, 916)):
            self.assertEqual(bound_of_counts(*counts)["cycles"], cycles)
            self.assertGreaterEqual(cycles, measured)

    def test_conflicts_count_by_their_degree(self):
        one = bound_of_counts(*ROWS)
        two = bound_of_counts(*ROWS, "degree=2")
        self.assertEqual(two["cycles"] - one["cycles"], 40 * 26 + 9 * 30)

    # Ten passes: LDS 26, then the sums; region by region it is the whole.
    def test_one_warp_along_its_way(self):
        found = worst(*LOOP, "--grid", "1", "--block", "32")
        self.assertEqual((found["path"], found["warps"]), ("executed", 1))
        self.assertEqual(found["interference_cycles"], 0)
        self.assertEqual(sum(r["cycles"] for r in found["per_region"]), found["cycles"])
        self.assertEqual(sum(c["cycles"] for c in found["components"]), found["cycles"])
        self.assertAlmostEqual(found["time_ms"], found["cycles"] / 1215e3, places=12)
        self.assertEqual((found["component"], found["class"]),
                         ("write buffer", "limited-information"))

    def test_more_warps_take_longer_and_all_ways_longest(self):
        cycles = [worst(*LOOP, "--grid", "1", "--block", str(32 * w))["cycles"] for w in (1, 2, 6)]
        self.assertEqual(cycles, sorted(cycles))
        feasible = worst(*LOOP, "--grid", "1", "--block", "32", "--static")
        self.assertEqual(feasible["path"], "feasible")
        self.assertGreater(feasible["cycles"], cycles[0])

    def test_a_conflict_is_seen(self):
        source = FIXTURES.joinpath("loop.asfermi").read_text()
        # Word 32 t: all lanes in one bank; the first pass alone costs 31 * 26 more.
        source = source.replace("SHL R1, R0, 2", "SHL R1, R0, 7").replace("!Shared 0x1000",
                                                                          "!Shared 0x2000")
        ran = subprocess.run([PROGRAM, "predict", "-", *LOOP[1:], "--grid", "1", "--block", "32",
                              "--format", "json"], input=source, capture_output=True, text=True,
                             check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        alike = worst(*LOOP, "--grid", "1", "--block", "32")["cycles"]
        self.assertEqual(json.loads(ran.stdout)["wcet"]["cycles"] - alike, 10 * 31 * 26)

    def test_clock_reads_end_regions(self):
        found = worst(str(FIXTURES / "clocked.asfermi"), "--kernel", "dependent", "--gpu", "gtx470",
                      "--arg", "0=buffer:4096", "--grid", "1", "--block", "32", "--wcet")
        region = {(r["begin"], r["end"]): r["longest"] for r in found["per_region"]}
        self.assertEqual(region[0x10, 0x30], 48)

    def test_outside_its_assumptions_it_says_why(self):
        one = ["--grid", "1", "--block", "32"]
        self.assertIn("2 blocks interfere with each other, and no bound of that is known (interconnect and off-chip "
                      "memory, limited-information", self.refusal(*LOOP, "--grid", "2", "--block", "32"))
        self.assertIn("7 warps on an SM have no proven bound (warp scheduler with a choice, "
                      "limited-information", self.refusal(*LOOP, "--grid", "1", "--block", "224"))
        saxpy = ["examples/saxpy2.sass", "--gpu", "gtx970", *one, "--arg", "n=4", "--arg", "a=3"]
        self.assertIn("gtx970: has no worst-case cycles (compute capability 5.2)",
                      self.refusal(*saxpy, "--wcet"))
        self.assertIn("--wcet: cannot be combined with --sweep",
                      self.refusal(*LOOP, "--grid", "1", "--sweep", "block=32:64:32"))

    def test_unknown_loops_are_refused(self):
        source = ("!Kernel k\n!Param 8\nMOV R2, c[0x0][0x20]\nMOV R3, c[0x0][0x24]\n"
                  "LD.E R1, [R2]\n!Label again\nIADD R1, R1, -1\nISETP.NE.AND P0, PT, R1, RZ, PT\n"
                  "@P0 BRA again\nEXIT\n!EndKernel\n")

        def ask(*more):
            return subprocess.run([PROGRAM, "predict", "-", "--gpu", "gtx470", "--grid", "1",
                                   "--block", "32", "--wcet", *more],
                                  input=source, capture_output=True, text=True, check=False)
        refused = ask()
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--trip 0x0018=N", refused.stderr)
        # Head 18 + 18 + 810; 8 passes of 18 + 18 + 22 + 32; end 18 + 32: --trip counts the latch.
        known = ask("--trip", "0x18=7", "--format", "json")
        self.assertEqual(known.returncode, 0, known.stderr)
        found = json.loads(known.stdout)["wcet"]
        self.assertEqual(found["path"], "feasible")
        self.assertEqual(found["cycles"], (18 + 6 + 6 + 12 + 810) + 8 * 90 + 50)

    def test_the_view(self):
        ran = run("predict", *LOOP, "--grid", "1", "--block", "32")
        self.assertIn("upper bound\n  at most", ran.stdout)
        self.assertIn("assumed: nothing else runs on the GPU", ran.stdout)
        plain = run("predict", *LOOP[:-1], "--grid", "1", "--block", "32", "--view", "wcet")
        self.assertIn("no upper bound was asked for: --wcet", plain.stdout)


if __name__ == "__main__":
    unittest.main()
