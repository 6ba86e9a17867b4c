#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels of our own against extracts of public measurements: accuracy_test.py PROGRAM [--write]

No set may become more than half a point worse than validation/measured/scores.json says; --write stores what
is reached now, for a reviewer to look at.
"""
import json
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "validation" / "measured" / "scores.json"
SETS = ("elementwise", "roofline", "stream", "small", "saxpy2_intensity", "saxpy2_small", "saxpy2_large", "saxpy2_occupancy", "saxpy3")
ROWS = 16
SLACK = 0.005
PROGRAM = sys.argv.pop(1)
WRITE = "--write" in sys.argv


def reached():
    files = [ROOT / "validation" / "sets" / f"{name}.toml" for name in SETS]
    done = subprocess.run([PROGRAM, "validate", *map(str, files), "--data", str(ROOT / "validation" / "measured"),
                           "--rows", str(ROWS), "--seed", "1", "--format", "json", "-q"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    sets = json.loads(done.stdout)["sets"]
    return {s["name"]: {"mape": round(s["lines"][0]["mape"], 4), "points": s["lines"][0]["points"],
                        "refused": s["lines"][0]["refused"]} for s in sets}


class Accuracy(unittest.TestCase):
    def test_no_set_became_worse(self):
        stored = json.loads(STORED.read_text())
        now = reached()
        self.assertEqual(sorted(stored), sorted(now))
        for name, line in now.items():
            with self.subTest(set=name):
                self.assertEqual(line["points"], stored[name]["points"])
                self.assertEqual(line["refused"], stored[name]["refused"])
                self.assertLessEqual(line["mape"], stored[name]["mape"] + SLACK,
                                     f"{name}: {100 * line['mape']:.2f} %, stored {100 * stored[name]['mape']:.2f} %")


if __name__ == "__main__":
    if WRITE:
        STORED.write_text(json.dumps(reached(), indent=1) + "\n")
    else:
        unittest.main()
