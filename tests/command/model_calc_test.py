#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Formulas on given numbers and on a GPU's files, as a user runs them: model_calc_test.py PROGRAM"""
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
ROWS = ["dep=1", "ind=78", "lds=41", "sts=9", "st=9", "ld=8"]
COLUMNS = ["dep=21", "ind=57", "lds=7", "sts=3", "st=2", "ld=5"]


def run(*arguments):
    return subprocess.run([PROGRAM, "model", *arguments], capture_output=True, text=True,
                          check=False, cwd=ROOT)


def calc(*arguments):
    ran = run("calc", *arguments)
    assert ran.returncode == 0, ran.stderr
    return {name: float(value) for name, value in map(str.split, ran.stdout.splitlines())}


class ModelCalc(unittest.TestCase):
    def refusal(self, *arguments):
        ran = run(*arguments)
        self.assertEqual((ran.returncode, ran.stdout), (1, ""), ran.stderr)
        return ran.stderr

    def test_counts_and_cycles_are_not_negative(self):
        words = ["bsp", "comp=1", "comm_gm=1", "comm_sm=1", "clock_ghz=1", "cores=1"]
        self.assertIn("model calc bsp: 'threads=-1'; expected a number not below 0", self.refusal("calc", *words, "threads=-1"))
        knee = ["knee", "latency=100", "memory=4", "issue=2", "issue_step=1"]
        self.assertEqual(calc(*knee, "latency_step=-10", "intensity=1")["occupancy"], 90 / 4)

    # Voudouris 2014, Tables 10 and 11: preset h1 and the latencies of his Table 12.
    def test_best_and_worst_case_of_one_warp(self):
        h1 = ["voudouris", "--gpu", "gtx470", "preset=h1"]
        rows = calc(*h1, *ROWS, "ld_worst=400")
        self.assertEqual((rows["best_cycles"], rows["worst_cycles"]), (2856, 5544))
        columns = calc(*h1, *COLUMNS, "ld_worst=470")
        self.assertEqual((columns["best_cycles"], columns["worst_cycles"]), (1428, 3458))

    # His Table 7 alone, without what Table 12 says of loads: 34 of a store, 370 and 500 of a load, 40 loads of shared memory.
    def test_table_7_as_it_is(self):
        for counts, cycles in ((ROWS, (2614, 5062, 6102)), (COLUMNS, (1380, 2910, 3560))):
            plain = calc("voudouris", "--gpu", "gtx470", *[w.replace("lds=41", "lds=40") for w in counts], "hidden=0")
            self.assertEqual((plain["best_cycles"], plain["average_cycles"], plain["worst_cycles"]), cycles)

    # The average follows only from what was hidden, which he does not print: an input.
    def test_average_case_with_its_two_inputs(self):
        h1 = ["voudouris", "--gpu", "gtx470", "preset=h1"]
        rows = calc(*h1, *ROWS, "ld_cycles=400", "hidden=2034")
        columns = calc(*h1, *COLUMNS, "ld_cycles=470", "hidden=230")
        self.assertEqual((rows["average_cycles"], columns["average_cycles"]), (3510, 3228))

    # The report's cycles are data: 2^20 (24 + 3 * 500)/1.2e9 s, and with one load in L2 (24 + 2 * 500 + 250).
    def test_counting_takes_its_cycles_from_the_data(self):
        add = ["counting", "threads=1048576", "additions=1", "loads=2", "stores=1", "clock_ghz=1.2"]
        self.assertAlmostEqual(calc(*add, "--gpu", "titanv")["ms"], 1331.69152, places=4)
        self.assertAlmostEqual(calc(*add, "--gpu", "k40", "l2_hits=1")["ms"], 1113.23818667, places=4)
        self.assertIn("input 'fused_cycles' is missing", self.refusal("calc", *add))

    def test_mwp_cwp_beside_it(self):
        """Table 12: latency / 4 warps overlap by their departure delay, 133.9 / (0.607 x 128 / latency) by bandwidth."""
        for preset, cycles, latency in (("table12_rows", 3492, 400), ("table12_columns", 2540, 470)):
            found = calc("mwp-cwp", "--gpu", "gtx470", f"preset={preset}")
            self.assertEqual(found["total_cycles"], cycles)
            self.assertEqual(found["mwp_without_bw"], latency / 4)
            self.assertAlmostEqual(found["mwp_peak_bw"], 133.9 / (0.607 * 128 / latency), places=6)
        scattered = calc("mwp-cwp", "--gpu", "gtx470", "preset=table12_rows", "coalesced=0", "uncoalesced=8")
        self.assertEqual(scattered["departure_delay"], 32 * 10)  # transactions, each departing by itself

    # Both are linear in the latency of a load: MWP rises by 8 and 5 cycles a cycle.
    def test_sensitivity_to_the_load_latency(self):
        for preset, slope in (("table12_rows", 8), ("table12_columns", 5)):
            at = [calc("mwp-cwp", "--gpu", "gtx470", f"preset={preset}", f"mem_lat={latency}")
                  ["total_cycles"] for latency in (300, 400, 500)]
            self.assertEqual([at[1] - at[0], at[2] - at[1]], [100 * slope, 100 * slope])

    def test_parameters_of_a_formula_and_what_is_missing(self):
        ran = run("parameters", "gpuperf", "--gpu", "k40")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertRegex(ran.stdout, r"(?m)^simd_lanes +192 lanes/SM +Volkov 2016, Table 2.6 ")
        self.assertIn("not in the files of k40: barrier_factor, departure\n", ran.stdout)

    def test_refusals_name_the_way_out(self):
        self.assertIn("expected h1", self.refusal("calc", "voudouris", "--gpu", "gtx470", "preset=x"))
        self.assertIn("expected no preset: it has none for this formula",
                      self.refusal("calc", "voudouris", "--gpu", "gtx970", "preset=h1"))
        self.assertIn("expected --gpu ID", self.refusal("calc", "voudouris", "preset=h1"))
        self.assertIn("input 'dep_cycles' is missing", self.refusal("calc", "voudouris", *ROWS))
        for number in ("nan", "inf"):
            self.assertIn("expected NAME=NUMBER, finite", self.refusal("calc", "little", "items=1", "interval=1", f"latency={number}"))
            self.assertIn("expected NAME=NUMBER, finite", self.refusal("calc", "volkov-basic", f"warps={number}", "compute=1", "memory=1", "compute_latency=1", "memory_latency=1"))
        self.assertIn("no formula is named 'x'", self.refusal("parameters", "x", "--gpu", "k40"))

    def test_a_model_that_has_no_time_is_refused_with_its_reason(self):
        ran = subprocess.run([PROGRAM, "predict", "examples/saxpy2.sass", "--gpu", "gtx970", "--grid",
                              "10", "--block", "256", "--arg", "n=2560", "--arg", "a=3", "--model",
                              "voudouris"], capture_output=True, text=True, check=False, cwd=ROOT)
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertIn("the model voudouris gives no time for it on NVIDIA GeForce GTX 970: "
                      "its GPU's files hold no cycles per class", ran.stderr)


if __name__ == "__main__":
    unittest.main()
