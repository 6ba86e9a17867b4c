#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Counts of instruction classes that models take, against those of a trace: class_counts_test.py PROGRAM"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
KERNELS = {"sum_of_ten": (ROOT / "tests" / "fixtures" / "asfermi" / "loop.asfermi", ["--arg", "0=buffer:4096"]),
           "staged": (ROOT / "tests" / "fixtures" / "asfermi" / "staged.asfermi", ["--arg", "0=buffer:4096"])}
SHARED, GLOBAL = {"LDS": "shared_loads", "STS": "shared_stores"}, {"LD": "loads", "ST": "stores"}


def counted(lines):
    """Voudouris 2014's classes of a warp, instruction by instruction: what depends on the arithmetic before it waits longer
    than the rest; the wait for memory belongs to the access."""
    counts = dict.fromkeys(["dependent", "independent", "shared_loads", "shared_stores", "loads", "stores"], 0)
    written, before = set(), ""
    for line in lines:
        words = line.split()
        results = int(words[2])
        writes = set(words[3:3 + results])
        opcode = words[3 + results].split(".")[0]
        reads = set(words[5 + results:5 + results + int(words[4 + results])])
        guarded = opcode == "BRA" and before == "ISETP"  # traces leave out predicates
        memory = SHARED.get(opcode) or GLOBAL.get(opcode)
        counts[memory or ("dependent" if reads & written or guarded else "independent")] += 1
        written, before = set() if memory else writes - {"R255"}, opcode
    return counts


class ClassCounts(unittest.TestCase):
    def run_tool(self, *words):
        ran = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def test_they_are_those_of_the_trace(self):
        for name, (listing, arguments) in KERNELS.items():
            launch = [listing, "--gpu", "gtx470", "--grid", 1, "--block", 32, *arguments]
            result = json.loads(self.run_tool("predict", *launch, "--model", "voudouris", "--format", "json"))
            with tempfile.TemporaryDirectory() as folder:
                self.run_tool("trace", *launch, "--as", "accel-sim", "-o", folder)
                text = (Path(folder) / "kernel-1.traceg").read_text(encoding="ascii")
            lines = text.split("insts = ")[1].splitlines()
            count = int(lines[0])
            counts = counted(lines[1:1 + count])
            self.assertEqual(sum(counts.values()), count)
            numbers = (result[0] if isinstance(result, list) else result)["models"][0]["numbers"]
            self.assertEqual({key: numbers[key] for key in counts}, counts, name)

    def assert_counts(self, name, wanted):
        listing, arguments = KERNELS[name]
        result = json.loads(self.run_tool("predict", listing, "--gpu", "gtx470", "--grid", 1, "--block", 32, *arguments, "--model", "voudouris", "--format", "json"))
        numbers = (result[0] if isinstance(result, list) else result)["models"][0]["numbers"]
        self.assertEqual({key: numbers[key] for key in wanted}, wanted)

    def test_by_hand(self):
        """69 instructions: ten passes of one shared load and five others, a store; the address waits for its thread number, each
        comparison for its counter, each branch for its comparison, the sum's address for its product."""
        self.assert_counts("sum_of_ten", {"shared_loads": 10, "shared_stores": 0, "stores": 1, "loads": 0, "dependent": 22, "independent": 36})

    def test_every_memory_class_by_hand(self):
        """14 instructions, eight of them of memory: of the others the shift and the address wait for the one before."""
        self.assert_counts("staged", {"shared_loads": 1, "shared_stores": 3, "stores": 2, "loads": 2, "dependent": 2, "independent": 4})


if __name__ == "__main__":
    unittest.main()
