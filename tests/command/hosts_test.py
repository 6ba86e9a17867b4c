#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Hosts that are known by their copies, launches and calls: hosts_test.py PROGRAM"""
import csv
import json
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

from needs import built, needs

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(sys.argv.pop(1)).resolve())
SYSTEMS = ROOT / "examples" / "systems"
SYSTEM = """
[[component]]
name = "host"
kind = "cpu"
labels = {{ P = 1 }}
{host}
[[component]]
name = "gpu"
kind = "gpu"
hardware = "gtx970"
[[link]]
ends = ["host", "gpu"]
hardware = "pcie-3-x16"
"""
FACTS = {"h2d.gbs": (5, "GB/s"), "h2d.startup_us": (10, "us"), "d2h.gbs": (4, "GB/s"), "d2h.startup_us": (20, "us"),
         "first_touch.gbs": (4, "GB/s"), "launch.us": (30, "us"), "call.us": (15, "us"), "staging.piece_bytes": (1, "bytes")}


def host_file(facts):
    return 'name = "toy"\n' + "".join(f'[{path}]\nvalue = {value}\nunit = "{unit}"\nsource = "test"\nconfidence = "measured"\n'
                                      for path, (value, unit) in facts.items())


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = Path(folder.name)

    def ask(self, *words, code=0):
        ran = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran.stdout if code == 0 else ran.stderr.replace(str(self.at) + "/", "")


@needs(built("forewarp-system", PROGRAM))
class Simulated(Folder):
    def simulate(self, body, facts=FACTS, code=0):
        host = ""
        if facts is not None:
            (self.at / "host.toml").write_text(host_file(facts), encoding="utf-8")
            host = 'hardware = "host.toml"'
        (self.at / "system.toml").write_text(SYSTEM.format(host=host), encoding="utf-8")
        (self.at / "app.lua").write_text(f'sim.process("P", function() {body} end)', encoding="utf-8")
        out = self.ask("simulate", self.at / "system.toml", self.at / "app.lua", "--format", "json", code=code)
        return json.loads(out) if code == 0 else out

    def takes(self, body, seconds, delta=1e-9):
        self.assertAlmostEqual(self.simulate(body)["time_s"], seconds, delta=delta)

    def test_pageable_copies_take_the_hosts_rate(self):  # 10 us + 1e9 / 5e9; 20 us + 1e9 / 4e9
        self.takes('sim.copy("h2d", 1e9)', 10e-6 + 0.2)
        self.takes('sim.copy("d2h", 1e9)', 20e-6 + 0.25)

    def test_untouched_memory_is_given_out_first(self):  # 1 / (1 / 4 + 1 / 4) = 2 GB/s
        self.takes('sim.copy("d2h", 1e9, {memory = "untouched"})', 20e-6 + 0.5)
        self.assertIn("sim.copy: untouched memory has nothing to copy; expected d2h",
                      self.simulate('sim.copy("h2d", 1, {memory = "untouched"})', code=1))

    def test_pinned_copies_do_not_ask_the_host(self):  # 28.3 us and 0.784 of 15.754 GB/s
        self.takes('sim.copy("h2d", 1e9, {memory = "pinned"})', 28.3e-6 + 1 / (0.784 * 15.75384615), 1e-7)

    def test_a_kernel_starts_after_its_launch(self):
        self.takes("sim.kernel{seconds = 0.001}", 30e-6 + 0.001)
        self.takes("for i = 1, 3 do sim.kernel{seconds = 0.001} end", 3 * (30e-6 + 0.001))

    def test_a_stream_hides_launches_behind_what_runs(self):
        self.takes("local s = sim.stream() for i = 1, 3 do sim.kernel{seconds = 0.001, stream = s} end", 30e-6 + 3 * 0.001)
        self.takes('local s = sim.stream() sim.copy("h2d", 1e6, {stream = s}) sim.kernel{seconds = 0.001, stream = s}',
                   10e-6 + 1e6 / 5e9 + 0.001)

    def test_streams_overlap_copies_and_kernels(self):
        both = 'local a, b = sim.stream(), sim.stream() sim.copy("h2d", 1e9, {stream = a}) sim.kernel{seconds = 0.3, stream = b}'
        self.takes(both, 30e-6 + 0.3)

    def test_calls_take_time(self):
        self.takes("sim.calls(4)", 60e-6)

    def test_what_nobody_measured_is_said(self):
        said = self.simulate('sim.copy("d2h", 1e6, {memory = "untouched"}) sim.calls(1)', facts=None)["assumptions"]
        for part in ("pageable copies as on the host where pcie-3-x16 was measured", "untouched memory is given out at 7.12 GB/s",
                     "calls take no time on host"):
            self.assertTrue(any(part in line for line in said), (part, said))
        self.assertFalse(any("this host" in line for line in self.simulate('sim.copy("h2d", 1e6)')["assumptions"]))

    def test_a_predicted_kernel_on_an_undescribed_host_has_the_boards_launch(self):
        body = f'sim.kernel{{input = "{ROOT}/examples/saxpy2.sass", grid = 100, block = 256, args = {{n = 25600, a = 1, x = {{buffer = 102400}}, y = {{buffer = 102400}}}}}}'
        plain = ("predict", ROOT / "examples" / "saxpy2.sass", "--gpu", "gtx970", "--grid", 100, "--block", 256, "--arg", "n=25600", "--arg", "a=1",
                 "--arg", "x=buffer:102400", "--arg", "y=buffer:102400", "--format", "json")
        device = json.loads(self.ask(*plain))["time_ms"]
        board = json.loads(self.ask("gpu", "show", "gtx970", "--format", "json"))["facts"]["launch.host_us"]["value"]
        self.assertGreater(board, 1)
        self.assertAlmostEqual(self.simulate(body, facts=None)["time_s"], device / 1e3 + board / 1e6, delta=1e-9)
        self.assertAlmostEqual(self.simulate(body)["time_s"], device / 1e3 + 30e-6, delta=1e-9)

    def test_a_host_that_is_not_there(self):
        (self.at / "system.toml").write_text(SYSTEM.format(host='hardware = "nowhere"'), encoding="utf-8")
        (self.at / "app.lua").write_text('sim.process("P", function() end)', encoding="utf-8")
        self.assertIn("host 'nowhere': no host has this id", self.ask("simulate", self.at / "system.toml", self.at / "app.lua", code=1))

    def test_another_device_for_the_same_application(self):
        text = (SYSTEMS / "gtx970.toml").read_text(encoding="utf-8")
        times = []
        for gpu in ("gtx970", "titanx"):  # the same capability, 13 and 24 SMs: copies as before, a shorter kernel
            (self.at / "system.toml").write_text(text.replace('hardware = "gtx970"', f'hardware = "{gpu}"'), encoding="utf-8")
            got = json.loads(self.ask("simulate", self.at / "system.toml", SYSTEMS / "saxpy2_copies.lua", "--format", "json"))
            times.append({share["what"]: share["seconds"] for share in got["critical_path"]})
        self.assertEqual(times[0]["copy to the device"], times[1]["copy to the device"])
        self.assertAlmostEqual(times[0]["kernel saxpy2 on APP:0"] / times[1]["kernel saxpy2 on APP:0"], 24 / 13, delta=0.3)

    def test_the_examples_run(self):
        for system, application in (("gtx970.toml", "saxpy2_copies.lua"), ("titanv.toml", "four_kernels.lua")):
            got = json.loads(self.ask("simulate", SYSTEMS / system, SYSTEMS / application, "--format", "json"))
            self.assertGreater(got["time_s"], 0.001)


