#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""forewarp collective, and the same collectives in simulated systems: collective_test.py PROGRAM"""
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from simulating import System, main


def node(gpus=8, nodes=1, more=""):
    return f"""
[[cluster]]
name = "c"
nodes = {nodes}
gpus = {gpus}
host = {{}}
gpu = {{ hardware = "a100-sxm-80", labels = {{ G = 1 }} }}
gpu_link = {{ hardware = "pcie-4" }}
gpu_fabric = {{ hardware = "nvlink-3" }}
network = {{ hardware = "infiniband-hdr" }}
{more}
"""


class Command(System):
    def asked(self, *words, code=0):
        ran = self.forewarp("collective", *words, "--format", "json", code=code)
        return json.loads(ran.stdout) if code == 0 else ran.stderr

    def test_parts_add_up_and_the_choice_follows_the_size(self):
        got = self.asked("all_reduce", "--gpu", "a100-sxm-80", "--ranks", 8, "--fabric", "nvlink-3", "--bytes", "2048,8e6,1e9", "--all")
        self.assertEqual([size["protocol"] for size in got["sizes"]], ["LL", "LL128", "Simple"])
        for size in got["sizes"]:
            self.assertAlmostEqual(size["startup_us"] + size["latency_us"] + size["transfer_us"], size["time_us"], places=9)
            self.assertEqual(min(one["table_us"] for one in size["options"]), size["table_us"])
        self.assertTrue(any("who comes late" in line for line in got["assumptions"]))

    def test_sizes_are_written_as_everywhere(self):
        words = ["all_reduce", "--gpu", "a100-sxm-80", "--ranks", 8, "--fabric", "nvlink-3", "--bytes"]
        sizes = [size["bytes"] for size in self.asked(*words, "1G,64MB,16M,0x10,1e9")["sizes"]]
        self.assertEqual(sizes, [1 << 30, 64 << 20, 16 << 20, 16, 1e9])
        self.assertIn("--bytes 16M,64MB,1G", self.asked(*words, "much", code=1))

    def test_a_switch_of_hopper_adds_up(self):
        words = ["all_reduce", "--gpu", "h100-sxm-80", "--ranks", 8, "--fabric", "nvlink-4", "--bytes", 1e9]
        self.assertEqual(self.asked(*words)["sizes"][0]["algorithm"], "nvls")
        self.assertEqual(self.asked(*words, "--switch", "plain")["sizes"][0]["algorithm"], "ring")

    def test_refusals(self):
        words = ["all_reduce", "--gpu", "a100-sxm-80", "--bytes", "1"]
        for more, expected in ((["--ranks", 8], "--fabric: is missing: 8 GPUs of a node exchange data; expected a link between them: nvlink-4, pcie-5"),
                               (["--ranks", 2, "--nodes", 2], "--network: is missing: 2 nodes exchange data; expected a link between them: infiniband-ndr"),
                               (["--ranks", 2, "--nodes", 2, "--network", "nvlink-3"], "--network: nvlink-3-x12 joins GPUs of a node"),
                               (["--ranks", 2, "--fabric", "infiniband-hdr"], "--fabric: infiniband-hdr-x1 joins nodes"),
                               (["--ranks", 8, "--fabric", "pcie-2"], "--fabric: nothing says what GPUs reach over pcie-2-x16"),
                               (["--ranks", 9, "--nodes", 2, "--fabric", "nvlink-3"], "9 ranks on 2 nodes"),
                               (["--ranks", "none"], "--ranks: 'none'; expected a whole number from 2 to 16777216"),
                               (["--ranks", 2, "--tables", "mpi"], "mpi")):
            self.assertIn(expected, self.asked(*words, *more, code=1))

    def test_numbers_out_of_range(self):
        words = ["all_reduce", "--gpu", "a100-sxm-80", "--ranks", 8, "--fabric", "nvlink-3"]
        for nodes in ([], ["--nodes", 2, "--network", "infiniband-hdr"]):
            for more, expected in ((["--network-gbs", "1e9"], "--network-gbs: '1e9'; expected a number above 0, to 1000000 GB/s"),
                                   (["--network-gbs", "0"], "--network-gbs: '0'; expected a number above 0"),
                                   (["--latency", "-1"], "--latency: '-1'; expected a number from 0 to "),
                                   (["--adapters", "0"], "--adapters: '0'; expected a whole number from 1 to 64"),
                                   (["--adapters", "1000"], "--adapters: '1000'; expected a whole number from 1 to 64")):
                self.assertIn(expected, self.asked(*words, "--bytes", 1, *nodes, *more, code=1))
        for size in ("1.5", "1e20", "-1", "1,2.5"):
            self.assertIn("expected sizes in whole bytes", self.asked(*words, "--bytes", size, code=1))

    def test_options_without_effect_are_said(self):
        words = ["all_reduce", "--gpu", "a100-sxm-80", "--bytes", 1e8]
        one_node = self.asked(*words, "--ranks", 8, "--fabric", "nvlink-3", "--network", "infiniband-hdr", "--network-gbs", 5, "--adapters", 2, "--latency", 3)
        self.assertIn("without effect: --network, --network-gbs, --adapters, --latency: all GPUs stand in one node (--nodes)", one_node["assumptions"])
        between = [*words, "--ranks", 4, "--nodes", 4, "--network", "infiniband-hdr"]
        self.assertIn("without effect: --fabric, --switch: each node has one GPU", self.asked(*between, "--fabric", "nvlink-3", "--switch", "plain")["assumptions"])
        more = self.asked(*between, "--adapters", 4)
        self.assertIn("of 4 adapters of a node 1 is used: one for each GPU", more["assumptions"])
        self.assertEqual(more["sizes"], self.asked(*between)["sizes"])
        for plain in (self.asked(*words, "--ranks", 8, "--fabric", "nvlink-3"), self.asked(*between)):
            self.assertFalse([line for line in plain["assumptions"] if "without effect" in line or "adapters of a node" in line])

    def test_a_switch_that_cannot_add_up(self):
        for gpu, fabric, said in (("a100-sxm-80", "nvlink-3", "'reduces' between boards of capability 8.0"), ("h100-sxm-80", "pcie-5", "'reduces' without NVLink")):
            refused = self.asked("all_reduce", "--gpu", gpu, "--ranks", 8, "--fabric", fabric, "--bytes", 1, "--switch", "reduces", code=1)
            self.assertIn(f"--switch: {said}; expected auto, none or plain", refused)

    def test_links_that_a_board_cannot_have(self):
        for gpu, fabric, ranks, said in (("gtx480", "nvlink-4", 2, "nvlink-4-x18 between boards without NVLink: NVIDIA GeForce GTX 480; expected PCIe"),
                                         ("rtx4090", "nvlink-5", 2, "nvlink-5-x18 between boards without NVLink"),
                                         ("v100-pcie-16", "nvlink-2", 2, "between boards without NVLink"),
                                         ("v100-sxm2-16", "nvlink-3", 8, "expected NVLink 2 of up to 6 links"),
                                         ("a40", "nvlink-3", 2, "expected NVLink 3 of up to 4 links"),
                                         ("rtxa6000", "nvlink-3-x4", 4, "4 GPUs joined by nvlink-3-x4; expected at most 2 of the NVIDIA RTX A6000: a bridge"),
                                         ("v100-sxm2-16", "pcie-5", 2, "pcie-5-x16 is faster than what the NVIDIA Tesla V100-SXM2-16GB has; expected pcie-3-x16")):
            refused = self.asked("all_reduce", "--gpu", gpu, "--ranks", ranks, "--fabric", fabric, "--bytes", 1, code=1)
            self.assertIn("--fabric: ", refused)
            self.assertIn(said, refused)
        for gpu, fabric, ranks in (("v100-sxm2-16", "nvlink-2", 8), ("p100-sxm2-16", "nvlink-1", 4), ("a40", "nvlink-3-x4", 2), ("rtx3090", "nvlink-3-x4", 2),
                                   ("h200-sxm", "nvlink-4", 8), ("b200", "nvlink-5", 8), ("a40", "pcie-4", 4), ("a100-sxm-80", "pcie-3", 2)):
            self.assertGreater(self.asked("all_reduce", "--gpu", gpu, "--ranks", ranks, "--fabric", fabric, "--bytes", 1e6)["sizes"][0]["time_us"], 0)

    def test_boards_without_peer_access(self):
        words = ["all_reduce", "--ranks", 2, "--fabric", "pcie-4", "--bytes", 1e6, "--gpu"]
        self.assertTrue(any("NVIDIA GeForce RTX 4090 has no peer access over PCIe" in line for line in self.asked(*words, "rtx4090")["assumptions"]))
        self.assertFalse(any("peer access" in line for line in self.asked(*words, "a40")["assumptions"]))


