#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""forewarp-bench as a user runs it: suite_test.py PROGRAM (that of forewarp, beside which it is built)"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.argv.pop(1)).resolve().parents[1] / "forewarp-bench" / "forewarp-bench"


def run(*words, **environment):
    return subprocess.run([str(PROGRAM), *map(str, words)], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def records(folder):
    lines = (Path(folder) / "samples.tsv").read_text().splitlines()
    return {tuple(line.split("\t")[:3]): line.split("\t")[-1] for line in lines[1:]}


class Suite(unittest.TestCase):
    def setUp(self):
        self.room = tempfile.TemporaryDirectory()
        self.out = Path(self.room.name) / "out"

    def tearDown(self):
        self.room.cleanup()

    def latency(self, *more):
        ran = run("run", "--device", "forewarp:v100-pcie-16", "--out", self.out, "chain_fadd", *more)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        (short, long) = (float(its.partition("*")[0]) for its in records(self.out).values())
        facts = json.loads((self.out / "device.json").read_text())
        self.assertEqual(facts["backend"], "forewarp")
        clock = float((self.out / "samples.tsv").read_text().splitlines()[1].split("\t")[4])
        return (long - short) / (48 - 16) * clock / 64  # 16 and 48 passes of 64 additions

    def test_rehearsal_gives_the_latency_of_the_file(self):
        self.assertAlmostEqual(self.latency(), 4, delta=0.2)

    def test_rehearsal_gives_the_latency_that_was_set(self):
        self.assertAlmostEqual(self.latency("--set", "hw.class.fp32.latency=9"), 9, delta=0.2)

    def test_rehearsal_gives_the_latency_that_was_altered(self):
        found = self.latency("--alter", 7)
        altered = json.loads((self.out / "altered.json").read_text())["facts"]["class.fp32.latency"]
        self.assertEqual(altered["from"], 4)
        self.assertNotEqual(altered["to"], 4)
        self.assertAlmostEqual(found, altered["to"], delta=2)

    def test_goes_on_with_the_same_alteration_alone(self):
        self.latency("--alter", 7)
        before = (self.out / "altered.json").read_text()
        ran = run("run", "--device", "forewarp:v100-pcie-16", "--out", self.out, "chain_fadd", "--alter", 8, "--resume")
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, "another (alteration|device)")
        self.assertEqual((self.out / "altered.json").read_text(), before)

    def test_every_listing_is_what_its_test_measures(self):
        ran = run("check", "--listings", "--arch", "52,70,75,80")
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn(" 0 are refused", ran.stdout)

    def test_measures_by_the_driver_and_goes_on(self):
        subprocess.run(["c++", "-std=c++17", "-shared", "-fPIC", "-o", Path(self.room.name) / "libcuda.so.1",
                        ROOT / "validation" / "measure" / "stub_driver.cpp"], check=True)
        (Path(self.room.name) / "windows.fatbin").write_text("code")
        words = ["run", "--device", "cuda:0", "--images", self.room.name, "--out", self.out, "window_add_2"]
        first = run(*words, LD_LIBRARY_PATH=self.room.name)
        self.assertEqual(first.stdout, "6 records measured, 0 known before, 0 refused, 0 left\n", first.stderr)
        self.assertEqual(records(self.out)[("window_add_2", "blocks=1,threads=32", "window")], "17*1600")  # 32 x 50
        again = run(*words, "--resume", LD_LIBRARY_PATH=self.room.name)
        self.assertEqual(again.stdout, "0 records measured, 6 known before, 0 refused, 0 left\n", again.stderr)
        (Path(self.room.name) / "launch.fatbin").write_text("code")
        words[-1] = "empty_event"
        self.assertIn("times launches by events alone", run(*words, "--resume", LD_LIBRARY_PATH=self.room.name).stderr)
        tests = Path(self.room.name) / "tests.toml"
        tests.write_text((ROOT / "bench/tests.toml").read_text().replace("buffer:8\"", "buffer:8:iota\""))
        words[-1] = "empty"
        counted = run(*words, "--resume", "--tests", tests, LD_LIBRARY_PATH=self.room.name)
        self.assertIn("'buffer:8:iota' cannot be filled on a GPU", counted.stderr)

    def test_refuses_in_one_line(self):
        for words, part in ((["run", "--device", "gpu", "--out", self.out], "'gpu' is no device; expected cuda:NUMBER, forewarp:GPU"),
                            (["run", "--device", "synthetic:x.toml", "--alter", "1", "--out", self.out], "cannot be combined with --device"),
                            (["run", "--device", "forewarp:t4", "--out", self.out, "chain_fad"], "did you mean 'chain_fadd'?"),
                            (["run", "--device", "forewarp:t4", "--out", self.out, "--budget", "x"], "'x' is no time"),
                            (["check", "--arch", "new"], "'new' is no architecture")):
            ran = run(*words)
            self.assertEqual(ran.returncode, 1, words)
            self.assertEqual(len(ran.stderr.splitlines()), 1, ran.stderr)
            self.assertIn(part, ran.stderr)


if not PROGRAM.exists():
    sys.exit(0)
unittest.main()
