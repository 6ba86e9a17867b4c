#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""How long loads take, simulated and as a device measured them: latencies_test.py PROGRAM"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
ONE_LOAD = [ROOT / "bench" / "kernels" / "window_loads.sass", "--kernel", "window_global_once", "--gpu", "gtx980", "--grid", 1, "--block", 32,
            "--arg", "0=buffer:128", "--arg", "1=buffer:128", "--arg", "2=f32:1.5"]
SAXPY = [ROOT / "examples" / "saxpy2.sass", "--gpu", "gtx970", "--grid", 6250, "--block", 256, "--arg", "n=1600000", "--arg", "a=1"]
DEVICE = {"name": "a board", "cc": "5.2", "facts": {"limits.warp_lanes": 32}}
# X {300: 3/4, 310: 1/4}, Y {38: 1/2, 40: 1/2}
SAMPLES = """# forewarp samples 1
window_global_once\tblocks=1,threads=32\twindow\tcycles\t-\t-\t338*96 340*96 348*32 350*32
window_global_once\tblocks=1,threads=32\tempty\tcycles\t-\t-\t38*32 40*32
"""


class Latencies(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.room = Path(room.name)
        (self.room / "device.json").write_text(json.dumps(DEVICE), encoding="utf-8")
        (self.room / "samples.tsv").write_text(SAMPLES, encoding="utf-8")

    def ask(self, *words, code=0):
        ran = subprocess.run([PROGRAM, "latencies", *map(str, words)], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran.stdout if code == 0 else ran.stderr

    def beside(self, *words, **more):
        return self.ask(*ONE_LOAD, "--samples", self.room, "--test", "window_global_once", *words, **more)

    def test_the_only_load_of_a_lone_warp(self):
        got = json.loads(self.ask(*ONE_LOAD, "--format", "json"))
        access, = got["accesses"]
        self.assertEqual((access["count"], access["deviation"]), (1, 0))
        self.assertEqual(access["levels"], {"l2": 1})  # past L1, written by itself before
        series, = got["series"]
        self.assertEqual(len(series["bins"]), 1)
        self.assertLess(abs(series["mean"] - access["mean"]), 1)

    def test_under_load_latencies_spread(self):
        got = json.loads(self.ask(*SAXPY, "--format", "json"))
        self.assertEqual(len(got["accesses"]), 2)
        for access in got["accesses"]:
            self.assertGreater(access["deviation"], 20)
            self.assertGreater(access["levels"]["memory"], 0.9)
        self.assertAlmostEqual(sum(share for _, _, share in got["series"][0]["bins"]), 1, places=9)

    def test_simulation_and_samples_in_one_plot(self):
        got = json.loads(self.beside("--format", "json"))
        self.assertEqual([one["name"] for one in got["series"]], ["simulated", "a board, window_global_once blocks=1,threads=32"])
        self.assertEqual(got["series"][1]["bins"], [[300, 1, 0.75], [310, 1, 0.25]])
        text = self.beside()
        self.assertIn("# simulated", text)
        self.assertIn("o a board, window_global_once", text)
        self.assertEqual(self.beside("--format", "svg").count("fill-opacity"), 2)

    def test_one_access_by_its_address(self):
        first, second = (access["address"] for access in json.loads(self.ask(*SAXPY, "--format", "json"))["accesses"])
        got = json.loads(self.ask(*SAXPY, "--at", second, "--format", "json"))
        self.assertEqual([access["address"] for access in got["accesses"]], [second])
        self.assertIn(f"{first}, {second}\n", self.ask(*SAXPY, "--at", "0xffff", code=1))

    def test_refusals(self):
        self.assertIn("--test: is not given; expected --samples DIR and --test ID together", self.ask(*ONE_LOAD, "--samples", self.room, code=1))
        self.assertIn("'threads' has no value; expected NAME=VALUE", self.beside("--where", "threads", code=1))


if __name__ == "__main__":
    unittest.main()
