#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Traces as applications of forewarp simulate: replay_test.py PROGRAM"""
import json
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from simulating import ROOT, System, main

HOST = """
[[component]]
name = "host"
kind = "cpu"
performance = 1e9
labels = { P = 1, TRACE = 1 }
[[component]]
name = "gpu"
kind = "gpu"
hardware = "gtx970"
count = 2
[[link]]
ends = ["host", "gpu"]
gbs = 10
latency_us = 10
"""
# A training step: batches come in over one stream, three layers run on another, results go back; the host works in between.
STEP = """
sim.process("P", function()
  local feed, run = sim.stream(0), sim.stream(0)
  for step = 1, 4 do
    sim.copy("h2d", 4e7 * step, {memory = "pinned", stream = feed})
    local fed = sim.record(feed)
    sim.compute{seconds = 0.0005}
    sim.stream_wait(run, fed)
    for layer = 1, 3 do sim.kernel{seconds = 0.001 * layer, name = "layer" .. layer, stream = run} end
    sim.synchronise(run)
    sim.copy("d2h", 1e6)
  end
  sim.kernel{seconds = 0.002, name = "elsewhere", gpu = 1}
end)
"""
# As nsys writes it: a copy of 10 MB, two kernels on two streams, the second 1 ms after the first one ended.
NSYS = """
Processing [report.sqlite] with [cuda_gpu_trace.py]...
Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name
5000000,1010000,1,,,,,,,,,,10.000,9900,Pinned,Device,NVIDIA GeForce GTX 970 (0),1,7,[CUDA memcpy HtoD]
6010000,2000000,2,15625,1,1,256,1,1,10,0.000,0.000,,,,,NVIDIA GeForce GTX 970 (0),1,7,"saxpy2(int, float, const float *, float *)"
9010000,500000,3,64,1,1,32,1,1,10,0.000,0.000,,,,,NVIDIA GeForce GTX 970 (0),1,13,"other(float *)"
"""


