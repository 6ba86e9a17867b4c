#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The page of options, and what cannot be combined with cases: options_test.py PROGRAM"""
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
LAUNCH = ["--gpu", "gtx970", "--grid", "10", "--block", "256", "--arg", "n=2560", "--arg", "a=3"]
CASE = {"id": "a", "input": "examples/saxpy2.sass", "gpu": "gtx970", "grid": [10],
        "block": [256], "args": {"n": 2560, "a": 3}}


def run(*arguments, stdin=""):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False,
                          input=stdin, cwd=ROOT)


class Options(unittest.TestCase):
    def test_the_page_is_the_table(self):
        page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
        self.assertEqual(run("options").stdout, page, "write it anew: forewarp options -o docs/options.md")

    def test_the_page_names_every_flag_of_predict(self):
        page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
        flags = re.findall(r"--[a-z-]+", run("predict", "--help").stdout)
        for flag in sorted(set(flags) - {"--help", "--help-all", "--host"}):
            self.assertIn(f"`{flag}`", page)

    def echo(self, *arguments):
        ran = run("predict", "examples/saxpy2.sass", *LAUNCH, *arguments, "--format", "json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout)["options"]

    def test_the_result_tells_what_was_given(self):
        self.assertEqual(self.echo(), {"clock": "sustained", "timing": "device", "cold": "true"})
        given = self.echo("--sample", "all", "--budget", "2.5", "--exact", "--fast")
        for name, value in (("sample", "all"), ("budget", 2.5), ("exact", "true"),
                            ("fast", "true")):
            self.assertEqual(given[name], value)

    def refused(self, code, *arguments, stdin=""):
        ran = run(*arguments, stdin=stdin)
        self.assertEqual((ran.returncode, ran.stdout), (code, ""), ran.stderr)
        self.assertRegex(ran.stderr, r"\Aforewarp: [^\n]+\n\Z")
        return ran.stderr

    def test_a_budget_that_is_no_number_is_refused(self):
        for budget in ("nan", "inf", "-1", "0"):
            self.assertIn("--budget", self.refused(2, "predict", "a.sass", "--budget", budget))
        self.assertIn("'nan' is no value of 'budget'",
                      self.refused(1, "compare", "a.sass", "b.sass", "--a", "budget=nan"))

    def test_a_launch_beside_cases_is_refused(self):
        for option in (["--grid", "5"], ["--block", "32"], ["--smem", "0"], ["--arg", "n=3"],
                       ["--launch", "l.toml"], ["--sweep", "block=32,64"], ["--copy", "h2d:4"]):
            for command in ("predict", "profile"):
                line = self.refused(1, command, "--cases", "-", *option, stdin=json.dumps(CASE))
                self.assertIn(f"{option[0]}: cannot be combined with --cases; expected ", line)

    def test_what_wins_over_a_case_does(self):
        ran = run("predict", "--cases", "-", "--clock", "1000", "--timing", "event",
                  stdin=json.dumps(CASE | {"clock_mhz": 1100}))
        options = json.loads(ran.stdout)["options"]
        self.assertEqual((options["clock"], options["timing"]), (1000, "event"))

    def test_every_key_of_a_side_is_a_key_of_the_table(self):
        line = self.refused(1, "compare", "a.sass", "b.sass", "--a", "bugdet=1")
        self.assertIn("did you mean 'budget'?", line)
        for key in ("dynamic_shared=4", "clock_mhz=900", "repeat=warm", "assume_isa=true",
                    "compile_options=-O1 -g", "hw.sm.count=3", "link.x=1", "arg.n=3",
                    "trip.0x40=3", "static=true"):
            self.assertNotIn("--a: ", run("compare", "a.sass", "b.sass", "--a", key).stderr)


if __name__ == "__main__":
    unittest.main()
