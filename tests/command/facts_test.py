#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Every number of a GPU file changes an answer, or docs/no_effect.toml says why not; a sample of them: facts_test.py PROGRAM

scripts/facts asks all of them, of boards of several generations."""
import fnmatch
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import facts

PROGRAM = sys.argv.pop(1)
GPU = "a100-sxm-80"
EVERY = 16  # so many-th number is asked
ATOMIC = "atomic.lane_cycles"


class Facts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = facts.Table(PROGRAM, GPU)
        cls.listed = facts.reasons()

    def test_launches_are_predicted(self):
        self.assertEqual(self.table.refused, {})

    def test_numbers_change_an_answer_or_say_why_not(self):
        asked = [path for path in self.table.facts if self.table.driven(path) and facts.reason_for(path, self.listed, self.table.facts) is None]
        silent = [path for path, changed in self.table.effects(asked[:: EVERY]).items() if not changed]
        self.assertEqual(silent, [], "change nothing: make a model read them, or list them with the reason")

    def test_an_atomic_number_changes_answers_of_both(self):
        changed = self.table.effects([ATOMIC], every_launch=True)[ATOMIC]
        self.assertLessEqual({"auto", "sim", "bounds"}, changed)

    def test_reasons_speak_of_numbers_that_are_there(self):
        known = set(self.table.facts)
        for gpu in ("gtx970", "h100-pcie-80", "rtx3090", "k40", "8800gtx", "t4"):
            known |= set(facts.facts_of(PROGRAM, gpu)[0])
        for pattern, reason, _ in self.listed:
            self.assertTrue(any(fnmatch.fnmatchcase(path, pattern) for path in known), f"{pattern}: no such number")
            self.assertTrue(reason)


if __name__ == "__main__":
    unittest.main()