class Replay(System):
    def replayed(self, trace, *more, code=0):
        ran = self.forewarp("simulate", self.write("host.toml", HOST), trace, *more, "--format", "json", code=code)
        return json.loads(ran.stdout) if code == 0 else ran.stderr.replace(str(self.at) + "/", "")

    def test_own_trace(self):
        trace = self.at / "step.json"
        ran = self.simulated(HOST, STEP, "--trace", trace)
        self.assertAlmostEqual(self.replayed(trace)["time_s"] / ran["time_s"], 1, delta=0.01)
        self.assertAlmostEqual(self.replayed(trace, "--set", "copies=measured")["time_s"] / ran["time_s"], 1, delta=0.01)
        units = {one["name"]: one["busy_s"] for one in self.replayed(trace)["units"]}
        self.assertAlmostEqual(units["gpu.0"], 4 * 0.006, delta=1e-9)
        self.assertAlmostEqual(units["gpu.1"], 0.002, delta=1e-9)

    def test_on_a_faster_link(self):
        """Copies follow the link: 4e7 (1 + 2 + 3 + 4) bytes at 10 and at 20 GB/s; what waits for them moves along."""
        trace = self.at / "step.json"
        self.simulated(HOST, STEP, "--trace", trace)
        slow = self.replayed(trace)["time_s"]
        faster = self.write("faster.toml", HOST.replace("gbs = 10", "gbs = 20"))
        fast = json.loads(self.forewarp("simulate", faster, trace, "--format", "json").stdout)["time_s"]
        self.assertAlmostEqual(slow - fast, 4e8 / 10e9 / 2, delta=0.0025)

    def test_nsys_table(self):  # 1 ms and 10 us for the copy, 2 ms, 1 ms of nothing, 0.5 ms
        got = self.replayed(self.write("report.csv", NSYS))
        self.assertAlmostEqual(got["time_s"], 1.01e-3 + 2e-3 + 1e-3 + 0.5e-3, delta=1e-9)
        self.assertIn("kernel saxpy2 on TRACE:0 stream 0", [one["what"] for one in got["critical_path"]])

    def test_kernels_at_the_same_time(self):
        """Kernels of 4 ms and of 2 ms on two streams, the second from 1 ms on: 4 ms, in which the GPU draws 10 W once."""
        event = '{"ph": "X", "cat": "kernel", "name": "%s", "ts": %d, "dur": %d, "args": {"device": 0, "stream": %d}}'
        trace = self.write("trace.json", '{"traceEvents": [%s, %s]}' % (event % ("long", 0, 4000, 1), event % ("short", 1000, 2000, 2)))
        self.write("host.toml", HOST)
        got = self.replayed(trace, "--change", "gpu.power.active_w=10")
        self.assertAlmostEqual(got["time_s"], 4e-3, delta=1e-9)
        self.assertAlmostEqual(got["energy_ws"], 0.04, delta=1e-9)
        self.assertEqual([(one["name"], round(one["busy_s"], 9)) for one in got["units"]], [("gpu.0", 0.004)])

    def test_copies_are_modelled_or_measured(self):
        self.assertIn("copies is 'both'; expected modelled or measured", self.replayed(self.write("report.csv", NSYS), "--set", "copies=both", code=1))

    def test_predicted_kernels(self):
        case = {"kernel": "saxpy2", "input": str(ROOT / "examples" / "saxpy2.sass"), "args": {"n": 4000000, "a": 16}}
        cases = self.write("cases.jsonl", json.dumps(case) + "\n")
        trace = self.write("report.csv", NSYS)
        got = self.replayed(trace, "--kernels", cases)
        one = json.loads(self.forewarp("predict", case["input"], "--gpu", "gtx970", "--grid", 15625, "--block", 256, "--arg", "n=4000000", "--arg", "a=16",
                                       "--format", "json").stdout)
        self.assertAlmostEqual(got["time_s"], 1.01e-3 + 1e-3 * one["time_ms"] + 1e-3 + 0.5e-3, delta=1e-9)
        other = self.replayed(trace, "--kernels", cases, "--change", "gpu.hardware=gtx980ti")
        self.assertLess(other["time_s"], got["time_s"])

    def test_nsys_database(self):
        file = self.at / "report.sqlite"
        with sqlite3.connect(file) as data:
            data.executescript("""
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, shortName INT,
  gridX INT, gridY INT, gridZ INT, blockX INT, blockY INT, blockZ INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, streamId INT, bytes INT, copyKind INT, srcKind INT, dstKind INT);
INSERT INTO StringIds VALUES (1, 'saxpy2'), (2, 'other');
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (5000000, 6010000, 0, 7, 10000000, 1, 2, 3);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (6010000, 8010000, 0, 7, 1, 15625, 1, 1, 256, 1, 1), (9010000, 9510000, 0, 13, 2, 64, 1, 1, 32, 1, 1);
""")
        data.close()
        got = self.replayed(file)
        self.assertAlmostEqual(got["time_s"], 4.51e-3, delta=1e-9)

    def test_as_a_script(self):
        lua, trace = self.at / "report.lua", self.write("report.csv", NSYS)
        first = self.replayed(trace, "--lua", lua)
        again = json.loads(self.forewarp("simulate", self.at / "host.toml", lua, "--format", "json").stdout)
        self.assertEqual(first["time_s"], again["time_s"])

    def test_names_cannot_end_the_script(self):
        name = '"} os.exit() --\\n\\\\'
        trace = self.write("t.json", json.dumps([{"ph": "X", "cat": "kernel", "name": name, "ts": 0, "dur": 1000}]))
        self.assertAlmostEqual(self.replayed(trace)["time_s"], 1e-3, delta=1e-12)

    def test_refusals(self):
        for name, content, expected in (("t.json", "{}", "t.json: is no trace of events; expected JSON with a list traceEvents"),
                                        ("t.json", "[]", "t.json: has no kernel and no copy of a device"),
                                        ("t.json", '[{"ph": "X", "cat": "kernel", "name": "k", "ts": 0, "dur": -1}]', "'k' ends before it begins"),
                                        ("t.csv", "a,b\n1,2\n", "t.csv: has no table of what a GPU did"),
                                        ("t.sqlite", "nothing", "t.sqlite")):
            line = self.replayed(self.write(name, content), code=1)
            self.assertIn(expected, line)
            self.assertEqual(line.count("\n"), 1)
        line = self.replayed(self.write("report.csv", NSYS), "--kernels", self.write("c.jsonl", "{}\n"), code=1)
        self.assertIn("c.jsonl:1: is no case that names its kernel", line)
        line = self.forewarp("simulate", self.at / "host.toml", self.write("a.lua", ""), "--lua", self.at / "b.lua", code=1).stderr
        self.assertIn("--lua: belongs to a trace; expected a .sqlite, .csv or .json file", line)


main(sys.argv)
