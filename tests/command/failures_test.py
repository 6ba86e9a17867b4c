#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Units and links that fail during a run of forewarp simulate: failures_test.py PROGRAM"""
import csv
import io
import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from simulating import System, main


class Failures(System):
    FAILING = """
base_w = 1
[failures]
restarts = {restarts}
repair_s = 2
[[component]]
name = "u"
kind = "cpu"
power = {{ idle_w = 10, active_w = 5 }}
labels = {{ L = 1 }}
{unit}
[[component]]
name = "v"
kind = "cpu"
labels = {{ M = 1 }}
[[link]]
ends = ["u", "v"]
gbs = 1
{link}
"""

    def failing(self, body, restarts=0, unit="", link="", more="", code=0):
        system = self.FAILING.format(restarts=restarts, unit=unit, link=link) + more
        return self.simulated(system, 'sim.process("L", function() ' + body + ' end) sim.process("M", function() end)', code=code)

    def test_a_unit_that_fails_ends_what_runs_on_it(self):
        text = self.failing("sim.compute{seconds = 4}", unit="failures = [{ at_s = 3 }]", code=1)
        self.assertEqual(text, "forewarp: system.toml: u failed while process L:0 ran on it at 3 s; "
                               "[failures] with restarts says how many times it may begin again\n")

    def test_the_application_begins_again_after_the_repair(self):
        """3 s in vain, 2 s of repair, 4 s of work: 9 s, for which 11 W, and 5 W for 3 + 4 s."""
        got = self.failing("sim.compute{seconds = 4}", restarts=1, unit="failures = [{ at_s = 3, for_s = 1 }]")
        self.assertAlmostEqual(got["time_s"], 9, delta=1e-9)
        self.assertAlmostEqual(got["energy_ws"], 9 * 11 + 7 * 5, delta=1e-6)
        self.assertAlmostEqual(got["processes"][0]["finish_s"], 9, delta=1e-9)
        self.assertAlmostEqual(got["processes"][0]["energy_ws"], 35, delta=1e-6)
        self.assertAlmostEqual(got["units"][0]["busy_s"], 7, delta=1e-6)
        self.assertEqual(got["failures"], [{"what": "u failed while process L:0 ran on it", "at_s": 3.0}])

    def test_what_was_in_vain_is_seen(self):
        """1 s of work, 2 s in vain, 2 s of repair, and all of the 4 s again: the parts of the path are the whole time."""
        body = 'sim.compute{seconds = 1, name = "first"} sim.compute{seconds = 3, name = "second"}'
        failing = "failures = [{ at_s = 3, for_s = 1 }]"
        got = self.failing(body, restarts=1, unit=failing)
        self.assertEqual([(one["what"], round(one["seconds"], 9)) for one in got["critical_path"]],
                         [("attempts that failed, and repairs", 5), ("compute second on L:0", 3), ("compute first on L:0", 1)])
        self.assertEqual(got["bottleneck"], "attempts that failed, and repairs: 56 % of the time that the last process takes")
        self.forewarp("simulate", self.at / "system.toml", self.at / "app.lua", "--trace", self.at / "t.json")
        events = [one for one in json.loads((self.at / "t.json").read_text())["traceEvents"] if one["ph"] == "X" and one["tid"] == 0]
        self.assertEqual([(one["name"], round(one["ts"] / 1e6, 6), round(one["dur"] / 1e6, 6)) for one in events],
                         [("first", 0, 1), ("repair", 3, 2), ("first", 5, 1), ("second", 6, 3)])

    def test_failures_of_a_later_attempt_are_of_the_same_clock(self):
        """The second one, at 6 s, meets the second attempt, which began at 5 s; the third one at 8 s."""
        got = self.failing("sim.compute{seconds = 4}", restarts=2, unit="failures = [{ at_s = 3, for_s = 1 }, { at_s = 6, for_s = 1 }]")
        self.assertAlmostEqual(got["time_s"], 12, delta=1e-9)
        self.assertEqual([round(one["at_s"], 9) for one in got["failures"]], [3, 6])
        text = self.failing("sim.compute{seconds = 4}", restarts=1, unit="failures = [{ at_s = 3, for_s = 1 }, { at_s = 6, for_s = 1 }]", code=1)
        self.assertIn("u failed while process L:0 ran on it at 6 s, after the application began again 1 times", text)

    def test_a_link_fails_where_data_pass(self):
        send = 'sim.delay(1) sim.isend("M:0", 1e9) sim.delay(3)'  # until 2 s
        self.assertIn("the link link failed while data passed it at 1.5 s", self.failing(send, link="failures = [{ at_s = 1.5 }]", code=1))
        self.assertIn("the link link has failed and was needed by data at 1 s", self.failing(send, link="failures = [{ at_s = 0.5, for_s = 0.6 }]", code=1))
        for fine in ("failures = [{ at_s = 0.5, for_s = 0.4 }]", "failures = [{ at_s = 2.5 }]"):
            got = self.failing(send, link=fine)
            self.assertAlmostEqual(got["time_s"], 4, delta=1e-9)
            self.assertEqual(got["failures"], [])

    def test_who_fails_unused_ends_nothing(self):
        got = self.failing("sim.compute{seconds = 4}", more='[[component]]\nname = "w"\nkind = "gpu"\nfailures = [{ at_s = 1 }]\n')
        self.assertAlmostEqual(got["time_s"], 4, delta=1e-9)

    def test_drawn_lifetimes(self):
        """10 s of work at 1 failure per 10 s, 2 s of repair: (e - 1) (10 + 2) s on average; 150 seeds, whose mean has a deviation of 1.5 s."""
        system = self.FAILING.format(restarts=1000, unit="failures_per_hour = 360", link="").replace("[failures]", "[failures]\nseed = 1")
        self.write("system.toml", system)
        self.write("app.lua", 'sim.process("L", function() sim.compute{seconds = 10} end) sim.process("M", function() end)')
        rows = self.forewarp("simulate", self.at / "system.toml", self.at / "app.lua", "--sweep", "system.failures.seed=1:150:1", "--format", "csv", "-q").stdout
        times = [float(row["time_ms"]) / 1e3 for row in csv.DictReader(io.StringIO(rows))]
        self.assertEqual(len(times), 150)
        self.assertAlmostEqual(sum(times) / len(times), (math.e - 1) * 12, delta=4.5)
        self.assertGreater(len(set(times)), 80)  # a share of 1 / e met no failure

    def test_failures_that_cannot_be(self):
        text = self.failing("", unit="failures = [{ at_s = 3 }, { at_s = 5 }]", code=1)
        self.assertIn("a failure begins before the one before it has ended; expected the order of time, each with for_s but the last", text)


main(sys.argv)
