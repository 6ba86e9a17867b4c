#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""forewarp parameters as a user runs it: parameters_test.py PROGRAM"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from simulating import ROOT, System, main

KERNEL = ["parameters", ROOT / "examples" / "saxpy2.sass", "--gpu", "gtx970@gajger", "--grid", 1562500, "--block", 256, "--arg", "n=400000000",
          "--arg", "a=128", "--arg", "x=buffer:1600000000", "--arg", "y=buffer:1600000000", "--static"]
EXPECTED = {"CUDACoreInstructions": 23 + 4 * 128, "issuedInstructions": 26 + 4 * 128, "GMEMBytesTransferred": 384, "latencyBound": 942 + 24 * 128, "blockSize": 256, "gridSize": 1562500,
            "occupancy": 64, "kernelExecutionLambda": 0.703787}
# Gajger 2017, section 5.4: the board that the thesis simulates.
BOARD = """
[[component]]
name = "gpu"
kind = "gpu"
labels = { GPU = 1 }
model = "MODEL"
attributes = { warpSize = 32, CUDACores = 128, schedulers = 4, GMEMThroughput = 13.78, SMs = 13, SMCoreClock = 1253 }
"""


class Parameters(System):
    def test_the_thesis_eight(self):
        got = json.loads(self.forewarp(*KERNEL, "--format", "json").stdout)["parameters"]
        self.assertEqual(len(got), 8)
        for name, value in EXPECTED.items():
            self.assertAlmostEqual(got[name], value, places=6, msg=name)
        text = self.forewarp(*KERNEL).stdout
        for name in got:
            self.assertIn(name, text)

    def test_the_application_takes_as_long_as_predicted(self):
        application = self.forewarp(*KERNEL, "--format", "lua").stdout
        simulated = self.simulated(BOARD.replace("MODEL", str(ROOT / "examples" / "systems" / "warp_rate.lua")), application)
        predicted = self.forewarp("predict", *KERNEL[1:], "--model", "gajger", "--format", "number").stdout
        self.assertAlmostEqual(simulated["time_s"] * 1e3 / float(predicted), 1, delta=1e-6)

    def on_board(self, gpu, attributes, application, code=0):
        head = BOARD.split("attributes")[0].replace("MODEL", str(ROOT / "examples" / "systems" / "warp_rate.lua"))
        hardware = f'hardware = "{gpu}"\n' if gpu else ""
        return self.simulated(head + hardware + f"attributes = {{ {attributes} }}\n", application, code=code)

    def test_a_board_has_its_attributes(self):
        for gpu in ("gtx970@gajger", "gtx980", "a100-sxm-80"):
            kernel = [gpu if word == "gtx970@gajger" else word for word in KERNEL] + ["--assume-isa"]
            application = self.forewarp(*kernel, "--format", "lua").stdout
            predicted = float(self.forewarp("predict", *kernel[1:], "--model", "gajger", "--format", "number").stdout)
            self.assertAlmostEqual(self.on_board(gpu, "", application)["time_s"] * 1e3 / predicted, 1, delta=1e-6, msg=gpu)
        whole = self.on_board("a100-sxm-80", "", application)["time_s"]
        own = self.on_board("a100-sxm-80", "SMs = 54, unused = 1", application)  # written by hand: half of the board
        self.assertAlmostEqual(own["time_s"] / whole, 2, delta=1e-9)

    def test_an_attribute_that_is_not_there(self):
        application = self.forewarp(*KERNEL, "--format", "lua").stdout
        said = self.on_board("", "CUDACores = 128, schedulers = 4, GMEMThroughput = 13.78, SMs = 13, SMCoreClock = 1253", application, code=1)
        self.assertIn("warp_rate.lua:5: process GPU:0 at 0 s: 'warpSize' is no attribute of gpu; expected a number; "
                      "attributes = { warpSize = .. } of it in the system's file, or hardware = \"ID\"", said)
        self.assertNotIn("attempt to", said)
        model = "function compute_time(p) return p.blockSize * (rawget(_ENV, 'perhaps') or 2) end\n"  # one that may be missing
        self.write("own.lua", model)
        board = BOARD.replace("MODEL", str(self.at / "own.lua"))
        self.assertEqual(self.simulated(board, application)["time_s"], 512)

    def test_refusal(self):
        self.assertIn("--block", self.forewarp("parameters", ROOT / "examples" / "saxpy2.sass", "--gpu", "gtx970", code=1).stderr)


if __name__ == "__main__":
    main(sys.argv)
