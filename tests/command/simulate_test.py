#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""forewarp simulate as a user runs it: simulate_test.py PROGRAM"""
import json
import math
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from needs import built, needs

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(sys.argv.pop(1)).resolve())
SYSTEMS = ROOT / "examples" / "systems"

PAIR = """
[[component]]
name = "a"
kind = "cpu"
performance = 1e9
labels = { A = 2 }
[[component]]
name = "b"
kind = "cpu"
labels = { B = 2 }
[[link]]
ends = ["a", "b"]
gbs = 10
latency_us = 5
"""
RING = """
[[cluster]]
name = "c"
nodes = {nodes}
host = {{ labels = {{ W = 1 }} }}
network = {{ gbs = 10, latency_us = 1 }}
"""
GPU = """
[[component]]
name = "host"
kind = "cpu"
labels = { P = 1 }
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


class Files:
    """A folder with a system and an application."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = Path(self.folder.name)

    def run(self, system, application, *more, code=0, file="app.lua"):
        toml, lua = self.at / "system.toml", self.at / file
        toml.write_text(system, encoding="utf-8")
        if isinstance(application, bytes):
            lua.write_bytes(application)
        else:
            lua.write_text(application, encoding="utf-8")
        ran = subprocess.run([PROGRAM, "simulate", str(toml), str(lua), *map(str, more), "--format", "json"],
                             capture_output=True, text=True, check=False)
        assert ran.returncode == code, (ran.returncode, ran.stdout, ran.stderr)
        if code != 0:
            return ran.stderr.replace(str(self.at) + "/", "")
        return json.loads(ran.stdout)


