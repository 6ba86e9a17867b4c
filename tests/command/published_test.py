#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Volkov 2016: worked examples and curves that no unit test has, and his measured points: published_test.py PROGRAM"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
sys.path.insert(0, str(ROOT / "scripts" / "show"))
import published  # pylint: disable=wrong-import-position
import volkov_listings  # pylint: disable=wrong-import-position


def tool(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=True).stdout


def calc(formula, **inputs):
    lines = tool("model", "calc", formula, *[f"{k}={v}" for k, v in inputs.items()]).splitlines()
    return {key: float(value) for key, value in map(str.split, lines)}


def predict_many(cases, *words):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(json.dumps(case) + "\n" for case in cases))
        file.flush()
        ran = subprocess.run([PROGRAM, "predict", "--cases", file.name, *words], capture_output=True, text=True, check=False)
    return [json.loads(line) for line in ran.stdout.splitlines()]


class Published(unittest.TestCase):
    def test_littles_law(self):
        """W9: ten items in ten cycles, two cycles each; W10: 30 cycles at one per cycle, two or a half in flight per warp."""
        got = calc("little", items=10, interval=10, latency=2)
        self.assertEqual((got["throughput"], got["concurrency"]), (1, 2))
        self.assertEqual([calc("needed", latency=30, throughput=1, in_flight_per_warp=n)["warps"] for n in (2, 0.5)], [15, 60])

    def test_worksheets(self):
        """Table 3.1: warps by Little's law; W6: a mix of four additions a load; W17: a permutation's traffic; W18, Table 6.7: cycles of a
        further transaction, printed with two digits."""
        for latency, throughput, needed in ((6, 4, 24), (368, 0.0814, 368 * 0.0814)):
            self.assertAlmostEqual(calc("needed", latency=latency, throughput=throughput)["warps"], needed, places=9)
        at = {n: calc("alpha-mix", alpha=4, alu_lat=3, mem_lat=12, alu_thru=1, n=n) for n in (5, 6)}
        self.assertEqual((at[6]["needed_warps"], at[6]["memory_ipc"]), (6, 0.25))
        self.assertAlmostEqual(at[5]["arithmetic_ipc"], 5 / 6, places=6)
        self.assertEqual(calc("alpha-mix", alpha=4, alu_lat=3, mem_lat=0, alu_thru=1, n=3)["arithmetic_ipc"], 1)
        for size, ratio in ((32, 10 / 3), (128, 34 / 3)):  # printed: 3.3 and 11
            self.assertAlmostEqual(calc("traffic", coalesced=2, divergent=1, transaction_bytes=size, lanes=32)["ratio"], ratio, places=9)
        for random, stream, transactions, printed in ((644, 444, 2, 6.7), (662, 434, 2, 7.6), (1571, 513, 1, 34), (1213, 301, 4, 33), (534, 368, 4, 5.9)):
            cycles = calc("divergence", latency_random=random, latency_stream=stream, transactions_stream=transactions, lanes=32)["cycles_per_transaction"]
            self.assertAlmostEqual(cycles / printed, 1, delta=0.015)

    def test_listings_by_hand(self):
        """W1: cycles of each resource a warp; W2 to W4: when instructions issue; W5: a vector addition's cycles and rates."""
        for check in (volkov_listings.worksheet, volkov_listings.trace_w2, volkov_listings.trace_w3, volkov_listings.trace_w4, volkov_listings.vector_add):
            holds, figure = check(tool)
            self.assertTrue(holds, (check.__name__, figure))

    def test_cusps(self):
        self.assertEqual(published.off(published.cusps(calc)), [])

    def test_needed_occupancy_over_intensity(self):
        compared = published.needed(tool, ROOT / "validation" / "volkov2016")
        self.assertGreater(len(compared), 100)
        self.assertEqual(published.off(compared), [])

    def test_measured_points_of_one_board(self):
        """V2 on the GTX 980: few warps wait for latency alone, whatever the indices are; with all of them random indices reach far less."""
        pairs = [("gtx980", "identity"), ("gtx980", "random")]
        curves = published.simulated_curves(predict_many, ROOT / "validation" / "kernels", pairs)
        identity, random = (curves[pair] for pair in pairs)
        self.assertAlmostEqual(random[2] / identity[2], 1, delta=0.1)
        self.assertLess(max(random.values()), 0.4 * max(identity.values()))
        self.assertGreater(published.saturation("gtx980", identity), 0.4)

    def test_first_at_lies_on_the_line_between_two_points(self):
        curve = {2: 10.0, 4: 30.0, 8: 31.0}
        self.assertEqual([published.first_at(curve, gbs) for gbs in (5, 20, 31, 32)], [2, 3, 8, None])


if __name__ == "__main__":
    unittest.main()
