#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""forewarp compare as a user meets it: compare_test.py PROGRAM"""
import csv
import io
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
KERNELS = ROOT / "validation/kernels"
SAXPY2 = ["examples/saxpy2.sass", "examples/saxpy2.sass", "--threads", "4000000", "--arg",
          "n=4000000", "--arg", "a=4"]
ELEMENTS = 1 << 22
BYTES = 4 * ELEMENTS
BOARDS = {"gtx980": [], "gtx680": ["--assume-isa"]}


def run(*arguments):
    return subprocess.run([PROGRAM, "compare", *arguments], capture_output=True, text=True,
                          check=False, cwd=ROOT)


def compared(*arguments):
    ran = run(*arguments, "--format", "json")
    answer = json.loads(ran.stdout)
    assert ran.returncode == 0, ran.stderr
    return answer["pairs"]


class Sureness(unittest.TestCase):
    SIDES = [*SAXPY2, "--gpu", "gtx970", "--a", "block=256", "--b"]

    def test_what_the_intervals_say_stands_beside_the_difference(self):
        pair, = compared(*self.SIDES, "block=32")
        (low_a, high_a), (low_b, high_b) = (pair[side]["interval_ms"] for side in "ab")
        times = [pair[side]["time_ms"] for side in "ab"]
        apart = high_a < low_b or high_b < low_a
        outside = not low_b <= times[0] <= high_b or not low_a <= times[1] <= high_a
        self.assertEqual(pair["sure"], "clear" if apart else "likely" if outside else "uncertain")
        self.assertIn("; " + pair["sure"] + ")", pair["answer"])
        self.assertTrue(any(reason.startswith(pair["sure"] + ": ") for reason in pair["reasons"]), pair["reasons"])
        self.assertIn("interval", run(*self.SIDES, "block=32").stdout)

    def test_nothing_is_said_without_intervals_nor_of_equal_times(self):
        self.assertEqual(compared(*self.SIDES, "block=32", "--model", "volkov")[0]["sure"], "")
        self.assertEqual(compared(*self.SIDES, "block=256")[0]["sure"], "")


