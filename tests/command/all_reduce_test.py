#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""All-reduces of forewarp simulate as closed forms and as messages: all_reduce_test.py PROGRAM"""
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from simulating import System, gpu_cluster, main

BYTES = 1.28e8


class AllReduce(System):
    def reduced(self, nodes, gpus, options, more="", before="", system=None):
        body = f'sim.process("G", function() {before} sim.all_reduce({BYTES}, {{{options}}}) {more} end)'
        return self.simulated(system or gpu_cluster(nodes, gpus), body)

    def formula(self, m, k):
        """2 (k - 1) (a + n / (k b)) in the islands, 2 (m - 1) (A + n / (m B)) across: k rings share B."""
        within = (k - 1) * (2e-6 + BYTES / k / 100e9)
        across = 2 * (m - 1) * (3e-6 + 2e-6 + 2e-6 + 3e-6 + BYTES / (m * 10e9))
        return 2 * within + across

    def test_hierarchical_agrees_on_both_levels(self):
        for m, k in ((2, 2), (4, 8), (8, 4)):
            for level in ("closed", "messages"):
                got = self.reduced(m, k, f'way = "hierarchical", level = "{level}"')
                self.assertAlmostEqual(got["time_s"] / self.formula(m, k), 1, delta=1e-6, msg=(m, k, level))
                self.assertEqual(got["all_reduces"]["closed_form"], int(level == "closed"))
                self.assertEqual(got["messages"], 0 if level == "closed" else m * k * (2 * (k - 1) + 2 * (m - 1)))

    def test_who_comes_last_delays_all(self):
        for level in ("closed", "messages"):
            got = self.reduced(4, 4, f'way = "hierarchical", level = "{level}"', before="if sim.index == 5 then sim.delay(1) end")
            for one in got["processes"]:
                self.assertAlmostEqual(one["finish_s"], 1 + self.formula(4, 4), delta=1e-6, msg=(level, one["name"]))

    def test_ring_agrees_on_both_levels(self):  # 2 (p - 1) (a + n / (p b)), within one node
        for level in ("closed", "messages"):
            got = self.reduced(1, 8, f'level = "{level}"')
            self.assertAlmostEqual(got["time_s"], 14 * (2e-6 + BYTES / 8 / 100e9), delta=1e-9)

    def test_tree_across(self):  # ceil(log2 m) steps there and back, in each of which k trees share the way out of a node
        m, k = 4, 4
        got = self.reduced(m, k, 'way = "hierarchical", across = "tree"')
        across = 2 * math.ceil(math.log2(m)) * (10e-6 + BYTES / 10e9)
        self.assertAlmostEqual(got["time_s"] / (2 * (k - 1) * (2e-6 + BYTES / k / 100e9) + across), 1, delta=0.01)

    def test_steps_that_differ_are_messages(self):  # a ring over two nodes: some steps leave the node
        got = self.reduced(2, 2, 'way = "ring"')
        self.assertEqual((got["all_reduces"]["closed_form"], got["all_reduces"]["messages"]), (0, 1))
        self.assertIn("a step takes another time from c.node.0.gpu.1 to c.node.1.gpu.0", got["all_reduces"]["reason"])

    def test_links_in_use_make_messages(self):
        """A host sends over its own network link from 0 on; the reduction that begins at 1 ms has to share it."""
        talk = 'sim.process("H", function() if sim.index == 0 then sim.send("H:1", 1e9) elseif sim.index == 1 then sim.receive("H:0") end end)'
        body = 'sim.process("G", function() sim.delay(0.001) sim.all_reduce(1.28e8, {way = "hierarchical"}) end)'
        got = self.simulated(gpu_cluster(2, 2), body + talk)
        self.assertEqual((got["all_reduces"]["closed_form"], got["all_reduces"]["messages"]), (0, 1))
        self.assertEqual(got["all_reduces"]["reason"], "something else was on its links as it began")

    def test_what_comes_meanwhile_is_said(self):
        talk = 'sim.process("H", function() sim.delay(0.005) if sim.index == 0 then sim.send("H:1", 1e7) elseif sim.index == 1 then sim.receive("H:0") end end)'
        body = 'sim.process("G", function() sim.all_reduce(1.28e8, {way = "hierarchical"}) end)'
        got = self.simulated(gpu_cluster(2, 2), body + talk)
        self.assertEqual((got["all_reduces"]["closed_form"], got["all_reduces"]["disturbed"]), (1, 1))
        self.assertGreater(got["time_s"], 1.01 * self.formula(2, 2))

    def test_refusals(self):
        uneven = gpu_cluster(1, 2) + gpu_cluster(1, 3).replace('"c"', '"d"') + '[[link]]\nends = ["c.switch", "d.switch"]\ngbs = 1\n'
        for options, system, expected in (('way = "hierarchical"', uneven, "hierarchical needs as many processes on each island; there are 2 with c.node.gpu.0 and 3 with d.node.gpu.0"),
                                          ('way = "tree", level = "closed"', None, "a tree has no closed form here; expected rings"),
                                          ('level = "closed"', None, "there is no closed form: a step takes another time from"),
                                          ('level = "some"', None, "the level is none; expected auto, closed or messages"),
                                          ('way = "star"', None, "no way is 'star'; expected ring, tree, hierarchical, library or auto"),
                                          ('across = "hierarchical"', None, "the way across islands is none; expected ring or tree")):
            body = f'sim.process("G", function() sim.all_reduce(1, {{{options}}}) end)'
            self.assertIn(expected, self.simulated(system or gpu_cluster(2, 2), body, code=1))
        other = 'sim.process("G", function() sim.all_reduce(1 + sim.index, {way = "hierarchical"}) end)'
        self.assertIn("all_reduce has another size here than in other processes", self.simulated(gpu_cluster(2, 2), other, code=1))


main(sys.argv)
