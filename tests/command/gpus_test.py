#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""One launch on many boards, names of boards, boards of one's own: gpus_test.py PROGRAM"""
import csv
import io
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(sys.argv.pop(1)).resolve())
LAUNCH = ("examples/saxpy2.sass", "--grid", "62500", "--block", "256", "--arg", "n=16000000", "--arg", "a=16")


def run(*arguments, cwd=ROOT):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, cwd=cwd)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = Path(self.folder.name) / name
        path.write_text(text, encoding="utf-8")
        return str(path)


class Boards(Folder):
    def test_a_hundred_boards_as_one_table(self):
        shown = run("gpus", *LAUNCH, "--assume-isa", "--format", "csv")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        rows = list(csv.DictReader(io.StringIO(shown.stdout)))
        self.assertGreaterEqual(len(rows), 100)
        times = [float(row["time_ms"]) for row in rows]
        self.assertEqual(times, sorted(times))
        self.assertEqual(len({row["gpu"] for row in rows}), len(rows))
        for row in rows:
            self.assertLess(float(row["interval_low_ms"]), float(row["interval_high_ms"]), row["gpu"])
            self.assertLess(float(row["joules_low"]), float(row["joules"]), row["gpu"])
            self.assertLessEqual(float(row["watts"]), float(row["limit_w"]), row["gpu"])
        self.assertEqual(rows[0]["front"], "1")

    def test_code_of_one_architecture_stays_with_its_boards(self):
        found = json.loads(run("gpus", *LAUNCH, "--format", "json").stdout)
        self.assertEqual({board["cc"] for board in found["boards"]}, {"5.2", "5.3"})
        self.assertEqual(len(found["refused"]), 1)
        boards = len(list((ROOT / "data/gpus").glob("*.toml")))
        self.assertEqual(len(found["boards"]) + len(found["refused"][0]["gpus"]), boards)
        self.assertIn("the code is for sm_52, the board is sm_10, sm_13, sm_20,", found["refused"][0]["reason"])

    def test_costs_of_a_price_table(self):
        prices = self.write("p.csv", "gpu,price_per_hour\nGTX 970,3.6\ngtx980,7.2\n")
        found = json.loads(run("gpus", *LAUNCH, "--gpu", "gtx970,gtx980,titanx", "--prices", prices, "--format", "json").stdout)
        by_id = {board["gpu"]: board for board in found["boards"]}
        self.assertAlmostEqual(by_id["gtx970"]["cost_per_1000"], by_id["gtx970"]["time_ms"] * 1e-3)
        self.assertAlmostEqual(by_id["gtx980"]["cost_per_1000"], by_id["gtx980"]["time_ms"] * 2e-3)
        self.assertIsNone(by_id["titanx"]["cost_per_1000"])
        self.assertFalse(by_id["titanx"]["front"])
        self.assertTrue(by_id["gtx970"]["front"])

    def test_the_text_says_how(self):
        shown = " ".join(run("gpus", *LAUNCH, "--gpu", "gtx970,gtx980").stdout.split())
        for part in ("saxpy2 on 2 boards", "90 % interval", "power was measured on 0 of these boards",
                     "--budget 0.5 looks at each board as closely", "assumptions"):
            self.assertIn(part, shown)

    def test_a_closer_look_is_that_of_predict(self):
        for more in ((), ("--clock", "base"), ("--timing", "event"), ("--sample", "16")):
            launch = (*LAUNCH, "--gpu", "gtx970", *more)
            close = json.loads(run("gpus", *launch, "--budget", "0.5", "--format", "json").stdout)["boards"][0]
            for budget in ((), ("--budget", "0.5")):
                if more[:1] == ("--sample",) and not budget:
                    continue  # without a budget a sample takes as long as it takes
                alone = json.loads(run("predict", *launch, *budget, "--format", "json").stdout)
                self.assertEqual(close["time_ms"], alone["time_ms"], (more, budget))
        sampled = (*LAUNCH, "--gpu", "gtx970", "--sample", "16", "--format", "json")
        self.assertEqual(json.loads(run("gpus", *sampled).stdout)["boards"][0]["time_ms"], json.loads(run("predict", *sampled).stdout)["time_ms"])

    def test_a_model_without_intervals_shows_none(self):
        launch = (*LAUNCH, "--gpu", "gtx970", "--model", "roofline")
        row = next(line for line in run("gpus", *launch).stdout.splitlines() if line.startswith("  *  gtx970"))
        self.assertRegex(row, r"gtx970 +[0-9.]+ ms +-  ")
        text = run("predict", *launch).stdout
        self.assertRegex(text, r"time +[0-9.]+ ms +no interval: how far off measurements are")

    def test_a_simulation_that_was_asked_for_has_an_interval(self):
        result = json.loads(run("predict", *LAUNCH, "--gpu", "gtx970", "--model", "sim", "--format", "json").stdout)
        low, high = result["interval_ms"]
        self.assertLess(1.2 * low, result["time_ms"])
        self.assertGreater(high, 1.2 * result["time_ms"])
        self.assertIn("the simulation was asked for", result["interval_meaning"])

    def test_bandwidths_of_different_kinds_are_marked(self):
        found = json.loads(run("gpus", *LAUNCH, "--assume-isa", "--gpu", "l40,rtx4090,rtx3090", "--format", "json").stdout)
        kinds = {board["gpu"]: board["bandwidth_from"] for board in found["boards"]}
        self.assertEqual(kinds["rtx4090"], "copies")
        self.assertEqual(kinds["l40"], "lattice")
        stated = json.loads(run("gpus", *LAUNCH, "--assume-isa", "--gpu", "l40", "--set", "hw.memory.mixed_share=0.9", "--format", "json").stdout)
        self.assertEqual(stated["boards"][0]["bandwidth_from"], "--set")

    def test_refusals(self):
        prices = self.write("p.csv", "gpu,price_per_hour\ngtx970,1\n3080,2\n")
        for arguments, part in ((["--gpu", "rtx3090"], "forewarp: no board can run it: "),
                                (["--gpu", "gtx970", "--format", "html"],
                                 "forewarp: --format: no format of a table of boards is named 'html'; expected text, markdown, json, csv"),
                                (["--gpu", "gtx970", "--prices", "none.csv"], "none.csv"),
                                (["--gpu", "gtx970", "--prices", prices], "p.csv row 2: GPU '3080': 2 boards have this name")):
            ran = run("gpus", *LAUNCH, *arguments)
            self.assertEqual(ran.returncode, 1, arguments)
            self.assertIn(part, ran.stderr)
            self.assertEqual(ran.stderr.count("\n"), 1)
        self.assertEqual(run("gpus", *LAUNCH, "--sweep", "block=32").returncode, 2)

    def test_buffers_beyond_the_memory_are_a_reason(self):
        big = [part for index in (2, 3) for part in ("--arg", f"{index}=buffer:2500000000")]
        shown = run("gpus", *LAUNCH, "--gpu", "gtx970,titanx", *big, "--format", "json")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        found = json.loads(shown.stdout)
        self.assertEqual([board["gpu"] for board in found["boards"]], ["titanx"])
        self.assertEqual(found["refused"][0]["reason"], "the buffers need 5 GB, more than the board's memory")
        ran = run("gpus", *LAUNCH, "--gpu", "gtx970", *big)
        self.assertIn("the buffers need 5 GB, more than the board's memory", ran.stderr)
        self.assertIn("give smaller buffers, or boards with more memory", ran.stderr)


