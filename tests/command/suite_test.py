#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""forewarp-bench as a user runs it: suite_test.py PROGRAM (that of forewarp, beside which it is built)"""
import json
import os
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

from needs import OLD_TOOLKIT, needs, nvcc

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.argv.pop(1)).resolve().parents[1] / "forewarp-bench" / "forewarp-bench"


def run(*words, **environment):
    return subprocess.run([str(PROGRAM), *map(str, words)], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def records(folder):
    lines = (Path(folder) / "samples.tsv").read_text().splitlines()
    return {tuple(line.split("\t")[:3]): line.split("\t")[-1] for line in lines[1:]}


class Suite(unittest.TestCase):
    def setUp(self):
        self.room = tempfile.TemporaryDirectory()
        self.out = Path(self.room.name) / "out"

    def tearDown(self):
        self.room.cleanup()

    def latency(self, *more):
        ran = run("run", "--device", "forewarp:v100-pcie-16", "--out", self.out, "chain_fadd", *more)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        (short, long) = (float(its.partition("*")[0]) for its in records(self.out).values())
        facts = json.loads((self.out / "device.json").read_text())
        self.assertEqual(facts["backend"], "forewarp")
        clock = float((self.out / "samples.tsv").read_text().splitlines()[1].split("\t")[4])
        return (long - short) / (48 - 16) * clock / 64  # 16 and 48 passes of 64 additions

    def test_rehearsal_gives_the_latency_of_the_file(self):
        self.assertAlmostEqual(self.latency(), 4, delta=0.2)

    def test_rehearsal_gives_the_latency_that_was_set(self):
        self.assertAlmostEqual(self.latency("--set", "hw.class.fp32.latency=9"), 9, delta=0.2)

    def test_rehearsal_gives_the_latency_that_was_altered(self):
        found = self.latency("--alter", 7)
        altered = json.loads((self.out / "altered.json").read_text())["facts"]["class.fp32.latency"]
        self.assertEqual(altered["from"], 4)
        self.assertNotEqual(altered["to"], 4)
        self.assertAlmostEqual(found, altered["to"], delta=0.25)

    def test_goes_on_with_the_same_alteration_alone(self):
        self.latency("--alter", 7)
        before = (self.out / "altered.json").read_text()
        ran = run("run", "--device", "forewarp:v100-pcie-16", "--out", self.out, "chain_fadd", "--alter", 8, "--resume")
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, "another (alteration|device)")
        self.assertEqual((self.out / "altered.json").read_text(), before)

    def test_every_listing_is_what_its_test_measures(self):
        ran = run("check", "--listings", "--arch", "52,70,75,80")
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn(" 0 are refused", ran.stdout)

    def test_the_families_of_the_thesis(self):
        """Sanchez 2017, 4.3: one to eight operations of five kinds, loads of local and of global memory, each with a kernel that lacks them alone."""
        tests = {test["id"]: test for test in tomllib.loads((ROOT / "bench" / "tests.toml").read_text())["test"]}
        opcodes = {"add": "FADD", "sub": "FADD", "mul": "FMUL", "mad": "FFMA", "div": None}  # a division is a subroutine
        for operation, opcode in opcodes.items():
            for count in range(1, 9):
                test = tests[f"window_{operation}_{count}"]
                self.assertEqual((test["kernel"], test["empty"], test["measures"]), (test["id"], f"empty_{count}", "window"))
                self.assertEqual(test.get("expect"), opcode and {"opcode": opcode, "count": count})
                self.assertEqual(len(test["check"]["values"]), count)
                self.assertEqual(test["flags"], ["-Xptxas", "-O0"])
        listing = (ROOT / "bench" / "kernels" / "window_loads.sass").read_text().split("code for sm_52")[1].split("code for ")[0]
        code = {part.split()[0]: part for part in listing.split("Function : ")[1:]}
        for kernel, store, load in (("local", " STL ", "LDL"), ("global", "STG.E.WT", "LDG.E.CG")):
            test = tests[f"window_{kernel}"]
            self.assertEqual((test["empty"], test["repeats"], "-maxrregcount=32" in test["flags"]), (f"empty_{kernel}", 100, True))
            self.assertEqual((code[f"window_{kernel}"].count(f" {load} "), code[f"empty_{kernel}"].count(f" {load} ")), (3, 0))
            self.assertIn(store, code[f"window_{kernel}"])

    def test_the_published_contexts(self):
        """Their threads add up to what the data of the thesis, 4 and 12 GB, hold: 691,200 and 2,142,720."""
        tests = {test["id"]: test for test in tomllib.loads((ROOT / "bench" / "sanchez.toml").read_text())["test"]}
        for kernel, threads in (("window_local", 691_200), ("window_global", 2_142_720)):
            self.assertEqual(sum(blocks * each for blocks in tests[kernel]["blocks"] for each in tests[kernel]["threads"]), threads)
        sweep = lambda name: tuple(tests[name][key] for key in ("blocks", "threads", "repeats"))
        for operation in ("add", "sub", "mul", "div", "mad"):
            for count in range(1, 9):
                self.assertEqual(sweep(f"window_{operation}_{count}"), ([1, "sms", "sms*2"], list(range(32, 1025, 32)), 50))
        self.assertEqual(sweep("window_local"), ([*range(1, 16), 30], list(range(128, 1025, 128)), 100))
        self.assertEqual(sweep("window_global"), (list(range(1, 31)), list(range(128, 1025, 128)), 100))
        for operation, sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("div", "/")):
            self.assertEqual(tests[f"window_{operation}_2"]["check"]["values"], [f"in0{sign}in1", f"in3{sign}in4"])
        self.assertEqual(tests["window_mad_2"]["check"]["values"], ["in0*in1+in2", "in3*in4+in5"])
        source = (ROOT / "bench" / "kernels" / "window_loads.cu").read_text()
        for words in (".local .align 4 .f32 room[256]", "st.local.cs.f32", "ld.local.ca.f32"):
            self.assertIn(words, source)

    def test_every_launch_of_the_published_sweep_is_measured(self):
        """Up to 1024 threads in a block and two blocks for each SM; every thread writes its window, of one SM."""
        ran = run("run", "--tests", ROOT / "bench" / "sanchez.toml", "--device", "forewarp:gtx980", "--out", self.out, "window_add_8")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("192 records measured, 0 known before, 0 refused", ran.stdout)
        windows = lambda values: sum(int(value.partition("*")[2] or 1) for value in values.split())
        self.assertEqual(windows(records(self.out)["window_add_8", "blocks=32,threads=1024", "window"]), 2 * 1024 * 50)

    @needs(OLD_TOOLKIT)
    def test_a_board_that_no_listing_is_for_runs_compiled_code(self):
        """The K40 of the thesis is of 3.5."""
        compiler, *_ = nvcc()
        ran = run("run", "--tests", ROOT / "bench" / "sanchez.toml", "--device", "forewarp:k40", "--out", self.out, "window_mul_1",
                  CUDA_HOME=str(Path(compiler).parents[1]))
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("192 records measured", ran.stdout)

    def test_without_a_toolkit_it_says_what_it_lacks(self):
        ran = run("run", "--device", "forewarp:k40", "--out", self.out, "window_mul_1", CUDA_HOME=self.room.name)
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, "window_mul_1 is not measured: .*needs a toolkit")
        self.assertNotIn("has no kernel", ran.stderr)

    def test_a_run_that_was_ended_says_what_is_missing(self):
        """The last record is lost, as if the run had been ended before it."""
        ran = run("run", "--device", "forewarp:v100-pcie-16", "--out", self.out, "chain_fadd", "chain_ffma")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        asked = json.loads((self.out / "device.json").read_text())["asked"]
        lines = (self.out / "samples.tsv").read_text().splitlines(keepends=True)
        self.assertEqual(sum(asked.values()), len(lines) - 1)
        notes = lambda: json.loads(subprocess.run([PROGRAM.parents[1] / "forewarp" / "forewarp", "characterise", self.out, "--format", "json"],
                                                  capture_output=True, text=True, check=True).stdout)["notes"]
        self.assertFalse([note for note in notes() if "records were measured" in note])
        (self.out / "samples.tsv").write_text("".join(lines[:-1]))
        self.assertIn(f"chain_ffma: {asked['chain_ffma'] - 1} of {asked['chain_ffma']} records were measured; forewarp-bench run --resume goes on", notes())
        ran = run("run", "--device", "forewarp:v100-pcie-16", "--out", self.out, "chain_ffma", "--resume")
        self.assertEqual(json.loads((self.out / "device.json").read_text())["asked"], asked)  # also of the other test
        self.assertFalse([note for note in notes() if "records were measured" in note])

    def test_a_bandwidth_with_its_deviation(self):
        """Copies on the device at 300 GB/s, each byte read and written, 5 us before the first byte, and one run that was interrupted."""
        self.out.mkdir()
        (self.out / "device.json").write_text(json.dumps({"name": "d", "cc": "7.0", "facts": {"sm.count": 80, "memory.bus_bits": 4096,
                                                                                           "clock.boost_mhz": 1380, "memory.clock_mhz": 877}}))
        times = "".join(f"copy_d2d\tbytes={size}\ttime\tus\t-\t-\t{5 + size / 300e3:.6f}*9 {9 + size / 200e3:.6f}\n" for size in (67108864, 268435456))
        (self.out / "samples.tsv").write_text("# forewarp samples 1\n" + times)
        numbers = self.out / "numbers.toml"
        numbers.write_text('[[number]]\nfact = "figure.copy_gbs"\nunit = "GB/s"\nhow = "bandwidth"\ntests = ["copy_d2d"]\nwork = 2\n')
        forewarp = PROGRAM.parents[1] / "forewarp" / "forewarp"
        ran = subprocess.run([forewarp, "characterise", self.out, "--numbers", numbers, "--like", "v100-pcie-16", "--format", "json"],
                             capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        fact, = (fact for fact in json.loads(ran.stdout)["facts"] if fact["path"] == "figure.copy_gbs")
        self.assertAlmostEqual(fact["value"], 600, delta=0.1)  # the median: the interrupted run moves nothing
        self.assertGreater(fact["deviation"], 1)

    def test_moved_registers_are_a_bias_that_is_taken_off(self):
        """On a predicted board the latency is known: three registers more are moved in the window than in the empty one."""
        ran = run("estimates", "--device", "forewarp:gtx980", "window_global_once", "--draws", 20, "--windows", 200, "--format", "json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        launches = json.loads(ran.stdout)["launches"]
        self.assertGreater(len(launches), 2)
        for launch in launches:
            self.assertEqual(launch["moved"], 3)
            biases = {one["estimate"]: one["mean_bias"] for one in launch["estimates"]}
            self.assertAlmostEqual(biases["corrected"] - biases["corrected, less moved registers"], 3 * launch["move_cycles"], places=9)
            self.assertLess(abs(biases["corrected, less moved registers"]), abs(biases["corrected"]), launch["config"])

    def test_the_thesis_deviation_is_inflated(self):
        """X {17:.7, 18:.2, 25:.1} has variance 5.6, the clock 3.31: what the thesis convolves has 5.6 + 2 x 3.31."""
        file = ROOT / "tests" / "fixtures" / "windows" / "spread.toml"
        ran = run("estimates", "--device", f"synthetic:{file}", "window_add_1", "--format", "json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        launch = json.loads(ran.stdout)["launches"][0]
        self.assertAlmostEqual(launch["mean"], 18)
        by_name = {one["estimate"]: one for one in launch["estimates"]}
        self.assertEqual(sorted(by_name), ["corrected", "deconvolved", "thesis"])
        self.assertAlmostEqual(by_name["thesis"]["deviation_bias"], 12.22 ** 0.5 - 5.6 ** 0.5, delta=0.05)
        self.assertLess(abs(by_name["corrected"]["deviation_bias"]), 0.05)
        self.assertLess(abs(by_name["deconvolved"]["deviation_bias"]), 0.2)

    def stub(self, *images):
        """A driver that only keeps time, a microsecond a block; every word that it is asked for is 17."""
        subprocess.run(["c++", "-std=c++17", "-shared", "-fPIC", "-o", Path(self.room.name) / "libcuda.so.1",
                        ROOT / "tests" / "command" / "stub_driver.cpp"], check=True)
        for name in images:
            (Path(self.room.name) / f"{name}.fatbin").write_text("code")
        return lambda *words, **more: run(*words, LD_LIBRARY_PATH=self.room.name, **more)

    def measure(self, *words):
        return ["run", "--device", "cuda:0", "--images", self.room.name, "--out", self.out, *words]

    def with_other_tests(self, old, new):
        text = (ROOT / "bench/tests.toml").read_text()
        self.assertIn(old, text)
        file = Path(self.room.name) / "tests.toml"
        file.write_text(text.replace(old, new))
        return file

    def test_measures_by_the_driver_and_goes_on(self):
        stubbed = self.stub("windows", "launch")
        unchecked = self.with_other_tests('values = ["in0+in1", "in3+in4"]', 'values = ["0*in0"]')  # 17 is no float above 1e-30
        words = self.measure("window_add_2", "--tests", unchecked)
        first = stubbed(*words)
        self.assertEqual(first.stdout, "6 records measured, 0 known before, 0 refused, 0 left\n", first.stderr)
        self.assertEqual(records(self.out)[("window_add_2", "blocks=1,threads=32", "window")], "17*1600")  # 32 x 50
        device = json.loads((self.out / "device.json").read_text())
        asked = {"sm.count": 10, "clock.boost_mhz": 1000, "memory.clock_mhz": 3004, "memory.bus_bits": 384, "l2.bytes": 1572864,
                 "limits.warp_lanes": 32, "limits.warps_per_sm": 64}
        self.assertEqual((device["cc"], {fact: device["facts"][fact] for fact in asked}), ("8.0", asked))
        again = stubbed(*words, "--resume")
        self.assertEqual(again.stdout, "0 records measured, 6 known before, 0 refused, 0 left\n", again.stderr)
        counted = stubbed(*self.measure("empty", "--resume", "--tests", self.with_other_tests('"buffer:8"', '"buffer:8:file:none"')))
        self.assertIn("a buffer cannot be filled from a file on a GPU", counted.stderr)

    def test_a_run_that_died_goes_on(self):
        stubbed = self.stub("launch")
        died = stubbed(*self.measure("empty"), STUB_DRIVER_LAUNCHES="30")
        self.assertEqual(died.returncode, 9)
        before = (self.out / "samples.tsv").read_text()
        (self.out / "samples.tsv").write_text(before + "empty\tblocks=1,thr")  # a line that was cut
        done = stubbed(*self.measure("empty", "--resume"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.out / "samples.tsv").read_text().startswith(before))

    def test_results_that_the_host_does_not_find_are_refused(self):
        tests = self.with_other_tests('values = ["in0+in1", "in3+in4"]', 'values = ["in0+1"]')
        ran = self.stub("windows")(*self.measure("window_add_2", "--tests", tests))
        self.assertIn("thread 0 wrote 2.38220739e-44 as its result 0; expected 1 within 1e-5; the kernel does not do what is measured", ran.stderr)

    # A block takes 1 us: so do a launch between events, one of a stream and one of a graph; the host's clock is its own.
    def test_every_way_of_timing_but_that_of_a_profiler(self):
        ran = self.stub("launch")(*self.measure("empty_event", "empty_stream", "empty_graph", "empty_host", "empty_device"))
        self.assertIn("no driver tells the time of a kernel by itself", ran.stderr)
        for way in ("event", "stream", "graph"):
            self.assertAlmostEqual(float(records(self.out)[(f"empty_{way}", "blocks=1,threads=32", "time")].partition("*")[0]), 1, places=5, msg=way)
        self.assertIn(("empty_host", "blocks=1,threads=32", "time"), records(self.out))

    def test_copies_by_the_host(self):
        ran = self.stub("launch")(*self.measure("copy_h2d_pinned", "copy_d2h_pageable", "copy_d2d", "copy_p2p"))
        self.assertIn("copy: there is one GPU", ran.stderr)
        self.assertEqual(len(records(self.out)), 6 + 6 + 3)

    def test_a_rehearsed_link_gives_its_copies_back(self):
        ran = run("run", "--device", "forewarp:v100-pcie-16", "--out", self.out, "copy_h2d_pinned")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        found = subprocess.run([PROGRAM.parents[1] / "forewarp" / "forewarp", "characterise", self.out, "--format", "json"],
                               capture_output=True, text=True, check=True)
        facts = {fact["path"]: fact["value"] for fact in json.loads(found.stdout)["facts"]}
        self.assertAlmostEqual(facts["link.h2d.pinned.startup_us"], 28.3, delta=0.1)  # data/links/pcie-3.toml, RRZE

    def test_the_house_kernels_are_measured_as_cases(self):
        stubbed = self.stub("saxpy", "matmul_naive")
        house = "house"
        ran = stubbed(*self.measure("saxpy", "matmul_naive", "--tests", house))
        self.assertEqual(ran.stdout, "24 records measured, 0 known before, 0 refused, 0 left\n", ran.stderr)
        lines = stubbed("cases", "--out", self.out, "--tests", house, "--gpu", "a100-sxm-40").stdout.splitlines()
        cases = {case["id"]: case for case in map(json.loads, lines)}
        self.assertEqual(len(cases), 24)
        case = cases["saxpy/blocks=4096,threads=64,n=262144"]
        self.assertEqual((case["grid"][0], case["block"][0], case["timing"], case["repeat"]), (4096, 64, "event", "warm"))
        self.assertAlmostEqual(case["measured_ms"], 4.096, places=3)
        self.assertEqual(case["spread"], 0)
        self.assertEqual(cases["matmul_naive/blocks=16x16,threads=16x16,n=256"]["block"][:2], [16, 16])

    # Eight blocks of a warp, of which 2, 4 or 8 are there together: chains do not fill the schedulers, so twice as many take half as long.
    def test_unused_shared_memory_keeps_blocks_away(self):
        ran = run("run", "--device", "forewarp:v100-pcie-16", "--out", self.out, "resident")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        times = {key[1].rpartition("=")[2]: float(text.partition("*")[0]) for key, text in records(self.out).items()}
        self.assertGreater(times["2"], 1.5 * times["4"])
        self.assertGreater(times["4"], times["8"])

    def test_the_published_sweeps_are_there(self):
        listed = run("list", "--tests", ROOT / "bench" / "sanchez.toml").stdout.splitlines()
        self.assertEqual(len(listed), 5 * 8 + 2)  # five operations, one to eight of them; local and global memory

    def test_counters_of_a_profiler_are_added(self):
        stubbed = self.stub("window_loads", "launch")
        words = ["window_global_once", "empty_device"]
        unchecked = self.with_other_tests('values = ["1.5"]', 'values = ["0"]')
        self.assertEqual(stubbed(*self.measure(*words, "--tests", unchecked)).returncode, 0)
        once = stubbed("run", "--device", "cuda:0", "--images", self.room.name, "--profiled", *words)
        self.assertEqual(once.stdout, "13 launches\n", once.stderr)  # 2 grids x 3 blocks, each with its empty one; 1
        export = Path(self.room.name) / "ncu.csv"
        # Of each counter so many times the misses of L2, in another order than that of the file that names them.
        others = {"lts__t_sectors_op_read.sum": 3, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum": 7, "dram__sectors_read.sum": 5,
                  "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum": 13, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum": 11}
        columns = ["gpu__time_duration.sum", "lts__t_sectors_op_read_lookup_miss.sum", *others]
        quoted = lambda words: ",".join(f'"{word}"' for word in words) + "\n"
        header = quoted(["ID", "Kernel Name", "Block Size", "Grid Size", *columns]) + quoted(["", "", "", "", "ns", *[""] * 6])
        rows = [('window_global_once', 32, 1, 900, 40), ('empty_global_once', 32, 1, 800, 4), ('window_global_once', 128, 10, 900, 50), ('empty', 32, 1, 1500, 0)]
        write = lambda rows: export.write_text(header + "".join(
            quoted([i, name, f"({block}, 1, 1)", f"({grid}, 1, 1)", ns, misses, *[times * misses for times in others.values()]])
            for i, (name, block, grid, ns, misses) in enumerate(rows)))
        write([rows[3], *rows[:3]])  # in the order of the tests: empty_device stands before the windows
        added = run("counters", "--out", self.out, "--from", export, *words)
        self.assertEqual(added.stdout, "25 counters added, 0 known before\n", added.stderr)  # a time, and six of each of four launches
        found = records(self.out)
        self.assertEqual(found[("window_global_once", "blocks=1,threads=32", "count/l2_read_sector_misses")], "40")
        self.assertEqual(found[("window_global_once", "blocks=1,threads=32", "empty/l2_read_sector_misses")], "4")
        for name, times in (("l2_read_transactions", 3), ("dram_read_transactions", 5), ("local_load_transactions", 7), ("l1_local_load_hit", 11), ("l1_local_load_miss", 13)):
            self.assertEqual(found[("window_global_once", "blocks=1,threads=32", f"count/{name}")], str(40 * times))
        self.assertEqual(float(found[("empty_device", "blocks=1,threads=32", "time")]), 1.5)
        # Events of nvprof have no shape and are counted in each slice of L2 (Sanchez 2017, Table 9): by their order, and their sum.
        names = [f"l2_subp{s}_read_l1_{part}" for part in ("hit_sectors", "sector_queries") for s in range(4)]
        def write_events(kernels):
            export.write_text(quoted(["Device", "Context", "Stream", "Kernel", "Correlation_ID", *names]) + "".join(
                quoted(["GPU (0)", 1, 7, f"{kernel}(unsigned int*)", i, *[10 * i + s for s in range(8)]]) for i, kernel in enumerate(kernels)))
        all_of_them = ["empty", *["window_global_once", "empty_global_once"] * 6]
        write_events(all_of_them)
        added = run("counters", "--out", self.out, "--from", export, *words)
        self.assertEqual(added.stdout, "26 counters added, 0 known before\n", added.stderr)  # two of each launch
        found = records(self.out)
        self.assertEqual(found[("window_global_once", "blocks=1,threads=32", "count/l2_l1_read_hit_sectors")], str(4 * 10 + 0 + 1 + 2 + 3))
        self.assertEqual(found[("window_global_once", "blocks=1,threads=32", "count/l2_l1_read_transactions")], str(4 * 10 + 4 + 5 + 6 + 7))
        self.assertEqual(found[("window_global_once", "blocks=1,threads=32", "empty/l2_l1_read_hit_sectors")], str(4 * 20 + 0 + 1 + 2 + 3))
        counts = {key[1]: int(value) for key, value in found.items() if key[0] == "window_global_once" and key[2] == "count/l2_l1_read_hit_sectors"}
        self.assertEqual(sorted(counts.values()), [4 * 10 * (1 + 2 * i) + 6 for i in range(6)])
        write_events(all_of_them[:-2])  # a launch that is missing would give all behind it the counts of others
        self.assertIn("11 launches without their grids; expected all 13 of the tests, in their order", run("counters", "--out", self.out, "--from", export, *words).stderr)
        export.write_text('"Device","Kernel","Invocations","Event Name","Event Description","Min","Max","Avg"\n"GPU (0)","window_global_once(unsigned int*)",6,"'
                          + names[0] + '","-",1,3,2\n')  # averages of all launches are none of one
        self.assertIn("is none that follows", run("counters", "--out", self.out, "--from", export, *words).stderr)
        write([rows[0], rows[3]])  # empty_device is not behind the windows
        wrong = run("counters", "--out", self.out, "--from", export, *words)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("launch 1 of empty is none that follows; expected the launches of the tests in their order", wrong.stderr)

    def test_refuses_in_one_line(self):
        for words, part in ((["run", "--device", "gpu", "--out", self.out], "'gpu' is no device; expected cuda:NUMBER, forewarp:GPU"),
                            (["run", "--device", "synthetic:x.toml", "--alter", "1", "--out", self.out], "cannot be combined with --device"),
                            (["run", "--device", "forewarp:t4", "--out", self.out, "chain_fad"], "did you mean 'chain_fadd'?"),
                            (["run", "--device", "forewarp:t4", "--out", self.out, "--budget", "x"], "'x' is no time"),
                            (["estimates", "--device", "forewarp:gtx980", "window_add_1"], "no launch whose operation this device knows"),
                            (["check", "--arch", "new"], "'new' is no architecture")):
            ran = run(*words)
            self.assertEqual(ran.returncode, 1, words)
            self.assertEqual(len(ran.stderr.splitlines()), 1, ran.stderr)
            self.assertIn(part, ran.stderr)


if not PROGRAM.exists():
    sys.exit(0)
unittest.main()
