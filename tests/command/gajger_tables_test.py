#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Every kernel time of Gajger 2017 that its equations give, to all digits: gajger_tables_test.py PROGRAM"""
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "show"))
import gajger_tables

PROGRAM = str(Path(sys.argv.pop(1)).resolve())


def predict(*words):
    return json.loads(subprocess.run([PROGRAM, "predict", *map(str, words), "--format", "json"], capture_output=True, text=True, check=True).stdout)


class Tables(unittest.TestCase):
    def assert_table(self, name, rows_expected, ask):
        rows = gajger_tables.table(name)
        self.assertEqual(len(rows), rows_expected)
        for row in rows:
            for value, printed in ask(predict, row):
                self.assertAlmostEqual(value / printed, 1, delta=2e-6, msg=row)

    def test_formulas_of_saxpy2(self):
        holds, figure = gajger_tables.thesis_formulas(predict)
        self.assertTrue(holds, figure)

    def test_over_intensity(self):
        self.assert_table("intensity.csv", 13, gajger_tables.by_intensity)

    def test_over_occupancy(self):
        self.assert_table("occupancy.csv", 12, gajger_tables.by_occupancy)

    def test_over_block_size(self):
        self.assert_table("block.csv", 11, gajger_tables.by_block)


if __name__ == "__main__":
    unittest.main()