class Simulated(System):
    def run_on(self, system, call):
        return self.simulated(system, f'sim.process("G", function() {call} end)')

    def command(self, kind, size, *more):
        ran = self.forewarp("collective", kind, "--gpu", "a100-sxm-80", "--ranks", 8, "--fabric", "nvlink-3", "--switch", "plain", "--bytes", size,
                            "--format", "json", *more)
        return json.loads(ran.stdout)["sizes"][0]["time_us"] * 1e-6

    def test_links_with_hardware_mean_the_library(self):
        for kind in ("all_reduce", "all_gather", "reduce_scatter", "broadcast"):
            for size in (2048, 1048576, 34471936):
                got = self.run_on(node(), f"sim.{kind}({size})")
                self.assertAlmostEqual(got["time_s"] / self.command(kind, size), 1, delta=1e-6, msg=(kind, size))
                self.assertEqual(got["all_reduces"]["library"], 1)

    def test_a_message_between_gpus_is_one_of_the_library(self):
        """In its short form, of data in L2, and of more: both ends of 16 KiB and of A100's 40 MB."""
        call = 'if sim.index == 0 then sim.%s("G:1", %d%s) elseif sim.index == 1 then sim.receive("G:0") end'
        for size in (1, 16384, 16385, 30000000, 1 << 30):
            asked = self.forewarp("collective", "send", "--gpu", "a100-sxm-80", "--ranks", 2, "--fabric", "nvlink-3", "--switch", "plain",
                                  "--bytes", size, "--format", "json")
            seconds = json.loads(asked.stdout)["sizes"][0]["time_us"] * 1e-6
            for how in ("send", "isend"):
                self.assertAlmostEqual(self.run_on(node(), call % (how, size, ""))["time_s"] / seconds, 1, delta=1e-6, msg=(how, size))
        stated = node().replace('gpu_fabric = { hardware = "nvlink-3" }', "gpu_fabric = { gbs = 240, latency_us = 1 }")
        self.assertAlmostEqual(self.run_on(stated, call % ("send", 24e6, ""))["time_s"], 2e-6 + 24e6 / 240e9, delta=1e-9)

    def test_few_gpus_of_hopper(self):
        """Two have no switch that adds up; of three each still sends its data once, as fast as its link."""
        hopper = node(gpus=8).replace("a100-sxm-80", "h100-sxm-80").replace("nvlink-3", "nvlink-4")
        for ranks in (2, 3, 4):
            for size in (33e6, 1e9):
                ran = self.forewarp("collective", "all_reduce", "--gpu", "h100-sxm-80", "--ranks", ranks, "--fabric", "nvlink-4", "--bytes", size, "--format", "json")
                asked = json.loads(ran.stdout)["sizes"][0]
                got = self.run_on(hopper.replace("gpus = 8", f"gpus = {ranks}"), f"sim.all_reduce({size})")
                self.assertAlmostEqual(got["time_s"] / (asked["time_us"] * 1e-6), 1, delta=1e-6, msg=(ranks, size))
                for own, other in zip(got["interval_s"], asked["interval_us"]):
                    self.assertAlmostEqual(own / (other * 1e-6), 1, delta=1e-6, msg=(ranks, size))
                self.assertEqual(got["all_reduces"]["disturbed"], 0)

    def test_routers_let_as_many_adapters_work_as_they_can_carry(self):
        """A router's link of four times an adapter's rate carries four of them; one of its rate carries one."""
        def seconds(adapters, link):
            torus = node(gpus=4, nodes=4, more=f'torus = [2, 2]\nadapters = {adapters}\nrouter_link = {{ hardware = "{link}" }}')
            return self.run_on(torus.replace("infiniband-hdr", "roce-x1"), "sim.all_reduce(1e8)")["time_s"]
        self.assertLess(seconds(4, "roce-x4"), 0.5 * seconds(1, "roce-x4"))
        self.assertAlmostEqual(seconds(4, "roce-x1") / seconds(1, "roce-x1"), 1, delta=1e-6)

    def test_others_that_meet_another_collective(self):
        for first, second in (("sim.all_reduce(1e6)", "sim.broadcast(1e6)"), ("sim.broadcast(1e6)", "sim.broadcast(1e6, {root = 1})")):
            line = self.simulated(node(), f'sim.process("G", function() if sim.index % 2 == 0 then {first} else {second} end end)', code=1)
            self.assertIn("in other processes", line)

    def test_messages_are_no_collectives(self):
        got = self.run_on(node(), 'if sim.index == 0 then sim.send("G:1", 1) elseif sim.index == 1 then sim.receive("G:0") end')
        self.assertTrue(got["interval_meaning"].startswith("messages between GPUs at the low end"), got["interval_meaning"])
        self.assertEqual((got["all_reduces"]["library"], got["all_reduces"]["library_messages"]), (0, 1))

    def test_a_broadcast_as_messages(self):
        tree = self.run_on(node(), 'sim.broadcast(1e6, {way = "tree"})')
        self.assertEqual(tree["all_reduces"]["library"], 0)
        self.assertIn("no way is 'ring'; expected tree, library or auto", self.simulated(node(), 'sim.process("G", function() sim.broadcast(1, {way = "ring"}) end)', code=1))

    def test_both_say_the_same_interval(self):
        """Above and below the size from which on measured times scatter less, in one node and in two."""
        two = node(gpus=4, nodes=2)
        network = ("--nodes", 2, "--network", "infiniband-hdr", "--adapters", 1)
        for system, more in ((node(), ()), (two, network)):
            for size in (1048575, 1048576):
                ran = self.forewarp("collective", "all_reduce", "--gpu", "a100-sxm-80", "--ranks", 8, "--fabric", "nvlink-3", "--switch", "plain",
                                    "--bytes", size, "--format", "json", *more)
                asked = json.loads(ran.stdout)["sizes"][0]
                got = self.run_on(system, f"sim.all_reduce({size})")
                for own, other in zip(got["interval_s"], asked["interval_us"]):
                    self.assertAlmostEqual(own / (other * 1e-6), 1, delta=1e-6)
                self.assertIn("all collectives at the low end", got["interval_meaning"])

    def test_a_switch_that_adds_up(self):
        """Its bandwidth counts as a ring's, which is more than the link has: the link carries the data once."""
        got = self.run_on(node().replace("a100-sxm-80", "h100-sxm-80").replace("nvlink-3", "nvlink-4"), "sim.all_reduce(1e9)")
        asked = self.forewarp("collective", "all_reduce", "--gpu", "h100-sxm-80", "--ranks", 8, "--fabric", "nvlink-4", "--bytes", 1e9, "--format", "json")
        size = json.loads(asked.stdout)["sizes"][0]
        self.assertEqual(size["algorithm"], "nvls")
        self.assertAlmostEqual(got["time_s"] / (size["time_us"] * 1e-6), 1, delta=1e-6)
        self.assertEqual(got["all_reduces"]["disturbed"], 0)

    def test_a_fabric_that_the_boards_cannot_have(self):
        for gpu, fabric, said in (("rtx4090", "nvlink-5", "nvlink-5-x18 between boards without NVLink: NVIDIA GeForce RTX 4090"), ("a100-sxm-80", "nvlink-4", "expected NVLink 3 of up to 12 links")):
            system = node().replace("a100-sxm-80", gpu).replace("nvlink-3", fabric)
            refused = self.simulated(system, 'sim.process("G", function() sim.all_reduce(1) end)', code=1)
            self.assertRegex(refused, r"^forewarp: system.toml: link '.*' of c\.")
            self.assertIn(said, refused)

    def test_between_nodes(self):
        got = self.run_on(node(gpus=4, nodes=2), "sim.all_reduce(1e8)")
        self.assertAlmostEqual(got["time_s"] / self.command("all_reduce", 1e8, "--nodes", 2, "--network", "infiniband-hdr", "--adapters", 1), 1, delta=1e-6)

    def test_as_many_ways_between_nodes_as_adapters(self):
        for adapters in (2, 4, 8):  # no more than GPUs are of use
            for kind in ("all_reduce", "broadcast", "all_gather"):
                got = self.run_on(node(gpus=4, nodes=2, more=f"adapters = {adapters}"), f"sim.{kind}(1e8)")
                asked = self.command(kind, 1e8, "--nodes", 2, "--network", "infiniband-hdr", "--adapters", adapters)
                self.assertAlmostEqual(got["time_s"] / asked, 1, delta=1e-6, msg=(kind, adapters))
        self.assertIn("adapters", self.simulated(node(more="adapters = 0"), 'sim.process("G", function() end)', code=1))

    def test_stated_links_stay_as_they_were(self):
        stated = node().replace('gpu_fabric = { hardware = "nvlink-3" }', "gpu_fabric = { gbs = 240, latency_us = 1 }")
        got = self.run_on(stated, "sim.all_reduce(8e6)")
        self.assertEqual(got["all_reduces"]["library"], 0)
        self.assertAlmostEqual(got["time_s"], 14 * (2e-6 + 1e6 / 240e9), delta=1e-9)
        asked = self.run_on(stated, 'sim.all_reduce(8e6, {way = "library"})')
        self.assertEqual(asked["all_reduces"]["library"], 1)
        self.assertTrue(any("name no hardware" in line for line in asked["assumptions"]))

    def test_who_comes_last_delays_all(self):
        got = self.run_on(node(), "if sim.index == 3 then sim.delay(1) end sim.all_reduce(1e6)")
        for one in got["processes"]:
            self.assertAlmostEqual(one["finish_s"], 1 + self.command("all_reduce", 1e6), delta=1e-6)

    def test_listed_groups(self):
        """Two groups of four at the same time, each as fast as alone: their rings share no way of the switch."""
        got = self.run_on(node(), "local first = sim.index % 2 sim.all_reduce(1e8, {group = {first, first + 2, first + 4, first + 6}})")
        alone = self.run_on(node(gpus=4), "sim.all_reduce(1e8)")
        self.assertAlmostEqual(got["time_s"], alone["time_s"], delta=1e-9)
        self.assertEqual(got["all_reduces"]["library"], 2)

    def test_others_on_the_link_slow_it(self):
        call = 'if sim.index == 0 then sim.isend("G:1", 2e8) elseif sim.index == 1 then sim.receive("G:0") end sim.all_reduce(1e8)'
        busy = 'if sim.index == 0 then sim.isend("G:1", 2e9) end sim.all_reduce(1e9) if sim.index == 1 then sim.receive("G:0") end'
        self.assertGreater(self.run_on(node(), call)["time_s"], self.command("all_reduce", 1e8))
        self.assertGreater(self.run_on(node(), busy)["time_s"], 1.05 * self.command("all_reduce", 1e9))

    def test_refusals(self):
        for call, expected in (("sim.all_reduce(1, {group = {0, 0, 1}})", "the group names a rank twice, or one that is not below 8"),
                               ("sim.all_reduce(1, {group = {8}})", "the group does not contain the caller"),
                               ('sim.all_reduce(1, {group = {"a"}})', "entry 1 of the group is no rank"),
                               ('sim.all_gather(1, {way = "tree"})', "no way is 'tree'; expected ring, library or auto")):
            self.assertIn(expected, self.simulated(node(), f'sim.process("G", function() if sim.index == 0 then {call} end end)', code=1))
        plain = '[[component]]\nname = "u"\nkind = "gpu"\ncount = 2\nlabels = { G = 1 }\n[[link]]\nends = ["u", "u"]\ngbs = 1\n'
        self.assertIn("the library's way cannot be taken", self.simulated(
            node().replace('hardware = "a100-sxm-80", ', ""), 'sim.process("G", function() sim.all_reduce(1, {way = "library"}) end)', code=1), plain)


