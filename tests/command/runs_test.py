#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics of many runs, measured or predicted: runs_test.py PROGRAM"""
import json
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)


def run(*arguments, text=""):
    return subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True, check=False, cwd=ROOT)


class Runs(unittest.TestCase):
    def test_measured_runs_against_a_bound(self):
        measured = "cycles\n" + "\n".join(["3410"] * 193 + ["3600"] * 5 + ["4004"] * 2)
        found = json.loads(run("runs", "-", "--bound", "3510", "--gap", "50", "--format", "json", text=measured).stdout)
        self.assertEqual((found["runs"], found["covered"], found["coverage"]), (200, 193, 0.965))
        self.assertEqual(([c["count"] for c in found["clusters"]], found["exceptions"]), ([193, 5, 2], 7))
        self.assertEqual((found["best"], found["worst"]), (3410, 4004))

    def test_predicted_runs_of_a_sweep(self):
        swept = run("predict", "tests/fixtures/asfermi/clocked.asfermi", "--kernel", "dependent", "--gpu", "gtx470", "--grid", "1",
                    "--arg", "0=buffer:4096", "--model", "sim", "--sweep", "block=32:512:32", "--format", "csv")
        self.assertEqual(swept.returncode, 0, swept.stderr)
        found = json.loads(run("runs", "-", "--format", "json", text=swept.stdout).stdout)
        self.assertEqual(found["runs"], 16)
        self.assertLess(found["best"], found["worst"])

    def test_the_text(self):
        shown = run("runs", "-", "--bound", "3", "--bins", "2", text="t\n1\n2\n4\n").stdout
        self.assertIn("bound       3  covers 2 of 3 (66.7 %)", shown)
        self.assertIn("histogram: runs, and share up to there", shown)

    def test_refusals(self):
        for arguments, line in ((["--bins", "0"], "--bins: 0; expected 1 to 1000"),
                                (["--bound", "x"], "--bound: 'x'; expected a number from 0 on, in the unit of the runs"),
                                (["--format", "csv"], "--format csv: is not a format of runs; expected text, json"),
                                (["--column", "u"], "-: has no column 'u'; expected one of t; name it with --column")):
            ran = run("runs", "-", *arguments, text="t\n1\n")
            self.assertEqual((ran.returncode, ran.stderr), (1, f"forewarp: {line}\n"))


if __name__ == "__main__":
    unittest.main()
