#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Which edit helps, as a user asks it: advise_test.py PROGRAM"""
import csv
import io
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import toolkit

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(sys.argv.pop(1)).resolve())
LAUNCH = ("examples/saxpy2.sass", "--arg", "n=4000000", "--arg", "a=16", "--arg", "x=buffer:16000000", "--arg", "y=buffer:16000000")
SMALL = (*LAUNCH, "--grid", "125000", "--block", "32")
USUAL = (*LAUNCH, "--grid", "15625", "--block", "256")

# 40 values that live through a loop, of which 32 registers (8 blocks of 256 threads) hold the fewer part.
HELD = """
extern "C" __global__ void __launch_bounds__(256, 8) held(const float* a, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[40], s = 0;
#pragma unroll
  for (int k = 0; k < 40; ++k) v[k] = a[i + k * n];
  for (int r = 0; r < 20; ++r) {
#pragma unroll
    for (int k = 0; k < 40; ++k) s += v[k] * v[(k * 7 + 3) % 40];
    s *= 0.5f;
  }
  out[i] = s;
}
"""


def run(*arguments):
    return subprocess.run([PROGRAM, "advise", *arguments], capture_output=True, text=True, check=False, cwd=ROOT)


class Advise(unittest.TestCase):
    def test_blocks_that_are_too_small(self):
        shown = run(*SMALL, "--gpu", "gtx970", "--format", "json")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        advice = json.loads(shown.stdout)
        self.assertEqual(advice["schema"], "forewarp.advice/1")
        first = advice["gains"][0]
        self.assertEqual(first["kind"], "block-size")
        self.assertIsNone(first["address"])
        self.assertAlmostEqual(first["factor"], advice["time_ms"] / first["time_ms"])
        self.assertEqual([g["time_ms"] for g in advice["gains"]], sorted(g["time_ms"] for g in advice["gains"]))

    def test_the_gain_is_that_of_the_other_launch(self):
        first = json.loads(run(*SMALL, "--gpu", "gtx970", "--format", "json").stdout)["gains"][0]
        block = int(first["edit"].split()[3])
        other = subprocess.run([PROGRAM, "predict", *LAUNCH, "--gpu", "gtx970", "--grid", str(4000000 // block), "--block", str(block), "--format", "json"],
                               capture_output=True, text=True, check=True, cwd=ROOT)
        self.assertAlmostEqual(json.loads(other.stdout)["time_ms"], first["time_ms"], places=6)

    def test_every_edit_is_a_row(self):
        advice = json.loads(run(*SMALL, "--gpu", "gtx970", "--format", "json").stdout)
        rows = list(csv.DictReader(io.StringIO(run(*SMALL, "--gpu", "gtx970", "--format", "csv").stdout)))
        self.assertEqual(len(rows), len(advice["gains"]) + len(advice["others"]))
        self.assertEqual([row["rank"] for row in rows[:len(advice["gains"])]], [str(i + 1) for i in range(len(advice["gains"]))])

    def test_the_list_is_longer(self):
        short, long = (run(*USUAL, "--gpu", "gtx970", *more).stdout for more in ((), ("--list",)))
        self.assertIn("more were tried", short)
        self.assertIn("tried, and no gain", long)

    def test_launch_bounds_that_hold_registers_down(self):
        toolkit.nvcc()
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "held.cu"
            source.write_text(HELD)
            advice = json.loads(run(str(source), "--gpu", "v100-pcie-16", "--grid", "64", "--block", "256", "--arg", "n=16384", "--arg", "a=buffer:4MB",
                                    "--arg", "out=buffer:64KB", "--format", "json").stdout)
        edit = next(edit for edit in advice["gains"] if "__launch_bounds__" in edit["edit"] and edit["kind"] == "registers")
        self.assertGreater(edit["factor"], 1.5)
        self.assertRegex(edit["reason"], "compiled so it takes (4|5|6)[0-9] registers")
        spills = next(edit for edit in advice["gains"] if edit["kind"] == "local-memory")
        self.assertNotIn("compiled so", spills["reason"])  # it was not

    def test_refusals(self):
        for arguments, line in (
                (USUAL, "forewarp: --gpu: no GPU is given"),
                ((*USUAL, "--gpu", "gtx970,gtx980"), "forewarp: --gpu: 2 boards are given; expected one: edits that help differ from board to board"),
                ((*USUAL, "--gpu", "gtx970", "--format", "html"), "forewarp: --format: no format of advice is named 'html'"),
                ((*LAUNCH, "--gpu", "gtx970", "--grid", "1", "--block", "2048"), "forewarp: ")):
            ran = run(*arguments)
            self.assertEqual(ran.returncode, 1, ran.stdout)
            self.assertTrue(ran.stderr.startswith(line), ran.stderr)
            self.assertEqual(ran.stderr.count("\n"), 1)


unittest.main()
