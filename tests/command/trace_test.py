#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""forewarp trace as a user runs it: trace_test.py PROGRAM

Reads both formats with readers of its own, written from docs/trace.md, and holds them against each other and
against the profile of the same launch.
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTINGS = ROOT / "tests" / "fixtures" / "listings"
PROGRAM = sys.argv.pop(1)

# Name, GPU, launch: every kind of access, divergence, barriers, copies, variables of the module.
LAUNCHES = [
    ("saxpy2.sm_35", "k40", "--grid 3 --block 96 --arg n=250 --arg a=3"),
    ("saxpy2.sm_61", "gtx1080", "--grid 3 --block 96 --arg n=250 --arg a=3"),
    ("saxpy2.sm_90", "h100-sxm-80", "--grid 3 --block 96 --arg n=250 --arg a=3"),
    ("divergent.sm_52", "gtx970", "--grid 2 --block 64 --arg x=buffer:4096:ones --arg n=5"),
    ("divergent.sm_70", "titanv", "--grid 2 --block 64 --arg x=buffer:4096:ones --arg n=5"),
    ("asynchronous_copy.sm_80", "a100-sxm-40",
     "--grid 2 --block 128 --arg 0=buffer:65536 --arg 1=buffer:65536 --arg 2=3"),
    ("transpose_conflicts.sm_70", "titanv",
     "--grid 2,2 --block 32,8 --arg 0=buffer:65536 --arg 1=buffer:65536 --arg 2=64 --arg 3=64"),
    ("atomics_histogram.sm_86", "rtx3090",
     "--grid 2 --block 64 --arg 0=buffer:65536:random:1:0:255 --arg 1=buffer:1024:zeros --arg 2=200"),
    ("spills.sm_75", "rtx2080ti",
     "--grid 1 --block 64 --arg 0=buffer:96:iota --arg 1=buffer:65536:ones --arg 2=buffer:256 --arg 3=40"),
    ("matrix_unit.sm_80", "a100-sxm-40",
     "--grid 1 --block 32 --arg 0=buffer:65536 --arg 1=buffer:65536 --arg 2=buffer:65536 --arg 3=2"),
    ("constant_memory.sm_80", "a100-sxm-40",
     "--grid 1 --block 64 --arg 0=buffer:65536 --arg 1=buffer:65536 --arg 2=64 --arg 3=8 --arg 4=1"),
    ("matmul_tiled.sm_35", "k40",
     "--grid 2,2 --block 16,16 --arg 0=buffer:4096 --arg 1=buffer:4096 --arg 2=buffer:4096 --arg 3=32"),
    ("module_variables.sm_61", "gtx1080", "--grid 1 --block 64 --arg 0=buffer:4096 --arg 1=50"),
    ("reduction_shared.sm_80", "a100-sxm-40",
     "--grid 2 --block 128 --arg 0=buffer:65536:ones --arg 1=buffer:65536 --arg 2=500"),
]


def forewarp(*arguments, code=0):
    ran = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False,
                         cwd=ROOT)
    assert ran.returncode == code, (arguments, ran.returncode, ran.stdout, ran.stderr)
    return ran.stdout if code == 0 else ran.stderr


class Stream:
    """Numbers of warps.gz."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def signed(self):
        value = self.number()
        return -(value + 1) // 2 if value & 1 else value // 2


def lanes_of(mask):
    return [lane for lane in range(32) if mask >> lane & 1]


def read_access(stream, kind, value, executed, forms, place):
    """(space, kind, bytes, {lane: address}); one like an earlier one keeps its form."""
    if kind == 4:
        distance = value // 2 if value % 2 == 0 else -(value + 1) // 2
        space, what, width, address = forms[place]
        address = {lane: (at + distance) % 2**64 for lane, at in address.items()}
    else:
        lanes = lanes_of(stream.number() if value else executed)
        space, what, width, base = stream.byte(), stream.byte(), stream.byte(), stream.number()
        address = {}
        if kind == 5:
            stride = stream.signed()
            address = {lane: (base + stride * (lane - lanes[0])) % 2**64 for lane in lanes}
        else:
            for lane in lanes:
                base = (base + (stream.signed() if address else 0)) % 2**64
                address[lane] = base
    forms[place] = (space, what, width, address)
    return forms[place]


def read_warp(stream):
    """[instruction, active, lanes, accesses] of one warp."""
    instructions, size = stream.number(), stream.number()
    end, following, active, events, forms = stream.at + size, 0, 0xffffffff, [], {}
    while stream.at < end:
        head = stream.byte()
        kind, value = head & 7, head >> 3
        if value == 31:
            value += stream.number()
        if kind == 0:
            events += [[following + i, active, active, []] for i in range(value + 1)]
            following += value + 1
        elif kind == 1:
            following += value // 2 if value % 2 == 0 else -(value + 1) // 2
        elif kind == 2:
            active = stream.number() if value else 0xffffffff
        elif kind == 3:
            events.append([following, active, stream.number() if value else 0, []])
            following += 1
        else:
            last = events[-1]
            last[3].append(read_access(stream, kind, value, last[2], forms, (last[0], len(last[3]))))
    assert stream.at == end and len(events) == instructions
    return events


def read_forewarp(folder):
    """Header, and {(block, warp): events} in the file's order."""
    stream = Stream(gzip.decompress((folder / "warps.gz").read_bytes()))
    assert stream.data[:4] == b"fwt1"
    stream.at, warps, blocks = 4, {}, 0
    while True:
        block, count = stream.number(), stream.number()
        if block == 0:
            assert count == blocks and stream.at == len(stream.data)
            return json.loads((folder / "trace.json").read_text()), warps
        blocks += 1
        for warp in range(count):
            warps[block - 1, warp] = read_warp(stream)


