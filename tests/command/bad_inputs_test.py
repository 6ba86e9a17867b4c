#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Inputs that once broke the command line, or were believed: bad_inputs_test.py PROGRAM"""
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from needs import SHARED_MEMORY, needs

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.path.abspath(sys.argv.pop(1))
CASE = {"input": str(ROOT / "examples" / "saxpy2.sass"), "gpu": "gtx970", "grid": 64, "block": 256, "args": {"n": 16384, "a": 2}}
HEAD = "// kernel k\n// arch sm_52\n// registers 8\n// shared 0\n// param 0 n int\n"


class BadInputs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def run_in(self, *arguments, stdin=""):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, input=stdin, cwd=self.path)

    def refused(self, part, *arguments, stdin="", code=1):
        ran = self.run_in(*arguments, stdin=stdin)
        self.assertEqual(ran.returncode, code, ran.stdout)
        self.assertRegex(ran.stderr, r"\Aforewarp: [^\n]+\n\Z")
        self.assertIn(part, ran.stderr)

    def test_loops_with_two_entries_end(self):
        knot = self.path / "knot.sass"
        knot.write_text(HEAD + "@P0 BRA `(.B);\n.A:\nIADD R1, R1, 0x1;\n.B:\nIADD R2, R2, 0x1;\n@P1 BRA `(.A);\nEXIT;\n")
        ran = self.run_in("predict", knot, "--gpu", "gtx970", "--grid", "4", "--block", "64", "--arg", "n=4", "--static")
        self.assertIn(ran.returncode, (0, 1))

    def test_blocks_that_wait_for_ones_without_room_have_no_time(self):
        barrier = (ROOT / "validation" / "order" / "blocks_in_order.sass", "--kernel", "counter_barrier", "--gpu", "a40", "--block", 256,
                   "--arg", "0=buffer:4:zeros", "--arg", "1=3")
        self.refused("504 blocks are resident and wait, 1 other cannot start", "predict", *barrier, "--grid", 505)
        self.assertEqual(self.run_in("predict", *barrier, "--grid", 504).returncode, 0)

    def test_what_only_a_case_states_is_refused_beside_cases(self):
        line = json.dumps(CASE) + "\n"
        for option in (["--grid", "5"], ["--block", "5"], ["--arg", "n=1"], ["--smem", "4"]):
            self.refused(f"{option[0]}: cannot be combined with --cases", "predict", "--cases", "-", *option, stdin=line)

    def test_a_small_stack_is_enough(self):
        words = ("predict", CASE["input"], "--gpu", "gtx970", "--grid", "64", "--block", "256", "--arg", "n=16384", "--arg", "a=2", "--no-cache",
                 "--format", "number")
        small = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (48 << 10, 48 << 10)))
        self.assertEqual((small.returncode, small.stderr), (0, ""))
        self.assertEqual(small.stdout, self.run_in(*words).stdout)

    def test_a_budget_is_a_number(self):
        self.refused("--budget", "predict", CASE["input"], "--gpu", "gtx970", "--grid", "4", "--block", "64", "--budget", "nan", code=2)

    def test_options_of_models_have_ranges(self):
        words = ["predict", CASE["input"], "--gpu", "gtx970", "--grid", "64", "--block", "256", "--arg", "n=16384", "--arg", "a=2", "--model", "gajger"]
        for option in ("launch=-5", "saturation=0.01", "saturation=-1", "saturation=5000", "lambda=-1", "occupancy=1000", "occupancy=-1"):
            name, value = option.split("=")
            self.refused(f"option gajger.{name}: '{value}' is not a value of it; expected ", *words, "--option", f"gajger.{option}")
        self.refused("from 0.001 to 64, as many as fit on NVIDIA GeForce GTX 970", *words, "--option", "gajger.occupancy=65")
        self.assertEqual(self.run_in(*words, "--option", "gajger.saturation=500").returncode, 0)

    def test_a_time_that_is_no_number_says_so(self):
        words = ["predict", CASE["input"], "--gpu", "gtx970@gajger", "--grid", "64", "--block", "256", "--arg", "n=16384", "--arg", "a=2", "--model", "gajger"]
        for rate, time in (("1e-310", "inf"), ("-1", "0")):
            self.refused(f"gives no time for it on NVIDIA GeForce GTX 970: its time is {time} ms;", *words, "--set", f"hw.gajger.lambda={rate}")

    def test_cases_are_not_written_over(self):
        cases = self.path / "cases.jsonl"
        cases.write_text(json.dumps(CASE) + "\n")
        self.refused("is the file of --cases", "predict", "--cases", cases, "-o", cases)
        self.assertEqual(json.loads(cases.read_text()), CASE)

    def test_folders_of_others_stay(self):
        alike = self.path / "forewarp-3999999-results"
        alike.mkdir(mode=0o700)
        (alike / "data").write_text("mine")
        (self.path / "k.cu").write_text("__global__ void k() {}\n")
        subprocess.run([PROGRAM, "predict", "k.cu", "--gpu", "gtx970", "--grid", "1", "--block", "32"], capture_output=True, check=False,
                       cwd=self.path, env=dict(os.environ, TMPDIR=str(self.path)))
        self.assertEqual((alike / "data").read_text(), "mine")

    def test_a_shell_reads_no_compile_option(self):
        (self.path / "k.cu").write_text("__global__ void k() {}\n")
        for option in ("-v;touch here", "-v|touch here", "-v$(touch here)"):
            case = {"id": "x", "input": "k.cu", "gpu": "gtx970", "grid": [1], "block": [32], "compile_options": ["-Xptxas", option]}
            ran = self.run_in("predict", "--cases", "-", stdin=json.dumps(case) + "\n")
            self.assertFalse((self.path / "here").exists())
            if "toolkit" not in ran.stdout:
                self.assertIn("is for a shell", ran.stdout)

    @needs(SHARED_MEMORY)
    def test_files_in_memory_are_files(self):
        target = Path("/dev/shm") / f"forewarp-test-{os.getpid()}.json"
        try:
            for text in ("x" * 100000, ""):  # longer before, and not there
                if text:
                    target.write_text(text)
                ran = self.run_in("predict", CASE["input"], "--gpu", "gtx970", "--grid", "4", "--block", "64", "--arg", "n=4", "--arg",
                                  "a=2", "--format", "json", "-o", target)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                json.loads(target.read_text())
                target.unlink()
        finally:
            target.unlink(missing_ok=True)

    def test_any_number_of_threads_gives_the_same(self):
        words = ["predict", CASE["input"], "--gpu", "gtx970", "--block", "256", "--arg", "n=4096", "--arg", "a=2", "--sweep", "grid=64,128",
                 "--format", "csv", "--grid", "64"]
        one = self.run_in(*words, "-j", "1")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(self.run_in(*words, "-j", "4294967295").stdout, one.stdout)

    def test_finished_lines_are_there_when_it_is_ended(self):
        """The second case never comes: the first one's line is in the file although the pipe stays open."""
        out = self.path / "out.jsonl"
        process = subprocess.Popen([PROGRAM, "predict", "--cases", "-", "-o", str(out), "-j", "1"], stdin=subprocess.PIPE, cwd=self.path)
        process.stdin.write((json.dumps(CASE) + "\n").encode() * 2 + b" " * (1 << 16))
        process.stdin.flush()
        for _ in range(1000):
            if out.exists() and out.read_text().count("\n") >= 1:
                break
            try:
                process.wait(timeout=0.01)
            except subprocess.TimeoutExpired:
                pass
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=10), -signal.SIGTERM)
        process.stdin.close()
        lines = out.read_text().splitlines(keepends=True)
        self.assertTrue(lines and all(line.endswith("\n") and json.loads(line)["error"] is None for line in lines))
        self.assertEqual(os.listdir(self.path), ["out.jsonl"])

    def test_results_go_where_they_are_sent(self):
        words = ["predict", CASE["input"], "--gpu", "gtx970", "--grid", "64", "--block", "256", "--arg", "n=16384", "--arg", "a=2",
                 "--format", "number", "-o"]
        number = self.run_in(*words, "/dev/stdout").stdout
        self.assertGreater(float(number), 0)
        (self.path / "link").symlink_to("target")
        self.assertEqual(self.run_in(*words, "link").returncode, 0)
        self.assertTrue((self.path / "link").is_symlink())
        self.assertEqual((self.path / "target").read_text(), number)
        self.refused("is a folder", *words, ".")
        self.refused("No space left", *words, "/dev/full")
        self.assertEqual(sorted(os.listdir(self.path)), ["link", "target"])


if __name__ == "__main__":
    unittest.main()