class Calibrated(Folder):
    def runs(self, rows):
        file = self.at / "runs.csv"
        with open(file, "w", newline="", encoding="utf-8") as text:
            writer = csv.DictWriter(text, ("copies", "launches", "calls", "kernel_ms", "ms"))
            writer.writeheader()
            writer.writerows(rows)
        return file

    def test_a_hosts_file_from_its_runs(self):
        # 5 GB/s with 10 us, 4 GB/s with 20 us, 2 GB/s untouched, 30 us a launch, 15 us a call; a piece of 820,000 bytes over the link
        piece = lambda size: min(size, 820000) / (0.784 * 15.75384615e9)
        rows = []
        for size in (1000, 10**5, 10**6, 10**7, 10**8, 10**9):
            rows += [{"copies": f"h2d:{size}", "ms": 1e3 * (10e-6 + size / 5e9 + piece(size))},
                     {"copies": f"d2h:{size}", "ms": 1e3 * (20e-6 + size / 4e9 + piece(size))},
                     {"copies": f"d2h:{size}:untouched", "ms": 1e3 * (20e-6 + size / 2e9 + piece(size))},
                     {"launches": 2, "kernel_ms": 0.01, "ms": 0.07}, {"calls": 3, "ms": 0.045}]
        out = self.at / "host.toml"
        said = self.ask("calibrate", self.runs(rows), "--what", "host", "--gpu", "gtx970", "--name", "mine", "-o", out)
        self.assertIn("30 runs, error", said)
        host = tomllib.loads(out.read_text(encoding="utf-8"))
        self.assertEqual(host["name"], "mine")
        for path, (value, unit) in FACTS.items():
            group, _, name = path.partition(".")
            if group == "staging":
                continue
            fact = host[group][name]
            self.assertAlmostEqual(fact["value"] / value, 1, delta=0.02, msg=path)
            self.assertEqual((fact["unit"], fact["confidence"]), (unit, "derived"))
            self.assertIn("runs.csv", fact["source"])

    def test_what_is_refused(self):
        file = self.runs([{"copies": "h2d:1e6", "ms": 1}, {"copies": "up:1", "ms": 1}])
        self.assertIn("runs.csv, row 2: 'up:1' in 'copies'", self.ask("calibrate", file, "--what", "host", "--gpu", "gtx970", code=1))
        file = self.runs([{"copies": "h2d:1e6", "ms": 1}] * 2)
        self.assertIn("2 runs; expected at least 3", self.ask("calibrate", file, "--what", "host", "--gpu", "gtx970", code=1))
        self.assertIn("--link: no link", self.ask("calibrate", file, "--what", "host", code=1))


if __name__ == "__main__":
    unittest.main()
