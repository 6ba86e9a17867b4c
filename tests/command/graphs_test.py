# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Batches that are launched at once, against formulas, beside the same work in streams."""
import json
import sys

from simulating import ROOT, System, main

LAUNCH, CALL, NODE, OWN = 9e-6, 3e-6, 0.5e-6, 6e-6  # of the host below
HOST = "".join(f'[{path.rpartition(".")[0]}.{path.rpartition(".")[2]}]\nvalue = {value}\nunit = "us"\nsource = "test"\nconfidence = "measured"\n'
               for path, value in (("launch.us", 9), ("launch.call_us", 3), ("graph.launch_us", 6), ("graph.node_us", 0.5)))
SYSTEM = """
[[component]]
name = "host"
kind = "cpu"
labels = { P = 1 }
%s
[[component]]
name = "gpu"
kind = "gpu"
count = 2
[[link]]
ends = ["host", "gpu"]
gbs = 10
latency_us = 10
"""
COPY = 1e-5 + 1e6 / 1e10


class Graphs(System):
    def run_it(self, body, *more, host='hardware = "host.toml"', code=0):
        self.write("host.toml", f'name = "test"\n{HOST}')
        return self.simulated(SYSTEM % host, f'sim.process("P", function()\n{body}\nend)', *more, code=code)

    def time(self, body):
        return self.run_it(body)["time_s"]

    def chain(self, count, seconds):
        return f"local g = sim.graph() for i = 1, {count} do sim.kernel{{seconds = {seconds}, graph = g}} end "

    def test_a_chain(self):  # one launch, and what lies between nodes
        for count in (1, 20):
            self.assertAlmostEqual(self.time(self.chain(count, 1e-6) + "sim.launch(g)"), OWN + count * 1e-6 + (count - 1) * NODE, delta=1e-12)

    def test_short_kernels_in_a_stream_are_launched_one_by_one(self):
        loop = "local s = sim.stream() for i = 1, 20 do sim.kernel{seconds = %g, stream = s} end"
        self.assertAlmostEqual(self.time(loop % 1e-6), 19 * CALL + LAUNCH + 1e-6, delta=1e-12)
        self.assertAlmostEqual(self.time(loop % 4e-6), LAUNCH + 20 * 4e-6, delta=1e-12)

    def test_nodes_side_by_side(self):  # to the device and back at the same time, then a kernel that needs both
        got = self.time("""local g = sim.graph()
  local a = sim.copy("h2d", 1e6, {graph = g, after = {}})
  local b = sim.copy("d2h", 2e6, {graph = g, after = {}})
  local c = sim.kernel{seconds = 1e-3, graph = g, after = {a, b}}
  assert(a == 1 and b == 2 and c == 3)
  sim.launch(g)""")
        self.assertAlmostEqual(got, OWN + 1e-5 + 2e6 / 1e10 + NODE + 1e-3, delta=1e-12)

    def test_a_fork_and_its_join(self):  # the longer side decides; kernels of one GPU follow each other
        got = self.time("""local g = sim.graph()
  local a = sim.kernel{seconds = 1e-3, graph = g}
  local b = sim.copy("d2h", 1e6, {graph = g, after = a})
  local c = sim.kernel{seconds = 2e-3, graph = g, after = a}
  sim.kernel{seconds = 1e-3, graph = g, after = {b, c}}
  sim.launch(g)""")
        self.assertAlmostEqual(got, OWN + 4e-3 + 2 * NODE, delta=1e-12)

    def test_launches_of_a_graph_follow_each_other(self):  # even in two streams
        work = self.chain(2, 1e-3)
        one = OWN + 2e-3 + NODE
        self.assertAlmostEqual(self.time(work + "sim.launch(g) sim.launch(g)"), 2 * one, delta=1e-12)
        both = work + "local s, t = sim.stream(), sim.stream() sim.launch(g, {stream = s}) sim.launch(g, {stream = t})"
        self.assertAlmostEqual(self.time(both), OWN + 2 * (2e-3 + NODE), delta=1e-12)

    def test_a_stream_goes_on_after_the_whole(self):  # the last launch of a stream waits for both branches
        got = self.time("""local g, s = sim.graph(), sim.stream()
  sim.copy("h2d", 1e6, {graph = g})
  sim.kernel{seconds = 1e-3, graph = g, after = {}}
  sim.launch(g, {stream = s})
  sim.kernel{seconds = 1e-3, stream = s}""")
        self.assertAlmostEqual(got, OWN + 2e-3, delta=1e-12)

    def test_what_limits(self):
        got = self.run_it(self.chain(3, 1e-3) + "sim.launch(g)")
        self.assertEqual(got["bottleneck"], "kernel on P:0 graph 0.0: 100 % of the time that the last process takes")
        self.assertAlmostEqual(sum(share["seconds"] for share in got["critical_path"]), got["time_s"], delta=1e-12)

    def test_what_nobody_measured(self):  # a known time without a launch; 0.68 us between nodes are assumed
        got = self.run_it(self.chain(3, 1e-3) + "sim.launch(g)", host="")
        self.assertAlmostEqual(got["time_s"], 3e-3 + 2 * 0.68e-6, delta=1e-12)
        for what in ("graph.launch_us", "graph.node_us", "launch.call_us"):
            self.assertIn(f"{what} of its host was not measured", json.dumps(got["assumptions"]))

    def test_predicted_kernels_cost_what_the_board_says(self):  # launch.host_us 7.3, stream_us 1.56 and graph_us 0.68 of any board
        kernel = (f'sim.kernel{{input = "{ROOT}/examples/saxpy2.sass", grid = 1, block = 32,'
                  ' args = {n = 32, a = 16, x = {buffer = 128}, y = {buffer = 128}}%s}')
        one = self.on_a_board(kernel % "") - 7.3e-6
        self.assertGreater(one, 0)
        body = "local g = sim.graph() " + 3 * (kernel % ", graph = g ") + " sim.launch(g)"
        self.assertAlmostEqual(self.on_a_board(body), 7.3e-6 + 3 * one + 2 * 0.68e-6, delta=1e-12)
        body = "local s = sim.stream() " + 3 * (kernel % ", stream = s ") + " print(sim.now())"
        self.assertAlmostEqual(self.on_a_board(body), 7.3e-6 + one + 2 * max(one, 1.56e-6), delta=1e-12)
        self.assertAlmostEqual(float(self.printed[0]), 3 * 1.56e-6, delta=1e-10)

    def on_a_board(self, body):
        system = SYSTEM.replace('kind = "gpu"', 'kind = "gpu"\nhardware = "gtx970"') % ""
        got = self.simulated(system, f'sim.process("P", function() {body} end)')
        self.printed = got["printed"]
        return got["time_s"]

    def test_kernels_beside_each_other(self):  # 2 s and 4 s, then 1 s that waits for the engine alone: 6 W while any runs, for their processes by parts
        body = """local s, t, u = sim.stream(), sim.stream(), sim.stream()
  sim.kernel{seconds = 2, stream = s}
  sim.kernel{seconds = 4, stream = t, beside = true}
  sim.kernel{seconds = 1, stream = u}"""
        got = self.run_it(body, "--change", "gpu.power.active_w=6", host="")
        self.assertAlmostEqual(got["time_s"], 4, delta=1e-9)
        self.assertAlmostEqual(got["energy_ws"], 24, delta=1e-9)
        self.assertAlmostEqual(got["units"][0]["busy_s"], 4, delta=1e-9)
        self.assertAlmostEqual(got["processes"][0]["energy_ws"], 24, delta=1e-9)

    def test_the_second_gpu(self):
        two = " ".join(f"local g{i} = sim.graph({i}) sim.kernel{{seconds = 1e-3, graph = g{i}}} sim.launch(g{i}, {{stream = sim.stream({i})}})" for i in (0, 1))
        self.assertAlmostEqual(self.time(two), CALL + OWN + 1e-3, delta=1e-12)

    def test_faults(self):
        for body, fault in (
                ("sim.launch(sim.graph())", "the graph has no node"),
                (self.chain(100001, 0), "the graphs have more than 100000 nodes"),
                (self.chain(100000, 0) + "for i = 1, 201 do sim.launch(g, {stream = s}) end".replace("for", "local s = sim.stream() for", 1),
                 "the graphs launched 20000000 nodes, the limit"),
                ("sim.launch(1)", "sim.launch: the graph is none; expected a value of sim.graph()"),
                (self.chain(1, 1) + "sim.launch(g) sim.kernel{seconds = 1, graph = g}", "the graph was launched; expected its nodes before that"),
                (self.chain(1, 1) + "sim.kernel{seconds = 1, graph = g, after = 2}", "a node follows node 2 of 1; expected one that was added before"),
                (self.chain(1, 1) + "sim.kernel{seconds = 1, graph = g, after = {0.5}}", "after is 0.5; expected numbers of nodes"),
                (self.chain(1, 1) + "sim.kernel{seconds = 1, graph = g, gpu = 1}", "graph stands beside gpu or stream"),
                (self.chain(1, 1) + "sim.launch(g, {stream = sim.stream(1)})", "the graph is one of gpu.0, its stream one of gpu.1"),
                (self.chain(1, 1) + "sim.kernel{seconds = 1, after = 1}", "after stands without graph"),
                ("sim.graph(2)", "host has links to 2 GPUs; expected a number below that"),
                ("sim.kernel{seconds = 1, strem = sim.stream()}", "'strem' is not known here")):
            with self.subTest(body=body):
                self.assertIn(fault, self.run_it(body, code=1))


if __name__ == "__main__":
    main(sys.argv)
