#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Calibration as a user meets it: calibrate_test.py PROGRAM

The "measurements" are the thesis's own predictions at lambda 0.703787: that is what must come out."""
import csv
import json
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
LAMBDA = 0.703787


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=ROOT)


def published():
    """a -> ms on the GTX 970, N = 4e8."""
    lines = (ROOT / "validation" / "gajger2017" / "intensity.csv").read_text().splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {int(row["a"]): float(row["970_code_ms"]) for row in rows}


def case(a, ms):
    return {"id": f"a{a}", "input": str(ROOT / "examples" / "saxpy2.sass"), "kernel": "saxpy2", "gpu": "gtx970@gajger",
            "grid": [1562500], "block": [256], "args": {"n": 400000000, "a": a}, "measured_ms": ms}


class Calibrate(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = Path(self.folder.name) / "c.toml"

    def cases(self, points):
        path = Path(self.folder.name) / "cases.jsonl"
        path.write_text("".join(json.dumps(case(a, ms)) + "\n" for a, ms in points.items()))
        return path

    def calibrated(self, *more):
        ran = run("calibrate", self.cases(published()), "--model", "gajger", "--option", "gajger.lambda=1", "-o", self.file, *more)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return tomllib.loads(self.file.read_text())

    def test_lambda_of_the_thesis_comes_out(self):
        factor = self.calibrated()["factor"][0]
        self.assertAlmostEqual(factor["value"], LAMBDA, places=5)
        self.assertEqual((factor["model"], factor["option"], factor["kernel"], factor["gpu"]), ("gajger", "lambda", "saxpy2", "gtx970"))
        self.assertLess(factor["error_after"], 1e-5)
        self.assertEqual(len(factor["sha256"]), 64)

    def test_prediction_says_that_it_was_used_or_not(self):
        self.calibrated()
        ms = published()[128]
        arguments = ["examples/saxpy2.sass", "--grid", "1562500", "--block", "256", "--arg", "n=400000000", "--arg", "a=128",
                     "--model", "gajger", "--calibration", self.file, "--format", "json"]
        result = json.loads(run("predict", *arguments, "--gpu", "gtx970@gajger").stdout)
        self.assertAlmostEqual(result["time_ms"], ms, delta=1e-4 * ms)
        said = {assumption["id"]: assumption["text"] for assumption in result["assumptions"]}
        self.assertIn("lambda of model gajger is 0.703787 from ", said["calibrated"])
        result = json.loads(run("predict", *arguments, "--gpu", "gtx980").stdout)
        self.assertIn("has nothing for saxpy2 on gtx980", [a["text"] for a in result["assumptions"] if a["id"] == "calibration-unused"][0])

    def test_points_that_it_was_made_from_are_not_judged(self):
        used = self.calibrated("--half", "1")["factor"][0]["used"]
        self.assertEqual(len(used), len(published()) // 2)
        ran = run("validate", self.cases(published()), "--model", "gajger", "--calibration", self.file, "--format", "json", "-q")
        lines = {line["part"]: line for line in json.loads(ran.stdout)["sets"][0]["lines"]}
        self.assertEqual(lines["calibrated with"]["points"], len(used))
        self.assertLess(lines["judged"]["mape"], 1e-4)

    def test_refusals_are_one_line(self):
        ran = run("calibrate", self.cases({128: 100.0}))
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, r"\Aforewarp: saxpy2 on gtx970: 1 points; expected at least 3; [^\n]+\n\Z")
        self.assertEqual(run("calibrate", self.cases({128: 100.0}), "--what", "luck").returncode, 2)
        ran = run("predict", "examples/saxpy2.sass", "--calibration", "none.toml", "--gpu", "gtx970", "--grid", "1", "--block", "32")
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, r"\Aforewarp: none.toml: [^\n]+\n\Z")

    def test_one_factor_for_two_boards_of_a_capability(self):
        cases = [case(a, ms) for a, ms in published().items()]
        cases += [dict(one, id=one["id"] + "-980", gpu="gtx980") for one in cases[:2]]
        cases.append(dict(cases[0], id="bad", kernel="none"))
        path = Path(self.folder.name) / "cases.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in cases))
        ran = run("calibrate", path, "--model", "gajger", "--by-capability", "-o", self.file)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        factors = tomllib.loads(self.file.read_text())["factor"]
        self.assertEqual([(f["cc"], f["points"]) for f in factors], [("5.2", len(published()) + 2)])
        self.assertIn("\n1 point could not be predicted and is left out, the first: cases/bad: ", ran.stdout)
        self.file.write_text(self.file.read_text().replace('model = "gajger"', 'model = "gajgar"'))
        ran = run("predict", "examples/saxpy2.sass", "--calibration", self.file, "--gpu", "gtx970", "--grid", "1", "--block", "32")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("c.toml:4:1: no model is named 'gajgar'; expected ", ran.stderr)

    def test_contention_becomes_numbers_of_the_board(self):
        curve = Path(self.folder.name) / "curve.csv"
        rows = [(gbs, 372 + 22 * gbs / (221 - gbs)) for gbs in range(5, 212, 5)]  # Volkov 2016, Table 6.5, Maxwell
        curve.write_text("gbs,cycles\n" + "".join(f"{gbs},{cycles!r}\n" for gbs, cycles in rows))
        ran = run("calibrate", curve, "--what", "contention", "--gpu", "gtx980", "-o", self.file)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        numbers = {n["path"]: n["value"] for n in tomllib.loads(self.file.read_text())["number"]}
        self.assertAlmostEqual(numbers["memory.latency_cycles"], 372, delta=0.5)
        self.assertAlmostEqual(numbers["memory.contention_read_cycles"], 22, delta=0.3)


if __name__ == "__main__":
    unittest.main()
