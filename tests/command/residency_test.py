#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Warps on SMs over time, from a file of times: residency_test.py PROGRAM"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1)
NOW = 1720000000000000000  # ns, as %globaltimer counts: doubles have steps of 256 there
FIGURES = ("mean", "most", "imbalance", "tail", "over_time", "sm_count")


class Residency(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.file = Path(room.name) / "warps.csv"

    def ask(self, rows, *words, code=0):
        self.file.write_text("sm,start,end\n" + "".join(f"{sm},{start},{end}\n" for sm, start, end in rows), encoding="utf-8")
        ran = subprocess.run([PROGRAM, "residency", self.file, *map(str, words)], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran.stdout if code == 0 else ran.stderr.replace(str(self.file), "warps.csv")

    def as_json(self, rows, *words):
        return json.loads(self.ask(rows, *words, "--format", "json"))

    def test_a_clock_since_1970_is_as_good_as_one_from_zero(self):
        rows = [(i % 4, 37 * i, 37 * i + 200 + 15 * i) for i in range(200)]
        late_rows = [(sm, NOW + start, NOW + end) for sm, start, end in rows]
        early, late = self.as_json(rows), self.as_json(late_rows)
        self.assertEqual([early[one] for one in FIGURES], [late[one] for one in FIGURES])
        self.assertEqual((late["begin"], late["end"]), (NOW, NOW + early["end"]))
        self.assertEqual([sm["begin"] - NOW for sm in late["sms"]], [sm["begin"] for sm in early["sms"]])
        self.assertIn(f"{NOW}  ", self.ask(late_rows))
        self.assertIn(f" {NOW + early['end']}\n", self.ask(late_rows))

    def test_sms_without_warps(self):
        rows = [(5, 0, 10), (5, 0, 10)]
        self.assertEqual(self.as_json(rows)["imbalance"], 1)
        for option, sms, named in ((("--sms", 16), 16, "--sms"), (("--gpu", "gtx980"), 16, "--gpu gtx980")):
            got = self.as_json(rows, *option)
            self.assertEqual((got["imbalance"], got["sm_count"], got["sm_count_from"]), (sms, sms, named))
            self.assertIn(f"16 SMs by {named}, 1 of them with warps", self.ask(rows, *option))
        self.assertIn("1 SMs with warps (--sms N or --gpu ID counts those without, too)", self.ask(rows))

    def test_more_sms_than_the_board_has(self):
        rows = [(sm, 0, 1) for sm in range(17)]
        for option, named in ((("--sms", 16), "--sms"), (("--gpu", "gtx980"), "--gpu gtx980")):
            self.assertIn(f"{named}: 16 SMs; expected at least the 17 that have warps in warps.csv", self.ask(rows, *option, code=1))


if __name__ == "__main__":
    unittest.main()
