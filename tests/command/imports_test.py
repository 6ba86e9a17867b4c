#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Measurements of other tools as a user gives them to forewarp validate: imports_test.py PROGRAM"""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from needs import TOOLKIT, needs

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
PROGRAM = sys.argv.pop(1)


def validate(*words):
    done = subprocess.run([PROGRAM, "validate", *map(str, words), "--format", "json", "-q"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["sets"][0]


class Exports(unittest.TestCase):
    CODE = ["--code", FIXTURES / "listings" / "saxpy.sm_75.sass", "--arg", "n=1048576"]

    def test_counters_of_nsight_compute(self):
        told = validate(FIXTURES / "exports" / "ncu_details.csv", "--gpu", "rtx2080ti", "--counters", *self.CODE)
        self.assertEqual([round(p["measured_ms"], 9) for p in told["points"]], [0.02451, 0.024832])
        lines = {line["counter"]: line for line in told["counters"]}
        # 32768 warps of 14 instructions each
        self.assertEqual(told["points"][0]["counters"]["warp instructions"], [14 * 32768, 14 * 32768])
        self.assertTrue(lines["warp instructions"]["holds"])
        self.assertTrue(lines["DRAM read bytes"]["holds"])

    def test_a_trace_names_its_board(self):
        told = validate(FIXTURES / "exports" / "nsys_trace.csv", *self.CODE)
        self.assertEqual([p["gpu"] for p in told["points"]], ["rtx2080ti"] * 2)
        self.assertEqual([p["error"] for p in told["points"]], ["", ""])

    def test_metrics_without_a_time_are_not_scored(self):
        with tempfile.TemporaryDirectory() as folder:
            launch = Path(folder) / "launch.toml"
            launch.write_text("grid = 4096\nblock = 256\nargs = {n = 1048576}\n")
            told = validate(FIXTURES / "exports" / "nvprof_metrics.csv", "--launch", launch, "--counters",
                            "--code", FIXTURES / "listings" / "saxpy.sm_70.sass")
        self.assertEqual(told["lines"][0]["points"], 0)
        self.assertEqual(told["lines"][0]["refused"], 0)
        self.assertTrue(all(line["holds"] for line in told["counters"]))


class Tuners(unittest.TestCase):
    @needs(TOOLKIT)
    def test_a_cache_file_and_results(self):
        for name, points in (("axpy-cache.json", 1), ("axpy-results.json", 2)):
            told = validate(FIXTURES / "tuning" / name)
            self.assertEqual([p["error"] for p in told["points"]], [""] * points)
            self.assertEqual({p["kernel"] for p in told["points"]}, {"axpy_tuned"})


if __name__ == "__main__":
    unittest.main()