class Rates(unittest.TestCase):
    def asked(self, *words, code=0):
        ran = subprocess.run([System.program, "convert", *map(str, words)], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran.stdout if code == 0 else ran.stderr

    def test_the_sources_conversion(self):
        """Volkov 2016, 3.9: 156 GB/s are 0.54 IPC/SM for three accesses of four bytes and one addition on 8 SMs at 1.124 GHz."""
        got = json.loads(self.asked(154, "GB/s", "--gpu", "gtx680", "--clock", 1124, "--instructions", 3, "--format", "json"))
        rates = {rate["unit"]: rate["value"] for rate in got["rates"]}
        self.assertAlmostEqual(rates["B/cycle/SM"], 17.1, delta=0.05)
        self.assertAlmostEqual(rates["warps/cycle/SM"], 0.0446, delta=5e-5)
        self.assertAlmostEqual(4 * rates["IPC/SM"], 0.54 * 154 / 156, delta=5e-3)

    def test_refusals(self):
        self.assertIn("the unit 'GB'; expected GB/s, B/cycle/SM, IPC/SM", self.asked(1, "GB", "--gpu", "gtx980", code=1))
        self.assertIn("--clock: 'fast'; expected MHz, base, boost or sustained", self.asked(1, "GB/s", "--gpu", "gtx980", "--clock", "fast", code=1))


if __name__ == "__main__":
    main(sys.argv)
