#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What is installed works where it was moved to, with its own data: install_test.py PROGRAM"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from needs import Need, built, needs

PROGRAM = Path(sys.argv.pop(1)).resolve()
BUILD = PROGRAM.parents[2]
OWN = BUILD / "tests" / "programs" / "own_programs"
PROGRAMS = Need("forewarp-run", lambda: (PROGRAM.parent / "forewarp-run").exists() and OWN.exists())


class Installed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        first, self.prefix = Path(folder.name) / "first", Path(folder.name) / "moved"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", first], check=True, capture_output=True)
        shutil.move(first, self.prefix)

    def run_moved(self, *arguments):
        environment = {name: value for name, value in os.environ.items() if name != "FOREWARP_DATA"}
        return subprocess.run([self.prefix / "bin" / "forewarp", *arguments], capture_output=True, text=True, check=False,
                              cwd="/", env=environment)

    def test_finds_its_own_data(self):
        boards = self.prefix / "share" / "forewarp" / "data" / "gpus"
        every = len(list(boards.glob("*.toml")))
        for board in list(boards.glob("*.toml")):
            if board.stem != "titanx":
                board.unlink()
        listed = self.run_moved("gpu", "list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertGreater(every, 20)
        self.assertIn("titanx", listed.stdout)
        self.assertNotIn("gtx970", listed.stdout)

    def test_finds_the_suite(self):
        bench = self.prefix / "bin" / "forewarp-bench"
        fine = "1 tests are what they say, 0 are refused, 0 expect nothing"
        words = [bench, "check", "chain_fadd", "--listings", "--arch", "70"]
        self.assertIn(fine, subprocess.run(words, capture_output=True, text=True, check=False, cwd="/").stdout)
        for listing in ("bench/kernels/latency.sass", "validation/throughput/arithmetic.sass"):
            self.assertTrue((self.prefix / "share" / "forewarp" / listing).exists(), listing)

    def test_brings_completion_and_a_manual_page(self):
        share = self.prefix / "share"
        self.assertIn("complete -o filenames", (share / "bash-completion/completions/forewarp").read_text(encoding="utf-8"))
        self.assertTrue((share / "man/man1/forewarp.1").read_text(encoding="utf-8").startswith(".TH FOREWARP 1"))

    def test_predicts_an_installed_example(self):
        example = self.prefix / "share" / "forewarp" / "examples" / "saxpy2.sass"
        ran = self.run_moved("predict", str(example), "--gpu", "titanx", "--grid", "15625", "--block", "256", "--arg", "n=4000000",
                             "--arg", "a=1", "--no-cache")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    @needs(built("forewarp-system", PROGRAM))
    def test_simulates_an_installed_application(self):
        systems = self.prefix / "share" / "forewarp" / "examples" / "systems"
        ran = self.run_moved("simulate", str(systems / "hopper_node.toml"), str(systems / "language_model.lua"), "--change", "c.gpus=1", "--set", "layers=1")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    @needs(PROGRAMS)
    def test_runs_a_program(self):
        with_substitutes = self.prefix / "lib" / "forewarp" / "run"
        self.assertTrue((with_substitutes / "libcudart.so.12").exists())
        ran = self.run_moved("run", "--gpu", "rtx4090", "-q", "--", OWN, "results")
        self.assertEqual(ran.stdout, "PASS 0 values differ\n", ran.stderr)


if __name__ == "__main__":
    unittest.main()
