#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""forewarp gpu access as a user runs it, and as kernels confirm it: gpu_access_test.py PROGRAM"""
import json
import math
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTINGS = ROOT / "tests" / "fixtures" / "listings"
PROGRAM = sys.argv.pop(1)
TOY = [f"hw.{path}={value}" for path, value in (
    ("limits.warp_lanes", 4), ("coalescing.lanes", 4), ("cache.sector_bytes", 16), ("cache.line_bytes", 16),
    ("shared.banks", 4), ("bank.lanes", 4))]


def run(*arguments, code=0):
    ran = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert ran.returncode == code, (ran.returncode, ran.stderr)
    return ran.stdout if code == 0 else ran.stderr


def access(gpu, space, size, *arguments):
    return json.loads(run("gpu", "access", gpu, "--space", space, "--bytes", size, *arguments,
                          "--format", "json"))


def words(gpu, space, list_of_words, *changes):
    """Of the textbook's machine: four lanes, transactions of four words, four banks."""
    options = [part for change in (*TOY, *changes) for part in ("--set", change)]
    return access(gpu, space, 4, "--addresses", ",".join(str(4 * w) for w in list_of_words), *options)


class Access(unittest.TestCase):
    def test_transactions_of_the_textbook(self):  # Volkov 2016, section 2.5
        for lanes, expected in (((0, 1, 2, 3), 1), ((4, 5, 6, 7), 1), ((1, 2, 3, 4), 2),
                                ((0, 2, 4, 6), 2), ((0, 3, 6, 9), 3), ((2, 4, 13, 11), 4)):
            self.assertEqual(words("gtx480", "global", lanes)["transactions"], expected, lanes)
        for lanes in ((3, 2, 1, 0), (1, 1, 1, 1)):
            self.assertEqual(words("8800gtx", "global", lanes)["transactions"], 4)
            self.assertEqual(words("gtx280", "global", lanes)["transactions"], 1)

    def test_shorter_transactions_of_the_textbook(self):
        # (0..3) and (4,5): six words; by halves (0..3), (2,3) and (4,5): eight.
        short = words("gtx280", "global", (1, 2, 3, 4), "hw.cache.sector_bytes=8")
        self.assertEqual((short["transactions"], short["moved_bytes"]), (2, 4 * 6))
        halves = words("gtx280", "global", (1, 2, 3, 4), "hw.cache.sector_bytes=8",
                       "hw.coalescing.lanes=2")
        self.assertEqual((halves["transactions"], halves["moved_bytes"]), (3, 4 * 8))

    def test_conflicts_of_the_textbook(self):  # Volkov 2016, section 2.6
        for lanes, expected in (((0, 1, 2, 3), 1), ((1, 2, 3, 4), 1), ((0, 2, 4, 6), 2),
                                ((0, 3, 6, 9), 1), ((0, 4, 8, 12), 4), ((1, 1, 1, 1), 1),
                                ((1, 1, 1, 2), 1), ((1, 3, 5, 8), 2)):
            self.assertEqual(words("gtx480", "shared", lanes)["conflict_degree"], expected, lanes)

    def test_one_row_per_stride(self):
        rows = access("a100-sxm-40", "shared", 4, "--stride", "1:64")
        self.assertEqual([row["conflict_degree"] for row in rows],
                         [math.gcd(stride, 32) for stride in range(1, 65)])
        self.assertEqual([row["stride"] for row in access("a100-sxm-40", "global", 4, "--stride",
                                                          "8,1:5:2")], [8, 1, 3, 5])

    def test_text(self):
        text = run("gpu", "access", "gtx280", "--space", "global", "--bytes", 4, "--stride", "2")
        self.assertEqual(text.splitlines()[0], "NVIDIA GeForce GTX 280 (gtx280), 1.3: one warp's load of "
                                               "4 bytes per lane, global memory")
        # Two half-warps of one segment of 128 bytes each; no L1, so nothing is said of its banks.
        self.assertEqual(text.splitlines()[-1].split(), ["2", "32", "8", "2", "2", "256", "-", "-",
                                                         "-", "1"])

    def test_lanes_that_take_no_part(self):
        answer = access("8800gtx", "global", 4, "--addresses", "-,4,-,12")
        self.assertEqual(answer["addresses"], [None, 4, None, 12])
        self.assertEqual((answer["lanes"], answer["transactions"]), (2, 1))  # in order
        self.assertEqual(access("8800gtx", "global", 4, "--addresses", "4,12")["transactions"], 2)
        half = access("a40", "global", 8, "--stride", 1, "--lanes", 16, "--offset", 8)
        self.assertEqual((half["lanes"], half["sectors"]), (16, 5))  # bytes 8 to 135

    def test_wide_loads_merge_and_stores_do_not(self):
        same = ["v100-pcie-16", "shared", 16, "--stride", 0]
        self.assertEqual(access(*same)["wavefronts"], 2)
        self.assertEqual(access(*same, "--kind", "store")["wavefronts"], 4)
        self.assertEqual(access(*same)["same_address_lanes"], 32)

    def test_refusals_are_one_line(self):
        def refusal(*arguments, code=1):
            return run("gpu", "access", "gtx480", "--space", "shared", *arguments, code=code)
        self.assertEqual(refusal("--bytes", 4, "--stride", 1, "--offset", 2),
                         "forewarp: lane 0: its address is 2; expected a multiple of 4 bytes; "
                         "a GPU stops at a misaligned access\n")
        self.assertIn("--stride S or --addresses", refusal("--bytes", 4))
        self.assertIn("1 to 32", refusal("--bytes", 4, "--stride", 1, "--lanes", 33))
        self.assertIn("FROM:TO[:STEP]", refusal("--bytes", 4, "--stride", "3:1"))
        self.assertIn("FROM:TO[:STEP]", refusal("--bytes", 4, "--stride", "-9223372036854775808:1"))
        self.assertIn("2^40", refusal("--bytes", 4, "--addresses", "0,9223372036854775804"))
        self.assertIn("33 lanes; expected 32", refusal("--bytes", 4, "--addresses", "0," * 32 + "0"))
        self.assertIn("a whole number from 1 to 32",
                      refusal("--bytes", 4, "--stride", 1, "--set", "hw.shared.banks=0.5"))
        refusal("--bytes", 3, "--stride", 1, code=2)
        refusal("--bytes", 4, "--stride", 1, "--addresses", 4, code=2)