def thesis(*more, system=SYSTEMS / "testbed.toml"):
    ran = subprocess.run([PROGRAM, "simulate", system, SYSTEMS / "saxpy2.lua", *more, "--format", "json"],
                         capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def finishes(outcome):
    return {one["name"]: 1e3 * one["finish_s"] for one in outcome["processes"]}


@needs(built("forewarp-system", PROGRAM))
class System(unittest.TestCase):
    def setUp(self):
        self.files = Files()

    def tearDown(self):
        self.files.folder.cleanup()

    def run_it(self, *arguments, **options):
        return self.files.run(*arguments, **options)


class Thesis(System):
    """Gajger 2017, Fig. 5.24, and what it is without its three slips."""

    def changed(self, old, new):
        text = (SYSTEMS / "testbed.toml").read_text(encoding="utf-8")
        self.assertIn(old, text)
        for name in ("warp_rate.lua",):
            (self.files.at / name).write_text((SYSTEMS / name).read_text(encoding="utf-8"), encoding="utf-8")
        file = self.files.at / "changed.toml"
        file.write_text(text.replace(old, new), encoding="utf-8")
        return file

    def test_as_on_the_screen(self):  # start-ups a thousandfold, whole microseconds, 26 + 4 a
        got = thesis(system=SYSTEMS / "testbed_screenshot.toml")
        self.assertEqual({k: round(v, 9) for k, v in finishes(got).items()}, {"GPU:0": 448.540, "CPU:0": 608.774})
        self.assertAlmostEqual(got["energy_ws"] / 35.68850971724408, 1, delta=1e-12)
        energy = {one["name"]: one["energy_ws"] for one in got["processes"]}
        self.assertAlmostEqual(energy["GPU:0"] / 1.231901317244082, 1, delta=1e-12)
        self.assertEqual((energy["CPU:0"], got["failure_chance"]), (0, 0))

    def test_without_the_startup_slip(self):
        got = finishes(thesis(system=self.changed("base_w", "tick_us = 1\nbase_w")))
        self.assertEqual({k: round(v, 9) for k, v in got.items()}, {"GPU:0": 440.612, "CPU:0": 595.694})

    def test_without_whole_microseconds(self):
        got = finishes(thesis())
        self.assertAlmostEqual(got["GPU:0"], 440.612995, delta=1e-6)
        self.assertAlmostEqual(got["CPU:0"], 595.695981, delta=1e-6)

    def test_without_any_of_the_three(self):
        got = finishes(thesis("--set", "issuedBase=23"))
        self.assertAlmostEqual(got["GPU:0"], 439.795216, delta=1e-6)
        self.assertAlmostEqual(got["CPU:0"], 594.878203, delta=1e-6)


class Messages(System):
    SEND = 'sim.process("A", function() sim.send("B:0", {0}) end) sim.process("B", function() sim.receive() end)'

    def one_to_one(self, application, *more):
        return self.run_it(PAIR, application, "--processes", "A=1", "--processes", "B=1", *more)

    def test_latency_and_bandwidth_add(self):  # 1 GB / 10 GB/s + 5 us
        self.assertAlmostEqual(self.one_to_one(self.SEND.format("1e9"))["time_s"], 0.100005, delta=1e-9)
        self.assertAlmostEqual(self.one_to_one(self.SEND.format("0"))["time_s"], 5e-6, delta=1e-12)

    def test_two_share_evenly(self):  # 1 GB and 0.5 GB: half of the link each until 0.1 s, then all of it for the rest
        got = finishes(self.run_it(PAIR, 'sim.process("A", function() sim.send("B:" .. sim.index, sim.index == 0 and 1e9 or 5e8) end)'
                                         'sim.process("B", function() sim.receive("A:" .. sim.index) end)'))
        self.assertAlmostEqual(got["B:0"], 150.005, delta=1e-6)
        self.assertAlmostEqual(got["B:1"], 100.005, delta=1e-6)

    def test_who_comes_later_shares_from_then_on(self):
        """0.5 GB alone until 0.05 s; then 0.2 GB each until 0.09 s, 0.3 GB alone until 0.12 s; who comes when all are gone is alone again."""
        got = finishes(self.run_it(PAIR, 'sim.process("A", function() sim.delay(0.05 * sim.index) sim.send("B:" .. sim.index, sim.index == 0 and 1e9 or 2e8)'
                                         'if sim.index == 1 then sim.delay(0.1) sim.send("B:1", 1e9) end end)'
                                         'sim.process("B", function() sim.receive("A:" .. sim.index) if sim.index == 1 then sim.receive("A:1") end end)'))
        self.assertAlmostEqual(got["B:0"], 120.005, delta=1e-6)
        self.assertAlmostEqual(got["B:1"], 90.005 + 100 + 100.005, delta=1e-6)

    def test_few_bytes_share_exactly(self):  # 3 and 1.5 bytes at 10 GB/s: 1.5 each until 0.3 ns, the rest until 0.45 ns
        got = finishes(self.run_it(PAIR, 'sim.process("A", function() sim.send("B:" .. sim.index, sim.index == 0 and 3 or 1.5) end)'
                                         'sim.process("B", function() sim.receive("A:" .. sim.index) end)'))
        self.assertAlmostEqual(got["B:0"], 5.00045e-3, delta=1e-9)
        self.assertAlmostEqual(got["B:1"], 5.0003e-3, delta=1e-9)

    def test_both_ways_do_not_disturb(self):
        body = 'sim.process("{0}", function() local s = sim.isend("{1}:0", 1e9) sim.receive("{1}") sim.wait(s) end)'
        self.assertAlmostEqual(self.one_to_one(body.format("A", "B") + body.format("B", "A"))["time_s"], 0.100005, delta=1e-9)

    def test_longer_ways_get_no_less(self):  # latencies 10 and 55 us over one last link
        system = """
[[component]]
name = "near"
kind = "cpu"
labels = { A = 1 }
[[component]]
name = "far"
kind = "cpu"
labels = { A = 1 }
[[component]]
name = "end"
kind = "cpu"
labels = { B = 2 }
[[component]]
name = "s"
kind = "switch"
[[link]]
ends = ["near", "s"]
gbs = 10
latency_us = 5
[[link]]
ends = ["far", "s"]
gbs = 10
latency_us = 50
[[link]]
ends = ["s", "end"]
gbs = 10
latency_us = 5
"""
        got = finishes(self.run_it(system, 'sim.process("A", function() sim.send("B:" .. sim.index, 1e9) end)'
                                           'sim.process("B", function() sim.receive("A:" .. sim.index) end)'))
        self.assertAlmostEqual(got["B:0"], 200.010, delta=1e-6)
        self.assertAlmostEqual(got["B:1"], 200.055, delta=1e-6)

    def test_tags_and_senders_choose(self):
        got = self.one_to_one('sim.process("A", function() sim.isend("B:0", 10, {tag = 1}) sim.isend("B:0", 20, {tag = 2}) end)'
                              'sim.process("B", function() print(sim.receive("A", {tag = 2})) print(sim.receive(0, {tag = 1})) end)')
        self.assertEqual(got["printed"], ["20.0", "10.0"])

    def test_messages_that_nobody_receives_are_counted(self):
        got = self.one_to_one('sim.process("A", function() sim.delay(1) sim.send("B", 1000) sim.isend("B", 7) sim.isend("B", 8) end)'
                              'sim.process("B", function() sim.receive("A", {tag = 0}) end)')
        self.assertEqual(len(got["warnings"]), 1)
        self.assertRegex(got["warnings"][0], r"^2 messages were never received: first 7 bytes from A:0 to B:0, sent at 1\.\d+ s$")
        one = self.one_to_one('sim.process("A", function() sim.delay(1) sim.send("B", 1000) end) sim.process("B", function() end)')
        self.assertIn("1 message was never received: 1000 bytes from A:0 to B:0, sent at 1 s", one["warnings"])
        all_there = self.one_to_one('sim.process("A", function() sim.send("B", 1000) sim.barrier{group = "all"} end)'
                                    'sim.process("B", function() sim.receive("A") sim.barrier{group = "all"} end)')
        self.assertEqual(all_there["warnings"], [])

    def test_computing_by_complexity(self):  # 5 n^2 operations at 1e9 per second
        got = self.one_to_one('sim.process("A", function() sim.compute(1e4, function(n) return 5 * n ^ 2 end) end)'
                              'sim.process("B", function() end)')
        self.assertAlmostEqual(got["time_s"], 0.5, delta=1e-12)

    def test_same_answer_each_time(self):
        text = self.SEND.format("123456789")
        self.assertEqual(self.one_to_one(text), self.one_to_one(text))


class Collectives(System):
    LATENCY, SPEED, BYTES = 2e-6, 1e10, 1e8  # over two links of 1 us

    def all_reduce(self, nodes, way):
        got = self.run_it(RING.format(nodes=nodes), f'sim.process("W", function() sim.all_reduce({self.BYTES}, {{way = "{way}", level = "messages"}}) end)')
        self.assertEqual(got["all_reduces"]["messages"], 1)
        return got["time_s"]

    def test_ring(self):  # 2 (p - 1) (a + n / (p b))
        for p in (2, 8, 64, 256):
            expected = 2 * (p - 1) * (self.LATENCY + self.BYTES / (p * self.SPEED))
            self.assertAlmostEqual(self.all_reduce(p, "ring") / expected, 1, delta=0.01)

    def test_tree(self):  # 2 ceil(log2 p) (a + n / b)
        for p in (2, 8, 11, 64, 256):
            expected = 2 * math.ceil(math.log2(p)) * (self.LATENCY + self.BYTES / self.SPEED)
            self.assertAlmostEqual(self.all_reduce(p, "tree") / expected, 1, delta=0.01)

    def test_others(self):
        p, step = 8, self.LATENCY + self.BYTES / self.SPEED
        for call, expected in ((f"broadcast({self.BYTES}, {{root = 3}})", 3 * step), (f"reduce({self.BYTES})", 3 * step),
                               ("barrier()", 3 * self.LATENCY), (f"scatter({self.BYTES})", (p - 1) * step), (f"gather({self.BYTES})", (p - 1) * self.BYTES / self.SPEED + self.LATENCY),
                               (f"all_to_all({self.BYTES})", (p - 1) * step)):
            got = self.run_it(RING.format(nodes=p), f'sim.process("W", function() sim.{call} end)')
            self.assertAlmostEqual(got["time_s"] / expected, 1, delta=1e-6, msg=call)

    def test_disagreement_is_found(self):
        text = self.run_it(RING.format(nodes=2), 'sim.process("W", function() if sim.index == 0 then sim.barrier() else sim.reduce(1) end end)', code=1)
        self.assertIn("waits for a message from W:1, which never comes", text)

    def test_trunks_of_a_fat_tree_are_shared(self):  # 4 pairs over 2 uplinks: half the speed each
        system = RING.format(nodes=8) + "leaf_nodes = 4\nuplinks = 2\n"
        got = self.run_it(system, 'sim.process("W", function() if sim.index < 4 then sim.send(sim.index + 4, 1e9) else sim.receive(sim.index - 4) end end)')
        self.assertAlmostEqual(got["time_s"], 0.2 + 4e-6, delta=1e-9)


class Streams(System):
    COPY, KERNEL, CHUNKS = 1e-5 + 1e8 / 1e10, 0.012, 8

    def pipeline(self, streams):
        return self.run_it(GPU, f"""sim.process("P", function()
  local s = {{}}
  for i = 1, {streams} do s[i] = sim.stream() end
  for c = 0, {self.CHUNKS - 1} do
    local o = s[c % {streams} + 1]
    sim.copy("h2d", 1e8, {{stream = o}})
    sim.kernel{{seconds = {self.KERNEL}, stream = o}}
    sim.copy("d2h", 1e8, {{stream = o}})
  end
  sim.synchronise()
end)""")["time_s"]

    def recurrence(self, streams):
        to, run, back = [], [], []
        for c in range(self.CHUNKS):
            begin = max(to[-1] if to else 0, back[c - streams] if c >= streams else 0)
            to.append(begin + self.COPY)
            run.append(max(to[-1], run[-1] if run else 0) + self.KERNEL)
            back.append(max(run[-1], back[-1] if back else 0) + self.COPY)
        return back[-1]

    def test_three_stages(self):
        stages = (self.COPY, self.KERNEL, self.COPY)
        self.assertAlmostEqual(self.recurrence(1), self.CHUNKS * sum(stages))
        self.assertAlmostEqual(self.recurrence(4), sum(stages) + (self.CHUNKS - 1) * max(stages))
        for streams in (1, 2, 4):
            self.assertAlmostEqual(self.pipeline(streams), self.recurrence(streams), delta=1e-9)

    def test_a_stream_waits_for_another(self):
        got = self.run_it(GPU, 'sim.process("P", function() local a, b = sim.stream(0), sim.stream(1)'
                               ' sim.kernel{seconds = 1, stream = a} sim.stream_wait(b, a) sim.kernel{seconds = 2, stream = b} end)')
        self.assertAlmostEqual(got["time_s"], 3, delta=1e-9)
        self.assertIn("kernel on P:0 stream 1: 67 %", got["bottleneck"])

    def test_two_gpus_at_a_time(self):
        got = self.run_it(GPU, 'sim.process("P", function() for g = 0, 1 do sim.kernel{seconds = 1, stream = sim.stream(g)} end end)')
        self.assertAlmostEqual(got["time_s"], 1, delta=1e-9)

    def test_more_gpus_than_a_host_holds(self):
        text = 'sim.process("P", function() for g = 0, 63 do sim.kernel{seconds = 1, stream = sim.stream(g)} end end)'
        got = self.run_it(GPU.replace("count = 2", "count = 64"), text)
        self.assertAlmostEqual(got["time_s"], 1, delta=1e-9)


class Kernels(System):
    KERNEL = ('sim.process("P", function() sim.kernel{input = "%s", grid = 15625, block = 256,'
              ' args = {n = 4e6, a = 16, x = {buffer = %s}, y = {buffer = 16000000}}} end)')

    def test_as_predict_says(self):
        listing = ROOT / "examples" / "saxpy2.sass"
        got = self.run_it(GPU, self.KERNEL % (listing, "16000000"))
        ran = subprocess.run([PROGRAM, "predict", listing, "--gpu", "gtx970", "--grid", "15625", "--block", "256", "--arg", "n=4000000", "--arg", "a=16",
                              "--arg", "x=buffer:16000000", "--arg", "y=buffer:16000000", "--format", "json"], capture_output=True, text=True, check=True)
        launch = 0.0073  # launch.host_us of the board: nobody described the host
        self.assertAlmostEqual(got["time_ms"], json.loads(ran.stdout)["time_ms"] + launch, delta=1e-9)
        self.assertTrue(got["assumptions"])

    def test_more_data_than_memory(self):
        text = self.KERNEL % (ROOT / "examples" / "saxpy2.sass", "4294967296")
        self.assertEqual(self.run_it(GPU, text, code=1),
                         "forewarp: app.lua:1: process P:0 at 0 s: sim.kernel: its data take 4310967296 bytes, more than the 4294967296 of "
                         "NVIDIA GeForce GTX 970; --beyond-memory goes past it\n")
        self.assertEqual(len(self.run_it(GPU, text, "--beyond-memory")["warnings"]), 1)

    def test_memory_as_the_system_says(self):  # 32,000,000 bytes of x and y
        text = self.KERNEL % (ROOT / "examples" / "saxpy2.sass", "16000000")
        for memory, code in ((31999999, 1), (32000000, 0)):
            got = self.run_it(GPU.replace('hardware = "gtx970"', f'hardware = "gtx970"\nmemory_bytes = {memory}'), text, code=code)
            if code != 0:
                self.assertIn("its data take 32000000 bytes, more than the 31999999 of NVIDIA GeForce GTX 970", got)


class Intervals(System):
    LISTING = ROOT / "examples" / "saxpy2.sass"
    LAUNCHES = """sim.process("P", function()
      for _ = 1, 2 do sim.kernel{input = "%s", grid = 15625, block = 256, args = {n = 4e6, a = 16, x = {buffer = 16e6}, y = {buffer = 16e6}}} end
      sim.kernel{seconds = 1, name = "stated"}
      sim.synchronise()
      sim.answer("runs/s", 1 / sim.now())
    end)"""

    def test_ends_are_those_of_the_predicted_kernels_together(self):
        got = self.run_it(GPU, self.LAUNCHES % self.LISTING)
        self.assertEqual(len(got["kernels"]), 1)
        kernel = got["kernels"][0]
        low, high = kernel["interval_s"]
        self.assertLess(low, kernel["time_s"])
        self.assertAlmostEqual(got["time_s"] - got["interval_s"][0], 2 * (kernel["time_s"] - low), delta=1e-9)
        self.assertAlmostEqual(got["interval_s"][1] - got["time_s"], 2 * (high - kernel["time_s"]), delta=1e-9)
        self.assertIn("one launch at the low end of their intervals", got["interval_meaning"])
        answer = got["answers"][0]
        self.assertEqual(answer["name"], "runs/s")
        for own, seconds in zip(answer["interval"], reversed(got["interval_s"])):
            self.assertAlmostEqual(own, 1 / seconds, delta=1e-9)

    def test_once_where_asked_or_where_nothing_is_predicted(self):
        alone = self.run_it(GPU, self.LAUNCHES % self.LISTING, "--no-interval")
        self.assertNotIn("interval_s", alone)
        self.assertEqual(alone["answers"][0]["interval"], [alone["answers"][0]["value"]] * 2)
        self.assertNotIn("interval_s", self.run_it(GPU, 'sim.process("P", function() sim.kernel{seconds = 1} end)'))

    def test_an_answer_is_given_once(self):
        line = self.run_it(GPU, 'sim.process("P", function() sim.answer("a", 1) sim.answer("a", 2) end)', code=1)
        self.assertIn("answer: 'a' was given before; expected each name once", line)
        for name in ('""', '"a\\nb"', '("x"):rep(300)'):
            line = self.run_it(GPU, f'sim.process("P", function() sim.answer({name}, 1) end)', code=1)
            self.assertIn("answer: the name is empty, long or has control characters", line)

    def test_a_launch_answers_with_its_time(self):
        got = self.run_it(GPU, (self.LAUNCHES % self.LISTING).replace("sim.kernel{seconds = 1, ", 'sim.answer("s", sim.kernel{seconds = 1, ').replace('"stated"}', '"stated"})'))
        self.assertEqual([one["value"] for one in got["answers"] if one["name"] == "s"], [1])

    def test_failures_at_an_end_alone_are_said(self):
        """A failure just behind the expected end, with a restart: the high end meets it."""
        first = self.run_it(GPU, self.LAUNCHES % self.LISTING, "--no-interval")["time_s"]
        failing = GPU + f"[failures]\nrestarts = 1\nrepair_s = 1\n"
        failing = failing.replace('name = "gpu"', f'name = "gpu"\nfailures = [{{ at_s = {first * 1.000001}, for_s = 0.1 }}]')
        got = self.run_it(failing, self.LAUNCHES % self.LISTING)
        self.assertEqual(got["failures"], [])
        self.assertTrue(any("other failures: 1 at the high end, 0 as expected" in line for line in got["warnings"]), got["warnings"])

    def test_an_end_that_cannot_be_simulated_is_said(self):
        """The application fails where it takes longer than expected."""
        first = self.run_it(GPU, self.LAUNCHES % self.LISTING, "--no-interval")["time_s"]
        text = (self.LAUNCHES % self.LISTING).replace("sim.answer", f"if sim.now() > {first * 1.00001} then error('late') end sim.answer")
        got = self.run_it(GPU, text)
        self.assertNotIn("interval_s", got)
        self.assertTrue(any("no interval: at one of its ends" in line and "late" in line for line in got["warnings"]), got["warnings"])

    def test_memory_that_is_allocated(self):
        """4 GB of the GTX 970: what one process takes for one of its GPUs is not the other's."""
        text = 'sim.process("P", function() sim.allocate(3e9, {gpu = 0}) sim.allocate(3e9, {gpu = 1}) %s end)'
        self.run_it(GPU, text % "sim.allocate(1e18)")  # nobody says how much the host has
        for more, code in (("sim.allocate(1.2e9, {gpu = 1})", 0), ("sim.allocate(1.3e9, {gpu = 1})", 1)):
            said = self.run_it(GPU, text % more, code=code)
            if code:
                self.assertIn("gpu.1 has 4.3 GB of memory, 4.3 GB are allocated; --beyond-memory goes past it", said)
        self.assertEqual(len(self.run_it(GPU, text % "for _ = 1, 3 do sim.allocate(2e9, {gpu = 1}) end", "--beyond-memory")["warnings"]), 1)
        stated = GPU.replace('hardware = "gtx970"', 'hardware = "gtx970"\nmemory_bytes = 2e9')
        self.assertIn("gpu.0 has 2.0 GB of memory", self.run_it(stated, text % "", code=1))


class Reliability(System):
    def test_chance_is_that_of_exponential_lifetimes(self):  # 1 - exp(-3 units 2/h 0.25 h)
        system = '[[component]]\nname = "u"\nkind = "cpu"\ncount = 3\nfailures_per_hour = 2\nlabels = { L = 1 }\n'
        got = self.run_it(system, 'sim.process("L", function() sim.delay(900) end)')
        self.assertAlmostEqual(got["failure_chance"], 1 - math.exp(-1.5), delta=1e-12)

    def test_idle_and_active_power(self):  # 2 units: 10 W each for 4 s, 5 W more for 1 s and for 4 s; 1 W besides
        system = ('base_w = 1\n[[component]]\nname = "u"\nkind = "cpu"\ncount = 2\nperformance = 1\npower = { idle_w = 10, active_w = 5 }\nlabels = { L = 1 }\n')
        got = self.run_it(system, 'sim.process("L", function() sim.compute{operations = 1 + 3 * sim.index} end)')
        self.assertAlmostEqual(got["energy_ws"], 80 + 25 + 4, delta=1e-9)
        self.assertEqual([round(u["energy_ws"], 9) for u in got["units"]], [45, 60])


class Refusals(System):
    BODY = 'sim.process("A", function() {0} end)\nsim.process("B", function() end)'

    def refused(self, application, *more, system=PAIR):
        return self.run_it(system, application, *more, code=1)

    def test_script(self):
        for body, expected in (
                ("sim.send('B', 1)", "app.lua:1: process A:0 at 0 s: sim.send: there are 2 processes of the label 'B'; expected one, or 'B:INDEX'"),
                ("sim.send('B:7', 1)", "app.lua:1: process A:0 at 0 s: sim.send: there is no process 'B:7'; expected an index of 0 to 1"),
                ("sim.send(0/0, 1)", "app.lua:1: process A:0 at 0 s: sim.send: the process is -nan; expected a number from 0 to 1e18"),
                ("sim.send('C', 1)", "app.lua:1: process A:0 at 0 s: sim.send: no process has the label 'C'"),
                ("sim.isend('B:0', -1)", "app.lua:1: process A:0 at 0 s: sim.isend: the size in bytes is -1.000000; expected a number from 0 to 1e18"),
                ("sim.send('B:0', 1, {colour = 1})", "app.lua:1: process A:0 at 0 s: sim.send: 'colour' is not known here; expected tag"),
                ("sim.kernel{seconds = 1}", "app.lua:1: process A:0 at 0 s: a has links to 0 GPUs; expected a number below that"),
                ("local x = nil + 1", "app.lua:1: process A:0 at 0 s: attempt to perform arithmetic on a nil value"),
                ("error({})", "app.lua: process A:0 at 0 s: an error that is no text (table)")):
            self.assertEqual(self.refused(self.BODY.format(body)), f"forewarp: {expected}\n")

    def test_order_of_keys(self):
        self.assertEqual(self.refused(self.BODY.format("for k in pairs({[{}] = 1}) do end")),
                         "forewarp: app.lua:1: process A:0 at 0 s: pairs has no order for keys of type table\n")
        got = self.run_it(PAIR, self.BODY.format("for k in pairs({[true] = 1, b = 1, a = 1, [2] = 1, [false] = 1}) do print(k) end"), "--processes", "A=1")
        self.assertEqual(got["printed"], ["2", "a", "b", "false", "true"])

    def test_systems(self):
        link = '[[link]]\nends = ["b", "a"]\ngbs = 1\n'
        for system, expected in (
                (PAIR + '[[group]]\nname = "g"\ncount = 100000\n[[group.group]]\nname = "h"\ncount = 100000\n', "the group 'h' has no component"),
                (PAIR + link, "there are two links between a and b; expected one; add up their gbs"),
                (RING.format(nodes=2) + "gpu_fabric = { gbs = 1 }\n", "the cluster 'c' has a gpu_fabric without GPUs")):
            line = self.refused(self.BODY.format(""), system=system)
            self.assertTrue(line.startswith("forewarp: system.toml:") and line.count("\n") == 1, line)
            self.assertIn(expected, line)

    def test_outside_of_a_process(self):
        self.assertEqual(self.refused("sim.send(0, 1)"), "forewarp: app.lua:1: sim.send stands outside of a process\n")

    def test_variables(self):
        body = 'sim.variables{n = 4, x = 0.5, on = true, who = "me"}\n' + self.BODY.format("")
        for value, expected in (("m=1", "--set m: the application has no such variable; expected n, on, who, x; did you mean 'n'?"),
                                ("n=1.5", "app.lua:1: --set n=1.5: '1.5' is not what the variable holds; expected a whole number"),
                                ("x=many", "app.lua:1: --set x=many: 'many' is not what the variable holds; expected a number"),
                                ("on=1", "app.lua:1: --set on=1: '1' is not what the variable holds; expected true or false")):
            self.assertEqual(self.refused(body, "--set", value), f"forewarp: {expected}\n")
        got = self.run_it(PAIR, body, "--set", "n=4e8", "--set", "who=you")
        self.assertEqual(got["variables"], {"n": "400000000", "on": "true", "who": "you", "x": "0.5"})

    def test_places(self):
        self.assertEqual(self.refused(self.BODY.format(""), "--processes", "A=3"),
                         "forewarp: --processes A=3: system.toml has places for 2; expected at most as many; give its components more labels, or a higher count\n")
        self.assertEqual(self.refused('sim.process("GPU", function() end)'), "forewarp: system.toml: no component has the label 'GPU'; expected one of A, B\n")
        self.assertEqual(self.refused(self.BODY.format(""), "--processes", "C=1"), "forewarp: --processes C: no process of the application has this label; expected A, B\n")

    def test_deadlock(self):
        text = self.refused('sim.process("A", function() sim.delay(2)\nsim.receive("B") end)\nsim.process("B", function()\nsim.receive("A") end)')
        self.assertEqual(text, "forewarp: app.lua:2: process A:0 at 2 s: waits for a message from B, which never comes; app.lua:2: A:1 for a message from B; "
                               "app.lua:4: B:0 for a message from A; app.lua:4: B:1 for a message from A\n")

    def test_no_way(self):
        system = '[[component]]\nname = "u"\nkind = "cpu"\ncount = 2\nlabels = { L = 1 }\n'
        self.assertEqual(self.refused('sim.process("L", function() sim.send(1 - sim.index, 1) end)', system=system),
                         "forewarp: app.lua:1: process L:0 at 0 s: no links lead from u.0 to u.1\n")


HOSTILE = {
    "endless loop": "while true do end",
    "endless loop at the top": None,
    "endless recursion": "local function f() return 1 + f() end f()",
    "endless tail calls": "local function f() return f() end f()",
    "string bomb": "local s = 'x' while true do s = s .. s end",
    "repeated string": "return ('x'):rep(1e10)",
    "table bomb": "local t = {} while true do t[#t + 1] = {} end",
    "big table": "local t = {} for i = 1, 1e12 do t[i] = i end",
    "pattern that never ends": "return (('a'):rep(40)):find(('a?'):rep(40) .. ('a'):rep(40))",
    "moves without end": "table.move({}, 1, 1e15, 2)",
    "pcall around a loop": "while true do pcall(function() while true do end end) end",
    "pcall around memory": "while true do pcall(string.rep, 'x', 1e9) end",
    "pcall in recursion": "local function f() pcall(f) return f() end f()",
    "coroutines": "local c = coroutine.wrap(function() while true do end end) c()",
    "coroutines without end": "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end",
    "short coroutines": "while true do coroutine.wrap(function() for i = 1, 1000 do end end)() end",
    "coroutine in coroutine": "local function f() coroutine.wrap(f)() end f()",
    "finalizer": "setmetatable({}, {__gc = function() while true do end end}) ",
    "metatable loop": "local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x",
    "index without end": "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) return t[1]",
    "concat metamethod": "local m = {} m.__concat = function(a, b) return a .. b end local t = setmetatable({}, m) return t .. t",
    "sort that lies": "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.sort(t, function() return true end) end",
    "files": "io.open('/etc/passwd')",
    "commands": "os.execute('true')",
    "libraries": "require('os')",
    "code from text": "load('return 1')()",
    "code from files": "dofile('/etc/passwd')",
    "the debugger": "debug.getregistry()",
    "dumped functions": "string.dump(function() end)",
    "streams without end": "while true do sim.stream() end",
    "messages without end": "while true do sim.isend('P:1', 1) end",
    "time without end": "while true do sim.delay(1e-9) end",
    "nobody's time": "while true do sim.now() end",
    "an error of errors": "error(setmetatable({}, {__tostring = function() while true do end end}))",
    "a long error": "error(('x'):rep(1e6))",
    "garbage collector": "collectgarbage('stop')",
    "a great tag": "sim.isend('P:1', 1, {tag = 1e17})",
    "table in itself": "local t = {} t.t = t sim.kernel(t)",
    "a table of tables of one table": "local t = {} for i = 1, 15 do t = {t, t, t, t, t, t, t, t} end sim.kernel{a = t}",
    "a table of one long text": "local s = ('x'):rep(1e5) local t = {} for i = 1, 1000 do t[i] = s end sim.kernel{a = t}",
    "complexity that hangs": "sim.compute(1, function() return (('a'):rep(40)):find(('a?'):rep(40) .. ('a'):rep(40)) end)",
}


class Hostile(System):
    SYSTEM = GPU.replace("labels = { P = 1 }", "labels = { P = 2 }\nperformance = 1").replace('name = "host"', 'name = "host"')

    def test_every_one_ends_in_one_line(self):
        for name, body in HOSTILE.items():
            with self.subTest(name):
                begin = time.process_time(), time.monotonic()
                text = "while true do end" if body is None else f'sim.process("P", function()\n{body}\nend)'
                line = self.run_it(self.SYSTEM, text, code=1)
                self.assertTrue(line.startswith("forewarp: app.lua") and line.count("\n") == 1 and len(line) < 700, line)
                took = resource_seconds() - begin[0]
                self.assertLess(min(took, time.monotonic() - begin[1]), 5)

    def test_bytecode_and_texts_that_are_no_lua(self):
        for content, expected in ((b"\x1bLua\x54\x00rest", "is compiled Lua; expected Lua source"), (b"x = = 1", "unexpected symbol near '='"),
                                  (b"(" * 100000, "C stack overflow"), (b"", "has no process")):
            self.assertIn(expected, self.run_it(PAIR, content, code=1))

    def test_a_million_processes(self):
        system = PAIR.replace("A = 2", "A = 100000")
        self.assertIn("the run has more than 20000 processes", self.run_it(system, 'sim.process("A", function() end)', code=1))


def resource_seconds():
    return time.process_time()


if __name__ == "__main__":
    unittest.main()
