# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
import math
import unittest

import numpy as np

import forewarp
from fixture import saxpy2

FIELDS = ("time_ms", "low_ms", "high_ms", "limited_by", "blocks_per_sm", "error")


class Sweeps(unittest.TestCase):
    def test_every_combination_in_order(self):
        table = saxpy2().sweep({"block": [64, 128], "a": [1, 2, 4]})
        self.assertEqual(table.shape, (6,))
        self.assertEqual(table["block"].tolist(), [64, 64, 64, 128, 128, 128])
        self.assertEqual(table["a"].tolist(), [1, 2, 4, 1, 2, 4])
        self.assertTrue(set(FIELDS) < set(table.dtype.names))
        for row in table:
            alone = saxpy2(block=int(row["block"]), args={"n": 4_000_000, "a": int(row["a"])}).predict()
            self.assertEqual(row["time_ms"], alone.time_ms)
            self.assertEqual((row["low_ms"], row["high_ms"]), alone.interval_ms)
            self.assertEqual(row["limited_by"], alone.limited_by.resource)
            self.assertEqual(row["waves"], alone.occupancy.waves)

    def test_many_points_follow_from_the_analysis(self):
        table = saxpy2().sweep({"a": range(1, 301)})
        self.assertEqual(len(table), 300)
        self.assertTrue(np.all(np.isnan(table["low_ms"])))
        alone = saxpy2(static=True, args={"n": 4_000_000, "a": 300}).predict()
        self.assertAlmostEqual(table["time_ms"][299] / alone.time_ms, 1, places=9)
        self.assertEqual(table.tobytes(), saxpy2(jobs=1).sweep({"a": "1:300:1"}).tobytes())

    def test_kinds_of_axes(self):
        table = saxpy2().sweep({"clock": ["base", "boost"], "block": [(32, 2), 128], "hw.memory.latency_cycles": [400.5]})
        self.assertEqual(table["clock"].tolist(), ["base", "base", "boost", "boost"])
        self.assertEqual(table["block"].tolist(), ["32x2", "128", "32x2", "128"])
        self.assertEqual(table["hw.memory.latency_cycles"].tolist(), [400.5] * 4)
        texts = saxpy2().sweep(["block=64,128"])
        self.assertEqual(texts.tobytes(), saxpy2().sweep({"block": np.array([64, 128])}).tobytes())
        self.assertEqual(texts.tobytes(), forewarp.sweep(saxpy2(), "block=64,128").tobytes())

    def test_a_point_that_cannot_be_predicted(self):
        table = saxpy2().sweep({"block": [256, 2048]})
        self.assertEqual(table["error"][0], "")
        self.assertTrue(table["error"][1].startswith("launch: "), table["error"][1])
        self.assertTrue(math.isnan(table["time_ms"][1]))

    def test_what_is_refused(self):
        for axes, line in (({"block": []}, "--sweep"), ({"block": [1, "x"]}, "--sweep"), ({"a": [1], "b": "1:2:0"}, "--sweep")):
            with self.assertRaises(forewarp.Error) as refused:
                saxpy2().sweep(axes)
            self.assertTrue(refused.exception.place.startswith(line), refused.exception)
        with self.assertRaises(forewarp.Error):
            saxpy2(gpu=["titanx", "gtx970"]).sweep({"a": [1]})


class Boards(unittest.TestCase):
    def test_a_board_as_numbers(self):
        gpu = forewarp.gpu("gtx970")
        self.assertEqual((gpu.id, gpu.cc, gpu.sms), ("gtx970", "5.2", 13))
        self.assertEqual(gpu.facts["sm.count"].value, 13)
        self.assertTrue(gpu.facts["sm.count"].source)
        self.assertEqual(forewarp.gpu("NVIDIA GeForce GTX 970").id, "gtx970")
        self.assertRegex(repr(gpu), r"^<forewarp.Gpu gtx970: .*, 13 SMs, \d+\.?\d* GB/s>$")

    def test_what_if_a_number_were_another(self):
        wide = forewarp.gpu("gtx970", {"sm.count": "x2"})
        self.assertEqual(wide.sms, 26)
        self.assertLess(saxpy2(gpu=wide).predict().time_ms, saxpy2().predict().time_ms)
        self.assertEqual(saxpy2(gpu=wide, set={"hw.clock.sustained_mhz": 1000}).predict().options["set.hw.sm.count"], "x2")

    def test_lists_all(self):
        rows = forewarp.gpus()
        self.assertEqual([row.id for row in rows], sorted(row.id for row in rows))
        self.assertNotIn("facts", rows[0])

    def test_an_ambiguous_name(self):
        with self.assertRaises(forewarp.Error) as refused:
            forewarp.gpu("a100")
        self.assertIn("boards have this name", str(refused.exception))


class Occupancy(unittest.TestCase):
    def test_by_the_vendor_s_rules(self):
        # 7.0: 65536 registers of 256 x 40 each: 6 blocks of 8 warps.
        found = forewarp.occupancy(cc="7.0", block=256, regs=40)
        self.assertEqual((found.blocks_per_sm, found.warps_per_sm, found.limiter), (6, 48, ("regs",)))
        self.assertIsNone(found.limits.barriers)
        self.assertIsNone(found.error)

    def test_a_block_that_does_not_launch(self):
        found = forewarp.occupancy("gtx970", block=2048, regs=32)
        self.assertEqual(found.blocks_per_sm, 0)
        self.assertIn("2048", found.error)

    def test_over_a_need(self):
        curve = forewarp.occupancy_curve("gtx970", "block", regs=32)
        self.assertEqual(curve.dtype.names, ("block", "blocks_per_sm", "warps_per_sm"))
        at = curve[curve["block"] == 256][0]
        alone = forewarp.occupancy("gtx970", block=256, regs=32)
        self.assertEqual(at["warps_per_sm"], alone.warps_per_sm)
        self.assertEqual(len(forewarp.occupancy_curve(cc="7.0", along="smem", block=128, regs=32)["smem"].shape), 1)

    def test_what_is_refused(self):
        with self.assertRaises(forewarp.Error) as refused:
            forewarp.occupancy(block=128, regs=32)
        self.assertEqual(str(refused.exception), "occupancy: no GPU was named; expected gpu= or cc='X.Y'")
        with self.assertRaises(forewarp.Error) as refused:
            forewarp.occupancy_curve("gtx970", "warps")
        self.assertEqual(str(refused.exception), "along: 'warps'; expected block, regs or smem")


if __name__ == "__main__":
    unittest.main()
