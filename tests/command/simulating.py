# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Systems and applications of tests, as files that forewarp simulate reads."""
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from needs import built, want

ROOT = Path(__file__).resolve().parents[2]


def gpu_cluster(nodes, gpus, more=""):
    """Nodes of GPUs on a fabric of 100 GB/s and 1 us, hosts on a network of 10 GB/s and 2 us; 20 GB/s and 3 us in between."""
    return f"""
[[cluster]]
name = "c"
nodes = {nodes}
gpus = {gpus}
host = {{ labels = {{ H = 1 }} }}
gpu = {{ labels = {{ G = 1 }} }}
gpu_link = {{ gbs = 20, latency_us = 3 }}
gpu_fabric = {{ gbs = 100, latency_us = 1 }}
network = {{ gbs = 10, latency_us = 2 }}
{more}
"""


class System(unittest.TestCase):
    """A folder with a system and an application."""

    program = ""

    def setUp(self):
        want(self, built("forewarp-system", self.program))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = Path(folder.name)

    def write(self, name, content):
        (self.at / name).write_text(content, encoding="utf-8")
        return self.at / name

    def forewarp(self, *words, code=0, **options):
        ran = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, check=False, **options)
        self.assertEqual(ran.returncode, code, (ran.stdout[-2000:], ran.stderr[-2000:]))
        return ran

    def simulated(self, system, application, *more, code=0):
        ran = self.forewarp("simulate", self.write("system.toml", system), self.write("app.lua", application), *more, "--format", "json", code=code)
        return json.loads(ran.stdout) if code == 0 else ran.stderr.replace(str(self.at) + "/", "")


def main(argv):
    """The program is the first argument, as ctest gives it."""
    System.program = str(Path(argv.pop(1)).resolve())
    unittest.main()