class Names(unittest.TestCase):
    def test_one_board_is_taken_and_said(self):
        for asked, board in (("970", "gtx970"), ("GeForce GTX 970", "gtx970"), ("980 ti", "gtx980ti")):
            found = json.loads(run("predict", *LAUNCH, "--gpu", asked, "--format", "json").stdout)
            self.assertEqual(found["gpu"]["id"], board)
            said = [a["text"] for a in found["assumptions"] if a["id"] == "gpu"]
            self.assertEqual(len(said), 0 if asked.startswith("GeForce") else 1, said)
        self.assertIn("'970' is the NVIDIA GeForce GTX 970, the one board that the name fits: gtx970",
                      json.dumps(json.loads(run("predict", *LAUNCH, "--gpu", "970", "--format", "json").stdout)["assumptions"]))

    def test_several_are_listed(self):
        for command in (("predict", *LAUNCH, "--gpu", "v100"), ("gpu", "show", "v100")):
            ran = run(*command)
            self.assertEqual(ran.returncode, 1)
            self.assertIn("boards have this name; expected one of v100-pcie-16 (16 GB", ran.stderr)
            self.assertIn("v100-sxm2-32 (32 GB", ran.stderr)

    def test_a_table_takes_all_of_a_name(self):
        ran = run("gpus", *LAUNCH, "--assume-isa", "--gpu", "a100,a100-pcie-40,3090", "--format", "csv")
        boards = [row["gpu"] for row in csv.DictReader(io.StringIO(ran.stdout))]
        self.assertEqual(sorted(boards), ["a100-pcie-40", "a100-pcie-80", "a100-sxm-40", "a100-sxm-80", "rtx3090"])
        unknown = run("gpus", *LAUNCH, "--gpu", "a100,none")
        self.assertEqual(unknown.returncode, 1)
        self.assertIn("forewarp: GPU 'none': no GPU has this id or name", unknown.stderr)

    def test_the_list_says_whose_bandwidth(self):
        boards = json.loads(run("gpu", "list", "--format", "json").stdout)
        self.assertGreaterEqual(len(boards), 100)
        self.assertGreaterEqual(sum(board["copies_from"] == "own" for board in boards), 60)
        for board in boards:
            self.assertTrue(board["copies_source"], board)
            self.assertLess(board["copies_gbs"], board["memory_gbs"], board)


