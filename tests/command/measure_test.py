#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The measuring kit without a GPU, on a driver that only keeps time: measure_test.py PROGRAM"""
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.argv.pop(1))
SOURCES = ROOT / "validation" / "measure"


def whole_toolkit():
    """A compiler with its disassembler: the one alone does not do."""
    home = os.environ.get("CUDA_HOME")
    return all(shutil.which(tool, path=f"{home}/bin" if home else None) for tool in ("nvcc", "cuobjdump"))


def built(folder, name, source, *options):
    out = Path(folder) / name
    subprocess.run(["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", *options, "-o", out, SOURCES / source, "-ldl"], check=True)
    return out


class Launcher(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.launcher = built(cls.folder, "launcher", "launcher.cpp")
        built(cls.folder, "libcuda.so.1", "stub_driver.cpp", "-shared", "-fPIC")
        cls.cases, cls.results = Path(cls.folder) / "cases.tsv", Path(cls.folder) / "results.csv"
        module = cls.launcher  # any file: nothing is loaded from it
        lines = [f"a\t{module}\tk\tsms\t32,1,1\t0\tb1024 i5 f2.5", f"b\t{module}\tk\t100,2,1\t32,1,1\t0\t",
                 f"none\t{module}\tabsent\t1,1,1\t32,1,1\t0\t", f"c\t{module}\tk\t4000,1,1\t64,1,1\t4096\td1.5 l7"]
        cls.cases.write_text("\n".join(lines) + "\n")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def setUp(self):
        self.results.unlink(missing_ok=True)

    def run_it(self, seconds="60", **environment):
        return subprocess.run([self.launcher, self.cases, self.results, seconds], capture_output=True, text=True, check=False,
                              env={**os.environ, "LD_LIBRARY_PATH": self.folder, **environment})

    def rows(self):
        return {row["id"]: row for row in csv.DictReader(self.results.read_text().splitlines())}

    # The stub takes a microsecond a block; "sms" is a block on each of its 10.
    def test_every_launch_is_timed(self):
        done = self.run_it()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({name: float(row["measured_ms"]) for name, row in self.rows().items()}, {"a": 0.01, "b": 0.2, "c": 4.0})
        self.assertEqual(float(self.rows()["b"]["batch_ms"]), 0.2)
        self.assertIn("none: no kernel of this name", done.stderr)

    def test_a_run_that_died_goes_on(self):
        self.assertEqual(self.run_it(STUB_DRIVER_LAUNCHES="6300").returncode, 9)
        before = self.results.read_text()
        self.assertEqual(set(self.rows()), {"a"})
        self.results.write_text(before + "b,Stub GPU,8.0,77")  # a line that was cut
        self.assertEqual(self.run_it().returncode, 0)
        self.assertEqual(set(self.rows()), {"a", "b", "c"})
        self.assertEqual(float(self.rows()["b"]["measured_ms"]), 0.2)
        self.assertTrue(self.results.read_text().startswith(before))

    def test_a_piece_that_is_over_says_so(self):
        done = self.run_it("-1")
        self.assertEqual(done.returncode, 3)
        self.assertIn("0 measured", done.stderr)
        self.assertIn("4 left", done.stderr)


@unittest.skipUnless(whole_toolkit(), "no CUDA toolkit")
class Pack(unittest.TestCase):
    def test_kernels_and_launches_are_packed(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "FOREWARP_BUILD": str(PROGRAM.resolve().parents[2]), "ARCHITECTURES": "80"}
            done = subprocess.run([ROOT / "scripts" / "measure", "pack", folder], capture_output=True, text=True, check=False, env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [line.split("\t") for line in (Path(folder) / "cases.tsv").read_text().splitlines()]
            self.assertGreater(len(lines), 450)
            for line in lines:
                self.assertTrue((Path(folder) / line[1]).exists(), line[1])
            built(folder, "libcuda.so.1", "stub_driver.cpp", "-shared", "-fPIC")
            ran = subprocess.run([Path(folder) / "run", "300"], capture_output=True, text=True, check=False,
                                 env={**os.environ, "LD_LIBRARY_PATH": folder})
            self.assertEqual(ran.returncode, 0, ran.stderr)


if __name__ == "__main__":
    unittest.main()
