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

from needs import TOOLKIT, needs, want

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

# Lanes a row apart in both buffers; pairs that are aligned in every other column alone; integers divided beside one float; a store and a load that meet
# in one bank 32 times each.
FAULTS = """
extern "C" __global__ void turned(const float* in, float* out, int n) {
  int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * n + x] = 2 * in[y * n + x];
}
extern "C" __global__ void mended(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * n + x] = 2 * in[y * n + x];
}
extern "C" __global__ void pairs(const float* in, float* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float* p = in + 32 * t + n * blockIdx.y;
  out[t] = p[0] + p[1];
}
extern "C" __global__ void ratios(const float* in, float* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, rest = t % n;
#ifdef FLOATS
  float x = in[rest] / in[t];
#else
  float x = in[rest];
#endif
  out[t] = x;
}
extern "C" __global__ void banks(const float* in, float* out) {
  __shared__ float s[1024];
  s[32 * threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[32 * (31 - threadIdx.x)];
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

    @needs(TOOLKIT)
    def test_launch_bounds_that_hold_registers_down(self):
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

    def advice_on(self, kernel, *launch):
        want(self, TOOLKIT)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "faults.cu"
            source.write_text(FAULTS)
            shown = run(str(source), "--kernel", kernel, "--gpu", "v100-pcie-16", "--arg", "in=buffer:4MB", "--arg", "out=buffer:4MB", "--format", "json", *launch)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        return json.loads(shown.stdout)

    def test_one_step_in_two_buffers_is_one_edit(self):
        launch = ("--grid", "32,128", "--block", "32,8", "--arg", "n=1024")
        advice = self.advice_on("turned", *launch)
        edits = [e for e in advice["gains"] + advice["others"] if e["kind"] == "coalescing"]
        joined = [e for e in edits if e["edit"].endswith("they lie 4096 bytes apart, in 2 buffers at once")]
        self.assertEqual((len(edits), len(joined)), (3, 1))
        self.assertEqual(min(edits, key=lambda e: e["time_ms"]), joined[0])
        mended = self.advice_on("mended", *launch)["time_ms"]
        self.assertLess(abs(joined[0]["time_ms"] / mended - 1), 0.1)
        self.assertIn("; then 4 sectors per request instead of 32", joined[0]["reason"])

    def test_vectors_need_every_access_aligned(self):
        for n, kinds in (("1", 0), ("2", 1)):  # p begins at blockIdx.y * n floats
            advice = self.advice_on("pairs", "--grid", "32,2", "--block", "256", "--arg", "n=" + n)
            self.assertEqual(sum(e["kind"] == "vectors" for e in advice["gains"] + advice["others"]), kinds, n)

    def test_integers_are_divided_as_fast_as_ever(self):
        launch = ("--grid", "64", "--block", "256", "--arg", "n=1000")
        advice = self.advice_on("ratios", *launch)
        self.assertNotIn("fast-math", [e["kind"] for e in advice["gains"] + advice["others"]])
        advice = self.advice_on("ratios", "-D", "FLOATS", *launch)
        edit = next(e for e in advice["gains"] + advice["others"] if e["kind"] == "fast-math")
        self.assertEqual(edit["line"], FAULTS.split("\n").index("  float x = in[rest] / in[t];") + 1)
        self.assertTrue(edit["reason"].startswith("1 place divides floats"), edit["reason"])

    def test_passes_in_vain_are_those_of_all_accesses(self):
        advice = self.advice_on("banks", "--grid", "64", "--block", "32")
        edit = next(e for e in advice["gains"] + advice["others"] if e["kind"] == "bank-conflicts")
        self.assertIn("of the passes of all accesses 96.9 % are in vain", edit["reason"])  # 2 (32 - 1) of 2 * 32
        self.assertIn("128 passes through the banks of shared memory instead of 4.1 k", edit["reason"])  # 64 blocks: 2 and 64

    def test_reasons_are_what_became_better(self):
        first = json.loads(run(*SMALL, "--gpu", "gtx970", "--format", "json").stdout)["gains"][0]
        self.assertIn("64 warps at a time on an SM instead of 32", first["reason"])  # 32 blocks of a warp; of larger ones 64 warps

    def test_refusals(self):
        for arguments, line in (
                ((*USUAL, "--gpu", "gtx970,gtx980"), "forewarp: --gpu: 2 boards are given; expected one: edits that help differ from board to board"),
                ((*USUAL, "--gpu", "gtx970", "--format", "html"), "forewarp: --format: no format of advice is named 'html'"),
                ((*LAUNCH, "--gpu", "gtx970", "--grid", "1", "--block", "2048"), "forewarp: ")):
            ran = run(*arguments)
            self.assertEqual(ran.returncode, 1, ran.stdout)
            self.assertTrue(ran.stderr.startswith(line), ran.stderr)
            self.assertEqual(ran.stderr.count("\n"), 1)


unittest.main()
