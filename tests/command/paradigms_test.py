#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Templates of applications against what they take by hand: paradigms_test.py PROGRAM"""
import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from simulating import ROOT, System, main

TEMPLATES = ROOT / "examples" / "systems" / "templates"
HOP = 2 * 2e-6                        # between hosts, two links
FABRIC, WIRE = 250e9, 12.5e9
ACROSS = 2 * (2e-6 + 2e-6)            # between GPUs of two nodes: GPU to host to switch and back


def all_reduce(nodes, gpus, size):
    """Rings within nodes over the fabric, rings of all nodes that share the network."""
    within = 2 * (gpus - 1) * (2e-6 + size / gpus / FABRIC)
    return within + 2 * (nodes - 1) * (ACROSS + size / nodes / WIRE)


class Templates(System):
    def run_it(self, name, *more):
        return json.loads(self.forewarp("simulate", TEMPLATES / "nodes.toml", TEMPLATES / f"{name}.lua", *more, "--format", "json").stdout)

    def test_pipeline(self):  # 8 stages and 99 more items of 10 ms, 7 hops of 1 MB
        self.assertAlmostEqual(self.run_it("pipeline")["time_s"], 107 * 0.01 + 7 * (HOP + 1e6 / WIRE), delta=1e-9)

    def test_spmd(self):  # computing, borders both ways at a time, a tree of 3 steps there and back
        step = 1e9 / 8 / 1e10 + HOP + 8e5 / WIRE * 2 + 6 * (HOP + 8 / WIRE)
        got = self.run_it("spmd")["time_s"] / 10
        self.assertLess(got, step + 1e-9)
        self.assertGreater(got, step - 8e5 / WIRE - 1e-9)

    def test_master_slave(self):
        """7 workers: 9.14 pieces of 0.1 s each on average, so at least 10 rounds of one, and not as long as 11."""
        got = self.run_it("master_slave")
        self.assertGreater(got["time_s"], 10 * 0.1)
        self.assertLess(got["time_s"], 11 * 0.1)
        busy = sum(unit["busy_s"] for unit in got["units"] if unit["busy_s"] > 0)
        self.assertAlmostEqual(busy, 64 * 0.1, delta=1e-9)

    def test_divide_and_conquer(self):
        """Halves of 4e8, 2e8, 1e8 bytes down, a leaf of 1.25e7 elements, merges of 2, 4 and 8 leaves, the same bytes back."""
        leaf, way = 1.25e7, sum(HOP + size / WIRE for size in (4e8, 2e8, 1e8))
        expected = 2 * way + 4 * leaf * math.log2(leaf) / 1e10 + sum(4 * leaf * k / 1e10 for k in (2, 4, 8))
        self.assertAlmostEqual(self.run_it("divide_and_conquer")["time_s"], expected, delta=1e-6)

    def test_pipeline_training(self):
        """2 GPUs of one node: 32 forward passes each and one more hop, and so back."""
        got = self.run_it("pipeline_training", "--processes", "GPU=2")["time_s"]
        self.assertAlmostEqual(got, 33 * 0.004 + 33 * 0.008 + 2 * (2e-6 + 2e7 / FABRIC) - 0.004, delta=0.0045)

    def test_tensor_training(self):
        expected = 32 * (0.002 + 0.004 + 4 * all_reduce(8, 2, 3.3e7))
        self.assertAlmostEqual(self.run_it("tensor_training")["time_s"] / expected, 1, delta=1e-6)

    def test_transformer_serving(self):
        prompt, token = 8 * 2048 * 4096 * 2, 8 * 4096 * 2
        expected = 32 * (2e-8 * 2048 * 8 + all_reduce(8, 2, prompt)) + 64 * 32 * (5e-5 + all_reduce(8, 2, token))
        self.assertAlmostEqual(self.run_it("transformer_serving")["time_s"] / expected, 1, delta=1e-4)


main(sys.argv)
