#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Tuning as a user meets it: tune_test.py PROGRAM

A toolkit made of scripts stands in for the compiler: its "disassembler" prints a listing that the repository has, so that
everything but the code is as it is with the vendor's."""
import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(sys.argv.pop(1)).resolve())
SOURCE = "// FACTOR\nextern \"C\" __global__ void saxpy2(float* x, float* y, int n, int a) {}\n"
LISTING = ROOT / "examples" / "saxpy2.sass"
GPU = "gtx970"


class Tune(unittest.TestCase):
    def setUp(self):
        self.held = tempfile.TemporaryDirectory()
        self.addCleanup(self.held.cleanup)
        self.folder = Path(self.held.name)
        self.log = self.folder / "compiled.txt"
        (self.folder / "k.cu").write_text(SOURCE)
        self.toolkit()

    def toolkit(self):
        """Programs that stay as they are: others would be another toolkit, whose code is not in the cache."""
        tools = self.folder / "cuda"
        tools.mkdir(exist_ok=True)
        scripts = {
            "nvcc": 'case "$*" in *--version*|*--list-gpu*) echo "release 11.8"; echo sm_52; exit 0;; esac\n'
                    f'echo "$@" >> {self.log}\n[ -f {self.folder}/slow ] && sleep 0.4\n'
                    'case "$*" in *FACTOR=13*) echo "k.cu(1): error: no thirteen" >&2; exit 1;; esac\n'
                    'while [ $# -gt 0 ]; do [ "$1" = -o ] && printf x > "$2"; shift; done',
            "cuobjdump": f"cat {LISTING}", "nvdisasm": f"cat {LISTING}", "ptxas": "exit 0"}
        for name, body in scripts.items():
            file = tools / name
            file.write_text("#!/bin/sh\n" + body + "\n")
            file.chmod(0o755)

    def start(self, *arguments):
        environment = dict(os.environ, CUDA_HOME=str(self.folder / "cuda"), XDG_CACHE_HOME=str(self.folder / "cache"),
                           HOME=str(self.folder), PATH="/usr/bin:/bin")
        return subprocess.Popen([PROGRAM, "tune", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=environment, cwd=self.folder)

    def tune(self, *arguments, code=0):
        ran = self.start(*arguments)
        out, errors = ran.communicate()
        self.assertEqual(ran.returncode, code, errors + out)
        return out if code == 0 or out else errors

    def space(self, *more):
        return ("k.cu", "--gpu", GPU, "--kernel", "saxpy2", "--grid", "ceil(n / (block_size_x * FACTOR))", "--arg", "n=1048576", "--arg",
                "a=2", *more)

    def ranked(self, *more, factors="1,2", code=0):
        return self.tune(*self.space("--param", "block=64:512", "--param", f"FACTOR={factors}", *more), code=code)

    def compiled(self):
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0

    def test_source_with_parameters_is_ranked(self):
        found = json.loads(self.ranked("--format", "json", "--top", "0"))
        self.assertEqual(found["schema"], "forewarp.tuning/1")
        self.assertEqual(found["counts"], {"unrestricted": 8, "configurations": 8, "ranked": 8, "not_reached": 0})
        times = [row["expected_ms"] for row in found["ranking"]]
        self.assertEqual(times, sorted(times))
        self.assertEqual({row["configuration"]["block_size_x"] for row in found["ranking"]}, {64, 128, 256, 512})

    def test_only_what_the_source_names_is_compiled_apart(self):
        self.ranked("-j", "1")
        self.assertEqual(self.compiled(), 2)  # one for each FACTOR, whatever the block

    def test_a_second_run_compiles_nothing(self):
        first = self.ranked()
        self.log.write_text("")
        self.assertEqual(self.ranked("-j", "3"), first)
        self.assertEqual(self.compiled(), 0)

    def test_what_fails_is_counted_with_its_reason(self):
        text = self.ranked("--restrict", "FACTOR != 2", factors="1,2,13")
        self.assertIn("8 of 12 configurations meet the restrictions, 4 are ranked", text)
        self.assertIn("4 do not compile, such as: ", text)
        self.assertIn("no thirteen", text)

    def test_blocks_that_no_board_takes_are_refused_before_they_are_compiled(self):
        text = self.tune(*self.space("--param", "block=512,2048", "--param", "FACTOR=1"))
        self.assertIn("1 make no launch: launch: 2048 threads per block; expected 1 to 1024", text)

    def test_formats_name_the_same_best(self):
        best = json.loads(self.ranked("--format", "json"))["ranking"][0]
        row = next(csv.DictReader(io.StringIO(self.ranked("--format", "csv", "--top", "1"))))
        self.assertAlmostEqual(float(row["predicted_ms"]), best["predicted_ms"])
        cache = json.loads(self.ranked("--format", "kernel-tuner-cache"))
        self.assertEqual(cache["schema_version"], "1.1.0")
        self.assertEqual(cache["tune_params_keys"], ["block_size_x", "FACTOR"])
        self.assertEqual(cache["tune_params"]["FACTOR"], [1, 2])
        self.assertEqual(len(cache["cache"]), 8)
        least = min(cache["cache"].values(), key=lambda entry: entry["time"])
        self.assertEqual(least["time"], best["predicted_ms"])

    def test_measured_ones_correct_the_others_and_say_which_are_next(self):
        cache = json.loads(self.ranked("--format", "kernel-tuner-cache"))
        times = self.folder / "times.csv"
        rows = [(e["block_size_x"], e["FACTOR"], 3 * e["time"]) for e in cache["cache"].values()][:6]
        times.write_text("block_size_x,FACTOR,time_ms\n" + "".join(f"{b},{f},{t}\n" for b, f, t in rows))
        found = json.loads(self.ranked("--format", "json", "--top", "0", "--measured", "times.csv", "--next", "5"))
        self.assertEqual(found["correction"]["measured"], 6)
        self.assertEqual(found["correction"]["kind"], "factor")
        self.assertAlmostEqual(found["correction"]["factor"], 3)
        self.assertEqual(len(found["next"]), 2)  # the others are known
        for row in found["next"]:
            self.assertIsNone(row["measured_ms"])
            self.assertAlmostEqual(row["expected_ms"] / row["predicted_ms"], 3, delta=0.2)
        text = self.ranked("--measured", "times.csv")
        self.assertIn("6 configurations stand at their measured times; the others take 3 times as long as predicted", text)

    def test_a_space_in_toml_is_the_same_as_options(self):
        (self.folder / "s.toml").write_text('schema = "forewarp.space/1"\nname = "k"\ninput = "k.cu"\nkernel = "saxpy2"\n'
                                            'grid = ["ceil(1048576 / (block_size_x * FACTOR))"]\nblock = ["block_size_x"]\n'
                                            'args = {n = 1048576, a = 2}\n[params]\nblock = "64:512"\nFACTOR = [1, 2]\n')
        by_file = json.loads(self.tune("s.toml", "--gpu", GPU, "--format", "json", "--top", "0"))
        by_options = json.loads(self.ranked("--format", "json", "--top", "0"))
        self.assertEqual(by_file["ranking"], by_options["ranking"])

    def test_an_interrupted_run_prints_what_it_has_and_goes_on_later(self):
        self.ended_by(signal.SIGINT)

    def test_timeout_and_batch_systems_get_the_ranking_so_far(self):
        self.ended_by(signal.SIGTERM)

    def ended_by(self, number):
        signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background of a script it is ignored
        slow = self.folder / "slow"
        slow.touch()
        ran = self.start(*self.space("--param", "block=64", "--param", "FACTOR=1:12:1", "-j", "1"))
        while self.compiled() < 3:
            time.sleep(0.05)
        ran.send_signal(number)
        out, errors = ran.communicate()
        self.assertEqual(ran.returncode, 1, errors)
        self.assertIn("incomplete: ", out)
        self.assertIn("were not reached before the run was ended", out)
        self.assertRegex(errors, r"forewarp: interrupted: \d+ of 12 configurations were looked at; the same command goes on")
        self.assertIn("place  block_size_x", out)
        before = self.compiled()
        slow.unlink()
        self.tune(*self.space("--param", "block=64", "--param", "FACTOR=1:12:1", "-j", "1"))
        # All but the one that was being compiled, if any, come from the cache.
        self.assertLessEqual(self.compiled(), 12 + 1)
        self.assertLess(before, 12)

    def test_what_was_refined_stands_before_the_others(self):
        found = json.loads(self.ranked("--format", "json", "--top", "0", "--refine", "3"))
        self.assertEqual([row["refined"] for row in found["ranking"]], [True] * 3 + [False] * 5)
        alike = json.loads(self.ranked("--format", "json", "--top", "0", "--budget", "0.05"))
        self.assertFalse(any(row["refined"] for row in alike["ranking"]))

    def test_refusals_are_one_line(self):
        for arguments, line in (
                (("k.cu",), "k.cu: is a source, and no parameter is given; expected --param NAME=VALUES: TILE=8,16,32 or "
                            "block=32x4:256x8; or a space in TOML, or a T1 file (docs/tune.md)"),
                (self.space("--param", "FACTOR=1", "--format", "xml"), "--format xml: is not a format of tune; expected text, json, csv, "
                                                                       "kernel-tuner-cache"),
                (self.space("--param", "FACTOR=1:2", "--block", "64", "--restrict", "FACTOR > 2"),
                 "k.cu: no configuration meets every restriction; expected one at least; of 2 without restrictions")):
            self.assertEqual(self.tune(*arguments, code=1), f"forewarp: {line}\n")


if __name__ == "__main__":
    unittest.main()
