#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Latency stalls apart from bandwidth stalls, simulated and in closed form: stalls_test.py PROGRAM"""
import json
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
STREAM = [ROOT / "examples" / "saxpy2.sass", "--gpu", "gtx970", "--grid", 6250, "--block", 256, "--arg", "n=1600000", "--arg", "a=1"]
CHAIN = [ROOT / "examples" / "saxpy2.sass", "--gpu", "gtx970", "--grid", 13, "--block", 32, "--arg", "n=416", "--arg", "a=512"]


class Stalls(unittest.TestCase):
    def ask(self, *words, code=0):
        ran = subprocess.run([PROGRAM, "stalls", *map(str, words)], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran.stdout if code == 0 else ran.stderr

    def split(self, *words):
        return json.loads(self.ask(*words, "--format", "json"))

    def test_a_stream_waits_for_bandwidth(self):
        got = self.split(*STREAM)
        for side in ("simulated", "closed"):
            self.assertAlmostEqual(sum(got[side].values()), 1, places=6)
            self.assertGreater(got[side]["bandwidth"], 0.4, side)
        parts = {part["part"]: part for part in got["parts"]}
        self.assertGreater(parts["memory_rates"]["simulated"], 0.8 * got["simulated"]["bandwidth"])

    def test_a_chain_waits_for_latency(self):
        got = self.split(*CHAIN)
        for side in ("simulated", "closed"):
            self.assertGreater(got[side]["latency"], 0.6, side)
            self.assertLess(got[side]["bandwidth"], 0.1, side)
        parts = {part["part"]: part for part in got["parts"]}
        self.assertGreater(parts["other_latency"]["simulated"], parts["memory_latency"]["simulated"])

    def test_a_thread_waits_for_each_of_its_copies(self):
        # 100 copies in turn: each takes at least the latency of device memory, 604 cycles of this board at 1755 MHz.
        listing = ROOT / "validation" / "kernels" / "hopper_units.sass"
        words = ["--arg", "0=buffer:409600", "--arg", "1=i32:100", "--cold", "--clock", "1755", "--model", "sim", "--format", "json"]
        ran = subprocess.run([PROGRAM, "predict", listing, "--kernel", "copies_of_rows_4", "--gpu", "h100-pcie-80", "--grid", "1", "--block", "1", *words],
                             capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertGreater(json.loads(ran.stdout)["time_ms"], 100 * 604 / 1.755e6)

    def in_cluster(self, there, loads):
        listing = ROOT / "validation" / "kernels" / "hopper_units.sass"
        words = ["--cluster", "2", "--arg", "0=i32:0", "--arg", f"1=i32:{there}", "--arg", f"2=i32:{loads}", "--arg", "3=buffer:4", "--clock", "1755"]
        ran = subprocess.run([PROGRAM, "predict", listing, "--kernel", "chain_in_cluster", "--gpu", "h100-pcie-80", "--grid", "2", "--block", "1", *words,
                              "--model", "sim", "--format", "json"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout)["time_ms"] * 1.755e6

    def test_loads_from_a_neighbour_take_the_network(self):
        # A load of the chain: 203 cycles from the other block's shared memory (data/isa/hopper.toml), 29 from its own, and two additions.
        far, near = ((self.in_cluster(there, 1024) - self.in_cluster(there, 512)) / 512 for there in (1, 0))
        self.assertAlmostEqual(far - near, 203 - 29, delta=8)
        self.assertLess(near, 60)

    def handed_over(self, turns, waits):
        listing = ROOT / "validation" / "kernels" / "hopper_moves.sass"
        words = ["--arg", "0=buffer:1024", "--arg", f"1=i32:{turns}", "--arg", f"2=i32:{waits}", "--regs", "120", "--clock", "1755"]
        ran = subprocess.run([PROGRAM, "predict", listing, "--kernel", "hand_over_late", "--gpu", "h100-sxm-80", "--grid", "1", "--block", "256", *words,
                              "--model", "sim", "--format", "json"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout)["time_ms"] * 1.755e6

    def test_registers_are_waited_for(self):
        # A chain of sums of 4 cycles each; whoever takes registers begins after those who give them away have ended theirs.
        alone, after = ((self.handed_over(4096, waits) - self.handed_over(2048, waits)) / 2048 for waits in (0, 1))
        self.assertAlmostEqual(alone, 4, delta=1)
        self.assertAlmostEqual(after, 2 * alone, delta=0.2)

    def test_clusters_fit_gpcs(self):
        # Blocks with an SM each: of an H100's 132 SMs 120 hold whole clusters of 8.
        listing = ROOT / "validation" / "kernels" / "hopper_moves.sass"
        words = ["--kernel", "hand_over_late", "--gpu", "h100-sxm-80", "--block", "256", "--smem", "200000", "--arg", "0=buffer:1024", "--arg", "1=i32:99999", "--arg", "2=i32:0"]
        times = {}
        for blocks, cluster in ((120, 8), (128, 8), (128, 1), (120, 1)):
            ran = subprocess.run([PROGRAM, "predict", listing, *words, "--grid", str(blocks), "--cluster", str(cluster), "--format", "json"],
                                 capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            result = json.loads(ran.stdout)
            times[blocks, cluster] = result["time_ms"]
            said = [a["text"] for a in result["assumptions"] if a["id"] == "cluster"]
            self.assertEqual(cluster == 8, any("they fit 120 of 132 SMs" in text for text in said), said)
        self.assertAlmostEqual(times[120, 8] / times[120, 1], 1, delta=0.05)
        self.assertAlmostEqual(times[128, 8] / times[128, 1], 2, delta=0.1)

    def test_what_differs_has_a_reason(self):
        for words in (STREAM, CHAIN):
            for part in self.split(*words)["parts"]:
                self.assertEqual(abs(part["simulated"] - part["closed"]) >= 0.05, part["why"] != "", part)

    def test_a_lone_warp(self):
        """The closed form that counts waves has one warp, the other as many as fit; neither has a last wave."""
        lone = [ROOT / "examples" / "saxpy2.sass", "--gpu", "gtx970", "--grid", 1, "--block", 32, "--arg", "n=32", "--arg", "a=2"]
        in_waves, without = ({part["part"]: part["why"] for part in self.split(*lone, "--beside", form)["parts"]} for form in ("volkov", "gajger"))
        self.assertIn("as many warps are resident in both, 1, to hide it", in_waves["memory_latency"])
        self.assertRegex(in_waves["rest"], r"^the closed form has \S+ % for starts of blocks, \S+ % for issuing$")
        self.assertIn("32 in the closed form, as if the grid filled the board, to hide it", without["memory_latency"])
        for why in (in_waves, without):
            self.assertFalse([text for text in why.values() if "last wave" in text or "follow each other" in text])

    def test_both_stand_in_one_table(self):
        text = self.ask(*STREAM, "--beside", "volkov")
        self.assertIn("simulated    volkov  why they differ", text)
        self.assertIn("L2, device memory and the way there", text)

    def test_refusals(self):
        self.assertIn("--beside: is 'sim', which it stands beside; expected a closed form", self.ask(*STREAM, "--beside", "sim", code=1))
        self.assertIn("no model is named 'volkof'", self.ask(*STREAM, "--beside", "volkof", code=1))


if __name__ == "__main__":
    unittest.main()
