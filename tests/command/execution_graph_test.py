#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The execution graph explains the time of each of its nodes, and its longest path is one: execution_graph_test.py PROGRAM"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.path.abspath(sys.argv.pop(1))
WAITS = "tests/fixtures/graphs/waits.sass"
KERNELS = {"sines": ["1=100"], "doubles": ["1=100"], "meets": ["1=10"], "nested": ["1=7", "2=9"], "calls": [], "pictures": ["2=5"]}
# sm_35 code has no control words: Fermi and older cards wait for values and stores by rules of their own.
BOARDS = {"8800gtx": 35, "gtx480": 35, "k40": 35, "gtx980": 52, "rtx3090": 86, "h100-sxm-80": 90}
NODE = re.compile(r'  n(\d+) \[label="(.*)"(.*)\];$')
EDGE = re.compile(r'  n(\d+) -> n(\d+) \[label="(.*?)", class=(\w+)(.*)\];$')


class Graph:
    def __init__(self, text):
        self.total = float(re.search(r": ([\d.e+]+) cycles of a lone warp", text)[1])
        self.at, self.red, self.edges, self.red_edges = {}, set(), [], []
        for line in text.splitlines():
            if node := NODE.match(line):
                number, label, style = int(node[1]), node[2], node[3]
                self.at[number] = float(label.rpartition("@")[2]) if "@" in label else self.total
                if "color=red" in style:
                    self.red.add(number)
            elif edge := EDGE.match(line):
                source, target, label, kind, style = int(edge[1]), int(edge[2]), edge[3], edge[4], edge[5]
                if "dashed" not in style:
                    self.edges.append((source, target, float(label.split()[-1]), kind))
                if "color=red" in style:
                    self.red_edges.append((source, target))
        self.end = max(self.at)

    def unexplained(self):
        """Nodes at which the last of the edges does not end, within a cycle (times have six digits)."""
        for node in sorted(self.at)[1:]:
            latest = max((self.at[source] + cycles for source, target, cycles, _ in self.edges if target == node), default=-1)
            if abs(latest - self.at[node]) > 1 + 2e-5 * self.at[node]:
                yield node, self.at[node], latest

    def walk(self):
        """Nodes of the red edges, from the first on."""
        follows, node, seen = dict(self.red_edges), 0, [0]
        while node in follows and len(seen) <= len(self.at):
            node = follows[node]
            seen.append(node)
        return seen

    def kinds(self):
        return {kind for *_, kind in self.edges}


class ExecutionGraph(unittest.TestCase):
    def graph(self, listing, kernel, board, *more):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "graph.dot"
            ran = subprocess.run([PROGRAM, "explain", ROOT / listing, "--kernel", kernel, "--gpu", board, "--block", "128", "--fast", "--graph", file, *more],
                                 capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            return Graph(file.read_text())

    def check(self, graph):
        self.assertEqual(list(graph.unexplained()), [])
        walk = graph.walk()
        self.assertEqual((walk[0], walk[-1]), (0, graph.end))
        self.assertEqual(len(walk) - 1, len(graph.red_edges))
        self.assertEqual(set(walk[:-1]), graph.red)

    def test_each_node_is_where_its_last_edge_ends(self):
        kinds = set()
        for board, sm in BOARDS.items():
            for kernel, values in KERNELS.items():
                with self.subTest(board=board, kernel=kernel):
                    words = [word for value in values for word in ("--arg", value)]
                    numbers = subprocess.run([PROGRAM, "analyze", "--list", ROOT / WAITS], capture_output=True, text=True, check=False).stdout
                    number = re.search(rf"(\d+) +sm_{sm} .* {kernel}\(?", numbers)[1]
                    graph = self.graph(WAITS, f"#{number}", board, "--grid", "16", "--assume-isa", *words)
                    self.check(graph)
                    kinds |= graph.kinds()
        self.assertEqual(kinds, {"issue", "dual", "branch", "value", "scoreboard", "store", "barrier", "again", "end"})

    def test_kernels_of_the_measured_sets(self):
        for listing, kernel, board in (("elementwise", "elementwise_two", "rtx3090"), ("unoptimised", "vector_add", "v100-pcie-16"),
                                       ("hopper_moves", "store_squares", "h100-sxm-80"), ("atomics", "#1", "gtx980")):
            with self.subTest(kernel=kernel):
                self.check(self.graph(f"validation/kernels/{listing}.sass", kernel, board, "--grid", "32"))


if __name__ == "__main__":
    unittest.main()
