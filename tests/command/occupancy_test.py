#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""forewarp occupancy as a user runs it: occupancy_test.py PROGRAM"""
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


def occupancy(*arguments, code=0):
    ran = subprocess.run([PROGRAM, "occupancy", *arguments], capture_output=True, text=True,
                         check=False)
    assert ran.returncode == code, (ran.returncode, ran.stderr)
    return ran.stdout if code == 0 else ran.stderr


class Occupancy(unittest.TestCase):
    def test_text(self):
        text = occupancy("--cc", "7.0", "--block", "256", "--regs", "40", "--smem", "12288")
        self.assertIn("  warps       48 of 64 per SM (75 %)\n", text)
        self.assertIn("  limited by  regs\n", text)
        self.assertIn("warps 8, regs 6, smem 8, blocks 32, barriers -", text)

    def test_json_of_a_refused_launch(self):
        launch = ["--cc", "8.6", "--block", "864", "--regs", "73"]
        ran = subprocess.run([PROGRAM, "occupancy", *launch, "--format", "json"],
                             capture_output=True, text=True, check=False)
        answer = json.loads(ran.stdout)
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(answer["schema"], "forewarp.occupancy/1")
        self.assertEqual((answer["blocks_per_sm"], answer["limiter"]), (0, ["regs"]))
        self.assertTrue(answer["error"].startswith("too many resources requested for launch: 73"))
        self.assertEqual(ran.stderr, f"forewarp: occupancy: {answer['error']}\n")
        self.assertEqual(occupancy(*launch, code=1), ran.stderr)

    def test_a_board_has_the_limits_of_its_capability(self):
        options = ["--block", "96", "--regs", "88", "--format", "csv"]
        self.assertEqual(occupancy("--gpu", "gtx1080", *options),
                         occupancy("--cc", "6.1", *options))

    def test_curve(self):
        rows = list(csv.DictReader(io.StringIO(occupancy(
            "--cc", "7.5", "--regs", "32", "--curve", "block", "--format", "csv"))))
        self.assertEqual(len(rows), 32)
        self.assertEqual(rows[0], {"block": "32", "blocks_per_sm": "16", "warps_per_sm": "16",
                                   "limiters": "blocks"})

    def test_table_answers_every_published_row(self):
        path = ROOT / "validation" / "occupancy_vectors.csv"
        answers = list(csv.DictReader(io.StringIO(occupancy("--table", str(path)))))
        published = list(csv.DictReader(io.StringIO(path.read_text())))
        self.assertEqual(len(answers), len(published))
        for found, row in zip(answers, published):
            if not row["note"]:
                self.assertEqual({key: row[key] for key in found}, found)

    def test_wrong_input_is_one_line(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as table:
            table.write("cc,block,regs,static_smem,dynamic_smem,carveout_config,block_barriers\n"
                        "7.0,many,32,0,0,-1,0\n")
            table.flush()
            message = occupancy("--table", table.name, code=1)
            self.assertEqual(message, f"forewarp: {table.name}:2: 'many' in column 'block'; expected "
                                      "a whole number\n")
        self.assertIn("--gpu ID or --cc X.Y", occupancy("--block", "32", "--regs", "8", code=1))
        self.assertIn("--block N", occupancy("--cc", "7.0", "--regs", "8", code=1))
        self.assertIn("1.0, 1.1", occupancy("--cc", "7.1", "--block", "32", "--regs", "8", code=1))
        occupancy("--cc", "7.0", "--curve", "warps", code=2)


if __name__ == "__main__":
    unittest.main()