def read_line(line):
    """(pc, mask, opcode, {lane: address}) of a line of Accel-Sim's text."""
    words = line.split()
    mask = int(words[1], 16)
    at = 3 + int(words[2])
    opcode, at = words[at], at + 2 + int(words[at + 1])
    width, rest = int(words[at]), words[at + 1:]
    address = {}
    if width and mask:
        base, steps = int(rest[1], 16), list(map(int, rest[2:]))
        for i, lane in enumerate(lanes_of(mask)):
            if i:
                base += steps[0] if rest[0] == "1" else steps[i - 1]
            address[lane] = base
    return int(words[0], 16), mask, opcode, address


def read_accel_sim(folder):
    """Keys of the head, and {(block, warp): lines}."""
    head, warps, grid, block, warp = {}, {}, None, None, None
    for line in (folder / "kernel-1.traceg").read_text().splitlines():
        key, _, value = line.partition(" = ")
        if line.startswith("-"):
            head[key[1:]] = value
        elif key == "thread block":
            x, y, z = map(int, value.split(","))
            grid = json.loads((folder / "trace.json").read_text())["launch"]["grid"]
            block = (z * grid[1] + y) * grid[0] + x
        elif key == "warp":
            warp = int(value)
            warps[block, warp] = []
        elif key == "insts":
            head["insts", block, warp] = int(value)
        elif line and not line.startswith("#"):
            warps[block, warp].append(read_line(line))
    for (block, warp), lines in warps.items():
        assert len(lines) == head["insts", block, warp]
    return head, warps