class WhatIf(unittest.TestCase):
    def test_a_factor_multiplies(self):
        def time(*more):
            return float(run("predict", *LAUNCH, "--gpu", "gtx980", "--fast", "--format", "number", *more).stdout)
        self.assertLess(time("--set", "hw.memory.bandwidth=x2"), 0.75 * time())
        self.assertEqual(time("--set", "hw.memory.bandwidth=x1"), time())
        refused = run("predict", *LAUNCH, "--gpu", "gtx980", "--set", "hw.l2.bytes=xmuch")
        self.assertEqual(refused.stderr, "forewarp: --set hw.l2.bytes: 'xmuch' is no factor; expected x and a number above 0: x2\n")

    def test_factors_are_swept(self):
        swept = run("predict", *LAUNCH, "--gpu", "gtx980", "--fast", "--sweep", "hw.memory.bandwidth=x0.5,x1,x2", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(swept.stdout)))
        self.assertEqual([row["hw.memory.bandwidth"] for row in rows], ["x0.5", "x1", "x2"])
        times = [float(row["time_ms"]) for row in rows]
        self.assertEqual(times, sorted(times, reverse=True))


class New(Folder):
    def test_a_board_of_a_device_query(self):
        query = str(ROOT / "tests/fixtures/boards/device_query.txt")
        made = run("gpu", "new", "mine", "--like", "rtxa4000", "--from-device-query", query, cwd=self.folder.name)
        self.assertEqual((made.returncode, made.stdout), (0, "mine.toml: edit it, then 'forewarp gpu check mine.toml'\n"))
        self.assertIn("shows 2 devices: the first is taken, Example 4000", made.stderr)
        self.assertIn("0 errors", run("gpu", "check", "mine.toml", cwd=self.folder.name).stdout)
        shown = json.loads(run("gpu", "show", "./mine.toml", "--format", "json", cwd=self.folder.name).stdout)
        self.assertEqual((shown["name"], shown["facts"]["sm.count"]["value"]), ("Example 4000", 48))
        self.assertAlmostEqual(shown["facts"]["memory.theory_gbs"]["value"], 7001 * 2 * 256 / 8e3, places=3)
        again = run("gpu", "new", "mine", "--like", "rtxa4000", cwd=self.folder.name)
        self.assertEqual((again.returncode, again.stderr),
                         (1, "forewarp: mine.toml: is there already; expected a file to be made; name another with -o\n"))

    def test_refusals(self):
        for arguments, line in ((["../up", "--like", "t4"], "NAME: '../up'; expected an id of small letters, digits, - _ and ."),
                                (["x", "--like", "t4", "--from-device-query", "none.txt"], "none.txt")):
            ran = run("gpu", "new", *arguments, cwd=self.folder.name)
            self.assertEqual(ran.returncode, 1)
            self.assertIn(line, ran.stderr)
        self.assertEqual(run("gpu", "new", "x", cwd=self.folder.name).returncode, 2)


if __name__ == "__main__":
    unittest.main()