class Executed(unittest.TestCase):
    """A kernel's access as it was executed takes what the rules say of its stride."""

    def profile(self, sm, gpu, space, size, stride):
        name, elements = f"strided_{space}", 31 * stride + 1
        arguments = ["--arg", f"0=buffer:{elements * size}", "--arg", f"1=buffer:{elements * size}",
                     "--arg", f"2={stride}", "--arg", "3=0"]
        if space == "shared":
            arguments = ["--arg", f"0=buffer:{32 * size}", "--arg", f"1={stride}", "--arg", "2=0",
                         "--smem", elements * size]
        result = json.loads(run("profile", LISTINGS / f"{name}.sm_{sm}.sass", "--gpu", gpu, "--kernel",
                                f"{name}_{size}", "--grid", 1, "--block", 32, *arguments,
                                "--format", "json"))
        return [a for a in result["execution"]["accesses"] if a["space"] == space]

    def test_profiles_agree(self):
        for sm, gpu in (("35", "k40"), ("61", "gtx1080ti"), ("90", "h100-sxm-80")):
            for space, size, stride in (("global", 4, 1), ("global", 8, 3), ("global", 16, 33),
                                        ("shared", 4, 6), ("shared", 8, 32), ("shared", 16, 2)):
                rules = access(gpu, space, size, "--stride", stride)
                executed = self.profile(sm, gpu, space, size, stride)
                self.assertEqual(len(executed), 2)  # a load and a store
                for one in executed:
                    self.assertEqual((one["requests"], one["lanes"]), (1, 32))
                    for key in ("wavefronts",) if space == "shared" else (
                            "sectors", "lines", "transactions", "wavefronts"):
                        self.assertEqual(one[key], rules[key], (sm, space, size, stride, key))

    def test_rows_that_nobody_knows(self):
        """A gather by an unknown table: some blocks were not executed, and no function of their index says where they read."""
        kernel = LISTINGS.parents[2] / "validation" / "kernels" / "language_model.sass"
        result = json.loads(run("predict", kernel, "--kernel", "select_rows", "--gpu", "a100-sxm-80", "--grid", 864, "--block", 128,
                                "--arg", "0=buffer:8388608", "--arg", "1=buffer:262144000", "--arg", "2=buffer:8192", "--arg", "3=4194304",
                                "--arg", "4=4096", "--format", "json"))
        self.assertGreater(result["time_ms"], 0)


if __name__ == "__main__":
    unittest.main()