class Trace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, listing, gpu, launch, name="trace", *more):
        target = self.folder / name
        forewarp("trace", LISTINGS / f"{listing}.sass", "--gpu", gpu, *launch.split(), "-o", target,
                 *more)
        return target

    def test_both_formats_say_what_the_profile_says(self):
        for listing, gpu, launch in LAUNCHES:
            with self.subTest(listing):
                header, warps = read_forewarp(self.write(listing, gpu, launch, listing))
                _, lines = read_accel_sim(self.write(listing, gpu, launch, listing + ".a", "--as",
                                                     "accel-sim"))
                self.assertEqual(list(warps), list(lines))
                for place, events in warps.items():
                    self.same_warp(header["instructions"], events, lines[place])
                self.same_counts(header, warps, json.loads(forewarp(
                    "profile", LISTINGS / f"{listing}.sass", "--gpu", gpu, *launch.split(),
                    "--format", "json"))["profile"])

    def test_blocks_that_wait_for_each_other_are_all_there(self):
        launch = "--grid 4 --block 64 --arg 0=buffer:65536:ones --arg 1=buffer:65536 --arg 2=300"
        header, warps = read_forewarp(self.write("grid_barrier.sm_80", "a100-sxm-40", launch))
        _, lines = read_accel_sim(self.write("grid_barrier.sm_80", "a100-sxm-40", launch, "accel",
                                             "--as", "accel-sim"))
        self.assertEqual(sorted(warps), [(block, warp) for block in range(4) for warp in range(2)])
        self.assertEqual(list(warps), list(lines))
        for place, events in warps.items():
            self.same_warp(header["instructions"], events, lines[place])

    def same_warp(self, code, events, lines):
        self.assertEqual(len(events), len(lines))
        for (instruction, _, mask, accesses), (pc, shown, opcode, address) in zip(events, lines):
            self.assertEqual((pc, shown), (code[instruction]["address"], mask))
            words = code[instruction]["text"].split()
            self.assertEqual(opcode, words[1] if words[0].startswith("@") else words[0])
            wanted = [a for a in accesses if a[0] == 0 or len(accesses) == 1]
            if address:
                space, _, _, known = wanted[0]
                window = {1: 1 << 24, 2: 2 << 24}.get(space, 0) if opcode.startswith(("LD.", "ST.")) else 0
                self.assertEqual({lane: address[lane] - window for lane in known}, known)
            else:
                self.assertTrue(mask == 0 or not wanted or wanted[0][0] > 3, opcode)

    def same_counts(self, header, warps, profile):
        warp_instructions, thread_instructions = Counter(), Counter()
        for events in warps.values():
            for instruction, active, lanes, _ in events:
                name = header["instructions"][instruction]["class"]
                warp_instructions[name] += 1
                thread_instructions[name] += lanes.bit_count()
                self.assertEqual(lanes & ~active, 0)
        self.assertEqual(dict(warp_instructions), profile["by_class"])
        self.assertEqual({k: v for k, v in thread_instructions.items() if v},
                         {k: v for k, v in profile["threads_by_class"].items() if v})
        self.assertEqual(header["totals"]["warp_instructions"], profile["warp_instructions"])
        self.assertEqual(header["totals"]["warps"], len(warps))

    def test_the_example_of_the_document(self):
        written = []
        for line in (ROOT / "docs" / "trace.md").read_text().split("### Example")[1].splitlines():
            words = line[:46].split()  # what they mean stands behind
            if words and all(len(word) == 2 for word in words):
                written += words
        folder = self.folder / "example"
        forewarp("trace", "examples/saxpy2.sass", "--gpu", "gtx970", "--grid", 1, "--block", 32,
                 "--arg", "n=50", "--arg", "a=2", "-o", folder)
        stream = gzip.decompress((folder / "warps.gz").read_bytes())
        self.assertEqual(stream.hex(" "), " ".join(written))

    def test_a_sample_says_what_it_stands_for(self):
        launch = "--grid 1000,3 --block 64 --arg n=192000 --arg a=2 --sample 20"
        header, warps = read_forewarp(self.write("saxpy2.sm_80", "a100-sxm-40", launch))
        strata = header["blocks"]["strata"]
        held = sorted(block for stratum in strata for block in stratum["blocks"])
        self.assertEqual(sorted({block for block, _ in warps}), held)
        self.assertEqual(len(held), header["blocks"]["held"])
        self.assertEqual(sum(stratum["stand_for"] for stratum in strata), 3000)
        counts = Counter()
        for (block, _), events in warps.items():
            counts[block] += len(events)
        total = sum(s["stand_for"] / len(s["blocks"]) * sum(counts[b] for b in s["blocks"])
                    for s in strata)
        self.assertAlmostEqual(total, header["totals"]["grid_warp_instructions"])
        target = self.folder / "accel"
        text = forewarp("trace", LISTINGS / "saxpy2.sm_80.sass", "--gpu", "a100-sxm-40",
                        *launch.split(), "-o", target, "--as", "accel-sim")
        self.assertIn("holds only these blocks", text)
        head, lines = read_accel_sim(target)
        self.assertEqual(head["grid dim"], f"({len(held)},1,1)")
        self.assertEqual(head["forewarp sample"],
                         f"{len(held)} of 3000 blocks of the grid (1000,3,1)")
        self.assertEqual([block for block, warp in lines if warp == 0], held)

    def test_the_same_launch_gives_the_same_files(self):
        names = ["one", "two"]
        for name, jobs in zip(names, "12"):
            self.write("divergent.sm_70", "titanv", LAUNCHES[4][2], name, "-j", jobs)
        for file in ("trace.json", "warps.gz"):
            one, two = ((self.folder / name / file).read_bytes() for name in names)
            self.assertEqual(one, two)

    def refuse(self, *arguments):
        line = forewarp("trace", LISTINGS / "saxpy2.sm_80.sass", "--gpu", "a100-sxm-40", "--grid", 2,
                        "--block", 32, "--arg", "n=64", "--arg", "a=1", *arguments, code=1)
        self.assertEqual(line.count("\n"), 1)
        return line

    def test_refusals_leave_nothing_behind(self):
        target = self.folder / "new"
        self.assertIn("no folder is given", self.refuse())
        self.assertIn("expected forewarp, accel-sim", self.refuse("-o", target, "--as", "text"))
        self.assertIn("--as chooses", self.refuse("-o", target, "--format", "json"))
        self.assertIn("once per GPU", self.refuse("-o", target, "--gpu", "h100-sxm-80"))
        self.assertFalse(target.exists())
        # The kernel stops when it runs: the folder was made for it and goes again.
        line = forewarp("trace", LISTINGS / "data_loop.sm_80.sass", "--gpu", "a100-sxm-40", "--grid",
                        1, "--block", 32, "-o", target, code=1)
        self.assertEqual(line.count("\n"), 1)
        self.assertFalse(target.exists())

    def test_a_folder_with_something_else_is_left_alone(self):
        target = self.folder / "mine"
        target.mkdir()
        (target / "notes.txt").write_text("mine")
        self.assertIn("is not empty and holds no trace", self.refuse("-o", target))
        self.assertEqual(os.listdir(target), ["notes.txt"])
        file = self.folder / "file"
        file.write_text("")
        self.assertIn("is not a folder", self.refuse("-o", file))
        self.assertIn("cannot be made", self.refuse("-o", file / "below"))

    def test_an_earlier_trace_is_replaced(self):
        launch = "--grid 2 --block 32 --arg n=64 --arg a=1"
        target = self.write("saxpy2.sm_80", "a100-sxm-40", launch, "trace", "--as", "accel-sim")
        (target / "notes.txt").write_text("mine")
        self.write("saxpy2.sm_80", "a100-sxm-40", launch)
        self.assertEqual(sorted(os.listdir(target)), ["notes.txt", "trace.json", "warps.gz"])
        (target / "kernelslist.g").write_text("somebody's")
        self.assertIn("belongs to no earlier trace",
                      self.refuse("-o", target, "--as", "accel-sim"))


unittest.main()
