#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What the simulated SM's clock shows, and when its warps issue: clock_test.py PROGRAM"""
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(sys.argv.pop(1)).resolve())
os.environ["FOREWARP_BUILD"] = str(Path(PROGRAM).parents[2])
sys.path.insert(0, str(ROOT / "scripts" / "show"))
import voudouris  # pylint: disable=wrong-import-position

CLOCKED = [str(ROOT / "tests/fixtures/asfermi/clocked.asfermi"), "--gpu", "gtx470", "--grid", "1", "--arg", "0=buffer:4096",
           "--model", "sim"]
# Voudouris 2014, section 2.5 of his timelines: readings, shifts and additions of one warp.
STARTS = {"independent": [0, 18, 24, 30, 36, 54], "dependent": [0, 18, 24, 42, 48, 66]}


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=ROOT)


def predict(*arguments):
    ran = run("predict", *CLOCKED, *arguments, "--format", "json")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def chain(op, count, dependent):
    lines = ["!Kernel k", "S2R R0, SR_ClockLo", "SHL.W R1, R0, 0x1"]
    for i in range(count):
        lines.append(f"{op} R{11 + i}, {f'R{10 + i}' if dependent else 'R4'}")
    lines += ["S2R R2, SR_ClockLo", "SHL.W R3, R2, 0x1", "EXIT", "!EndKernel"]
    ran = subprocess.run([PROGRAM, "predict", "-", *CLOCKED[1:5], "--block", "32", "--model", "sim", "--format", "json"],
                         input="\n".join(lines), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)["clocks"][0]["used_cycles"]


class Clock(unittest.TestCase):
    def test_one_warp_starts_as_measured(self):
        for kernel, starts in STARTS.items():
            found = predict("--kernel", kernel, "--block", 32)
            cycles = [issue[0] for issue in found["simulation"]["timeline"]]
            self.assertEqual([c - cycles[2] for c in cycles[2:8]], starts)
            self.assertEqual(found["clocks"], [{"block": 0, "warp": 0, "used_cycles": starts[5] - starts[1],
                                                "read_cycles": starts[4] - starts[0]}])

    # One scheduler with three warps: each 2 cycles after the one before, none longer.
    def test_three_warps_on_a_scheduler_take_as_long_as_one(self):
        for kernel, starts in STARTS.items():
            found = predict("--kernel", kernel, "--block", 96, "--set", "hw.issue.schedulers=1")
            for warp in range(3):
                cycles = [issue[0] for issue in found["simulation"]["timeline"] if issue[3] == warp]
                self.assertEqual([c - 12 for c in cycles[2:8]], [s + 2 * warp for s in starts])
            self.assertEqual({c["used_cycles"] for c in found["clocks"]}, {starts[5] - starts[1]})

    # Warps with even numbers on one scheduler, with odd numbers on the other: the cores take one warp a cycle, slots are two apart, so the
    # odd half goes a slot later. He found six to take as long as one; the vendor's 16 shifts a cycle of an SM need 12 cycles for the six
    # first shifts, 6 more than a warp has between two instructions.
    def test_six_warps_on_two_schedulers(self):
        for kernel, starts in STARTS.items():
            found = predict("--kernel", kernel, "--block", 192)
            of = {warp: [issue[0] for issue in found["simulation"]["timeline"] if issue[3] == warp] for warp in range(6)}
            self.assertEqual([of[warp][0] - of[0][0] for warp in range(6)], [0, 2, 2, 4, 4, 6])
            for warp in range(6):
                self.assertEqual(of[warp][5] - of[warp][4], starts[3] - starts[2])
            self.assertEqual({c["used_cycles"] for c in found["clocks"]}, {starts[5] - starts[1] + 6})

    # Voudouris 2014, Tables 19 to 22; MAD and ADD in turn to 4 cycles, which he measured 2 and 4 longer than his own rule.
    def test_chains_and_mixes_as_measured(self):
        self.assertEqual(voudouris.tables_19_to_21(), (True, "52 of 52 cells"))
        self.assertEqual(voudouris.table_22(), (True, "12 of 12 cells"))
        for op in ("ADD", "MUL", "MAD"):
            self.assertEqual([chain(op, n, True) for n in (1, 5)], [30, 102], op)
        self.assertEqual(chain("ADD", 0, False), 24)

    # Table 18: greedy then oldest takes longest, then variable rate, loose round robin and two levels.
    def test_policies_in_the_order_of_table_18(self):
        holds, figure = voudouris.ranking()
        self.assertTrue(holds, figure)

    # The SFU takes 8 cycles of each COS, but five of them issue 6 apart; a dependence costs 22.
    def test_special_functions(self):
        self.assertEqual([chain("COS", n, False) for n in (1, 3, 5)], [30, 42, 54])
        self.assertEqual([chain("COS", n, True) for n in (1, 3, 5)], [30, 74, 118])

    def test_without_the_six_cycle_rule(self):
        found = predict("--kernel", "independent", "--block", 32, "--set", "hw.rules.default.ilp=2")
        # The first shift takes its scheduler's cores for 4 cycles, an addition for 2; a reading 18.
        self.assertEqual(found["clocks"][0]["used_cycles"], 4 + 2 + 2 + 18)

    def test_a_rate_that_no_warp_keeps_is_named(self):
        rate = ["--kernel", "independent", "--block", 512, "--option", "sim.policy=variable-rate"]
        said = predict(*rate, "--option", "sim.rate=2")["findings"]
        self.assertIn({"kind": "policy", "text": "one of every 2 slots, 4 cycles apart, is more than a warp can use: its instructions "
                                                 "follow each other after 6 cycles"}, said)
        self.assertEqual([f for f in predict(*rate, "--option", "sim.rate=3")["findings"] if f["kind"] == "policy"], [])

    def test_rates_are_swept(self):
        ran = run("predict", *CLOCKED, "--kernel", "independent", "--block", 512, "--option", "sim.policy=variable-rate", "--option",
                  "sim.slots=strict", "--sweep", "option.sim.rate=2,4,8", "--format", "csv")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        rows = [line.split(",") for line in ran.stdout.splitlines()]
        self.assertEqual(rows[0][0], "option.sim.rate")
        self.assertEqual([row[0] for row in rows[1:]], ["2", "4", "8"])
        self.assertGreater(len({row[1] for row in rows[1:]}), 1)


if __name__ == "__main__":
    unittest.main()