class Dissertation(unittest.TestCase):
    """Volkov 2016, 3.10: needed occupancy moves with latency times throughput."""

    def needed(self, board, first, second, *arguments):
        pair, = compared(str(KERNELS / first), str(KERNELS / second), "--gpu", board,
                         *BOARDS[board], "--grid", str(ELEMENTS // 256), "--block", "256",
                         *arguments)
        return pair["a"], pair["b"], pair

    def test_random_indices_need_fewer_warps_than_the_identity(self):
        for board in BOARDS:
            a, b, pair = self.needed(
                board, "permutation.sass", "permutation.sass", "--arg", f"0=buffer:{BYTES}",
                "--arg", f"1=buffer:{BYTES}", "--a", f"arg.2=buffer.i32:{BYTES}:iota", "--b",
                f"arg.2=buffer.i32:{BYTES}:random:1:0:{ELEMENTS}")
            self.assertGreater(b["bounds"][0]["cycles_per_warp"],
                               3 * a["bounds"][0]["cycles_per_warp"])
            self.assertLess(b["latency"]["cycles"], 2 * a["latency"]["cycles"])
            self.assertLess(b["occupancy"]["needed_warps"], 0.5 * a["occupancy"]["needed_warps"])
            self.assertIn("the throughput moves it", pair["reasons"][0])

    def test_stores_beside_the_loads_halve_the_warps_that_are_needed(self):
        for board in BOARDS:
            a, b, pair = self.needed(
                board, "vector_abs.sass", "vector_abs.sass", "--a",
                f"arg.0=buffer.f32:{BYTES}:fill:1", "--b", f"arg.0=buffer.f32:{BYTES}:fill:-1")
            ratio = b["occupancy"]["needed_warps"] / a["occupancy"]["needed_warps"]
            self.assertTrue(0.4 < ratio < 0.6, (board, ratio))
            self.assertEqual(pair["factors"][0]["id"], "traffic")

    def test_fast_math_needs_fewer_warps_for_the_same_bytes(self):
        random = [f"buffer.f32:{BYTES}:random:{seed}" for seed in ("1:5:30", "2:1:100", "3:0.25:10")]
        for board in BOARDS:
            a, b, pair = self.needed(
                board, "black_scholes.sass", "black_scholes_fast.sass", "--arg",
                f"0=buffer:{BYTES}", "--arg", f"1=buffer:{BYTES}", "--arg", "2=" + random[0],
                "--arg", "3=" + random[1], "--arg", "4=" + random[2], "--arg", "5=0.02", "--arg",
                "6=0.3", "--arg", f"7={ELEMENTS}")
            self.assertEqual((a["bounds"][0]["resource"], b["bounds"][0]["resource"]),
                             ("dram", "dram"))
            self.assertLess(b["occupancy"]["needed_warps"], 0.8 * a["occupancy"]["needed_warps"])
            self.assertIn("the latency moves it", pair["reasons"][0])


class Sides(unittest.TestCase):
    def test_each_side_has_its_own_launch_and_board(self):
        pair, = compared(*SAXPY2, "--a", "block=128", "--b", "block=256", "--a", "gpu=gtx970",
                         "--b", "gpu=gtx980")
        self.assertEqual((pair["a"]["launch"]["block"][0], pair["b"]["launch"]["block"][0]),
                         (128, 256))
        self.assertEqual((pair["a"]["gpu"]["id"], pair["b"]["gpu"]["id"]), ("gtx970", "gtx980"))
        product = 1
        for factor in pair["factors"]:
            product *= factor["factor"]
        self.assertAlmostEqual(product / pair["ratio"], 1, delta=1e-3)

    def test_several_boards_give_a_comparison_each(self):
        pairs = compared(*SAXPY2, "--gpu", "gtx970,gtx980", "--block", "256", "--b", "arg.a=8")
        self.assertEqual([p["b"]["gpu"]["id"] for p in pairs], ["gtx970", "gtx980"])

    def test_launch_files_share_the_input(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, block in (("a", 64), ("b", 512)):
                (Path(folder) / f"{name}.toml").write_text(
                    f'grid = {4096 * 64 // block}\nblock = {block}\n[args]\nn = 262144\na = 4\n')
            pair, = compared(f"{folder}/a.toml", f"{folder}/b.toml", "--input",
                             "examples/saxpy2.sass", "--gpu", "gtx970")
        self.assertEqual((pair["a"]["launch"]["block"][0], pair["b"]["launch"]["block"][0]),
                         (64, 512))

    def test_every_format_is_written(self):
        same = [*SAXPY2, "--gpu", "gtx970", "--block", "256", "--b", "arg.a=64"]
        row, = csv.DictReader(io.StringIO(run(*same, "--format", "csv").stdout))
        self.assertGreater(float(row["ratio"]), 1)
        self.assertIn("what the change of time is made of", run(*same).stdout)
        self.assertIn("</html>", run(*same, "--format", "html").stdout)
        self.assertIn("| time |", run(*same, "--format", "markdown").stdout)

    def refusal(self, code, *arguments):
        ran = run(*arguments)
        self.assertEqual((ran.returncode, ran.stdout), (code, ""), ran.stderr)
        self.assertRegex(ran.stderr, r"\Aforewarp: [^\n]+\n\Z")
        return ran.stderr

    def test_what_cannot_be_asked_is_one_line(self):
        self.assertIn("no key 'grdi'", self.refusal(1, *SAXPY2, "--a", "grdi=1"))
        self.assertIn("did you mean 'grid'?", self.refusal(1, *SAXPY2, "--a", "grdi=1"))
        self.assertIn("'x' is no value of 'smem'", self.refusal(1, *SAXPY2, "--b", "smem=x"))
        self.assertIn("percent, 0 or more", self.refusal(1, *SAXPY2, "--fail-above", "-1"))
        self.assertIn("--sweep: cannot be combined with compare", self.refusal(1, *SAXPY2, "--sweep", "a=1"))
        self.assertIn("one side is a case file", self.refusal(1, "a.jsonl", "b.sass"))
        self.assertIn("as many for both", self.refusal(
            1, *SAXPY2, "--a", "gpu=gtx970,gtx980", "--b", "gpu=gtx970,gtx980,k40"))
        self.refusal(2, "a.sass")


class Gate(unittest.TestCase):
    def files(self, folder, a, b):
        for name, cases in (("a", a), ("b", b)):
            (Path(folder) / f"{name}.jsonl").write_text("".join(json.dumps(c) + "\n" for c in cases))
        return f"{folder}/a.jsonl", f"{folder}/b.jsonl"

    @staticmethod
    def case(name, passes, block=256):
        return {"id": name, "input": str(ROOT / "examples/saxpy2.sass"), "grid": [15625],
                "block": [block], "args": {"n": 4000000, "a": passes}}

    def test_a_slower_case_fails_and_is_named_on_each_board(self):
        with tempfile.TemporaryDirectory() as folder:
            files = self.files(folder, [self.case("one", 4), self.case("two", 64), self.case("old", 1)],
                               [self.case("two", 80), self.case("one", 4), self.case("new", 1)])
            ran = run(*files, "--gpu", "gtx970,gtx980", "--fail-above", "3%")
            self.assertEqual(ran.returncode, 1)
            lines = ran.stderr.splitlines()
            self.assertEqual(len(lines), 2, ran.stderr)
            self.assertRegex(lines[0], r"forewarp: compare: two on gtx970: [\d.]+ % slower \(")
            self.assertRegex(lines[1], r"two on gtx980: ")
            self.assertIn("only in A: old", ran.stdout)
            self.assertIn("only in B: new", ran.stdout)
            self.assertEqual(run(*files, "--gpu", "gtx970", "--fail-above", "300%").returncode, 0)

    def test_a_refused_launch_fails_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            files = self.files(folder, [self.case("one", 4)], [self.case("one", 4, block=2048)])
            ran = run(*files, "--gpu", "gtx970", "--fail-above", "3")
            self.assertEqual(ran.returncode, 1)
            self.assertIn("one on gtx970: B has no prediction: ", ran.stderr)

    def test_comparing_nothing_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            for a, b in (([], []), ([self.case("one", 4)], [self.case("two", 4)])):
                ran = run(*self.files(folder, a, b), "--gpu", "gtx970", "--fail-above", "3%")
                self.assertEqual(ran.returncode, 1)
                self.assertEqual(len(ran.stderr.splitlines()), 1, ran.stderr)
                self.assertIn("--fail-above: nothing was compared: ", ran.stderr)

    def test_faster_and_equal_pass(self):
        same = [*SAXPY2, "--gpu", "gtx970", "--block", "256", "--fail-above", "0"]
        self.assertEqual(run(*same).returncode, 0)
        self.assertEqual(run(*same, "--a", "arg.a=64").returncode, 0)


if __name__ == "__main__":
    unittest.main()
