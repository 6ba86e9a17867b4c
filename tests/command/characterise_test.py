#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""From stored samples to a GPU file that predicts: characterise_test.py PROGRAM"""
import json
import random
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(sys.argv.pop(1)).resolve())
SMALL = ROOT / "tests/fixtures/samples/small"
LAUNCH = ("examples/saxpy2.sass", "--grid", "62500", "--block", "256", "--arg", "n=16000000", "--arg", "a=16")


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=ROOT)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def small(self, *more):
        return run("characterise", SMALL, "--numbers", SMALL / "numbers.toml", *more)


class Characterise(Folder):
    def test_a_file_that_is_accepted_and_predicts(self):
        made = self.folder / "mine.toml"
        ran = self.small("--name", "My GPU", "-o", made)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("My GPU (7.0), 2026-03-01: 10 numbers measured, 7 told by the driver, 2 as gv100", ran.stdout)
        self.assertIn("note: what neither the driver nor a test says is taken from gv100", ran.stdout)
        self.assertIn("class.fp64.latency: no samples of time from chain_dfma; run forewarp-bench", ran.stdout)
        self.assertIn("1 file, 0 errors", run("gpu", "check", made).stdout)
        shown = json.loads(run("gpu", "show", made, "--format", "json").stdout)["facts"]["class.fp32.latency"]
        self.assertEqual((shown["value"], shown["confidence"]), (4, "measured"))
        self.assertIn("deviation 0.0001", shown["note"])
        predicted = json.loads(run("predict", *LAUNCH, "--assume-isa", "--gpu", made, "--format", "json").stdout)
        self.assertEqual(predicted["gpu"]["name"], "My GPU")
        self.assertGreater(predicted["time_ms"], 0)

    def test_json_compares_with_another_board(self):
        found = json.loads(self.small("--like", "v100-pcie-16", "--compare", "titanv", "--format", "json").stdout)
        self.assertEqual((found["schema"], found["like"], found["compared_with"]),
                         ("forewarp.characterisation/1", "v100-pcie-16", "titanv"))
        facts = {fact["path"]: fact for fact in found["facts"]}
        self.assertEqual(facts["class.fp32.cycles"]["verdict"], "agrees")
        self.assertEqual(facts["class.fp32.cycles"]["tests"], ["rate_ffma"])
        self.assertEqual(len(facts["class.fp32.cycles"]["points"]), 2)
        self.assertEqual(facts["memory.bytes"]["verdict"], "differs")
        self.assertEqual({gap["path"] for gap in found["gaps"]}, {"class.fp64.latency", "power.limit_w"})
        self.assertIn("power.limit_w", {fact["path"] for fact in found["taken_over"]})

    def test_numbers_with_so_many_threads(self):
        """Of rate_ffma's and chain_ffma's configurations the one with the nearest number of threads."""
        found = json.loads(self.small("--like", "v100-pcie-16", "--threads", "100000", "--format", "json").stdout)
        there = {fact["path"]: fact["at_threads"] for fact in found["facts"] if fact["at_threads"]}
        points = {p["config"]: p["value"] for fact in found["facts"] if fact["path"] == "class.fp32.cycles" for p in fact["points"]}
        self.assertEqual(there["class.fp32.cycles"]["value"], points["blocks=160,threads=512"])
        self.assertEqual(there["class.fp32.cycles"]["threads"], 160 * 512)
        self.assertNotIn("class.fp32.latency", there)  # measured with 32 threads alone
        text = self.small("--like", "v100-pcie-16", "--threads", "100000").stdout
        self.assertRegex(text, r"with 100000 threads in the grid[^\n]*\n  class\.fp32\.cycles .* 81920 threads\n")
        self.assertRegex(text, r"\n100000 threads in the grid are outside of what was measured:\n(  .*\n)*  class\.fp32\.latency +32 threads\n")

    def test_a_number_of_threads_outside_of_all(self):
        """What was asked and what was measured stand there, and no heading over nothing."""
        for asked in (0, 1, 100000000):
            text = self.small("--like", "v100-pcie-16", "--threads", asked).stdout
            self.assertNotIn("or the nearest number", text)
            self.assertRegex(text, rf"\n{asked} threads in the grid are outside of what was measured:\n(  .*\n)*  class\.fp32\.cycles +\d+ to \d+ threads\n")
        found = json.loads(self.small("--like", "v100-pcie-16", "--threads", 0, "--format", "json").stdout)
        fact = {fact["path"]: fact for fact in found["facts"]}["class.fp32.cycles"]
        self.assertIsNone(fact["at_threads"])
        self.assertEqual(max(fact["measured_threads"]), 163840)

    def test_parameters_of_mwp_cwp(self):
        file = self.folder / "mwp.toml"
        self.assertEqual(self.small("--mwp", file).returncode, 0)
        parameters = tomllib.loads(file.read_text())
        self.assertAlmostEqual(parameters["dram_latency"]["value"], 430, places=2)
        self.assertGreater(parameters["hit_latency_l1"]["deviation"], 0)
        self.assertIn("departure_delay_coalesced", parameters["missing"])
        frequency, latency, level = (parameters[key] for key in ("core_frequency", "instruction_latency_fp32", "hit_latency_l1"))
        self.assertEqual((frequency["confidence"], frequency["fact"], frequency["unit"]), ("assumed", "clock.sustained_mhz", "MHz"))
        self.assertTrue(frequency["source"].startswith("as gv100: "))
        self.assertEqual((latency["confidence"], latency["fact"], latency["unit"]), ("measured", "class.fp32.latency", "cycles"))
        self.assertIn("chain_ffma", latency["source"])
        self.assertEqual(level["note"], "level 1, 16384 to 114688 bytes")

    def test_refusals(self):
        for arguments, line in (
                ([self.folder], "device.json: cannot be read"),
                ([SMALL, "--numbers", "none.toml"], "none.toml: cannot be read"),
                ([SMALL, "--numbers", SMALL / "numbers.toml", "--like", "none"], "none"),
                ([SMALL, "--numbers", SMALL / "samples.tsv"], "samples.tsv:")):
            ran = run("characterise", *arguments)
            self.assertEqual((ran.returncode, ran.stdout), (1, ""), arguments)
            self.assertIn(line.split(":")[0], ran.stderr)
            self.assertEqual(ran.stderr.count("\n"), 1)
        self.assertEqual(run("characterise").returncode, 2)


class Rehearsal(Folder):
    """Samples made from the numbers of a board, altered at random, give these numbers back."""

    def board(self, name, seed):
        draw = random.Random(seed)
        facts = json.loads(run("gpu", "show", name, "--format", "json").stdout)["facts"]
        mhz, sms = facts["clock.boost_mhz"]["value"], facts["sm.count"]["value"]
        lines, rows, truth = ["# forewarp samples 1"], [], {}

        def sample(test, config, us):
            values = sorted({f"{us * (1 + draw.gauss(0, 1e-4)):.9g}" for _ in range(5)}, key=float)
            lines.append("\t".join((test, config, "time", "us", f"{mhz}", "-", " ".join(values))))

        def number(path, how, test, **more):
            rows.append("[[number]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in {
                "fact": path, "unit": facts[path]["unit"], "how": how, "tests": [test], **more}.items()))

        for path, fact in facts.items():
            parts = path.split(".")
            value = fact["value"]
            if parts[0] != "class" or parts[-1] not in ("latency", "cycles") or len(parts) != 3 or not value:
                continue
            truth[path] = value * draw.uniform(0.7, 1.4)
            test = "_".join(parts)
            for passes in (64, 128, 256):
                if parts[-1] == "latency":
                    sample(test, f"blocks=1,threads=32,passes={passes}", 3 + passes * 32 * truth[path] / mhz)
                else:
                    sample(test, f"blocks={2 * sms},threads=256,passes={passes}", 3 + passes * 32 * 16 * truth[path] / mhz)
            number(path, "latency" if parts[-1] == "latency" else "rate", test, work=32)
        levels = [facts[p]["value"] * draw.uniform(0.9, 1.2) for p in ("l1.latency_cycles", "l2.latency_cycles", "memory.latency_cycles")]
        truth.update(zip(("l1.latency_cycles", "l2.latency_cycles", "memory.latency_cycles"), levels))
        for level, (path, sizes) in enumerate((("l1.latency_cycles", (4, 8, 16)), ("l2.latency_cycles", (256, 512, 1024)),
                                               ("memory.latency_cycles", (65536, 131072, 262144))), 1):
            for kib in sizes:
                sample("chase", f"blocks=1,threads=1,passes=1024,bytes={kib * 1024}", 1024 * levels[level - 1] / mhz)
            number(path, "plateau", "chase", level=level)
        for share in ("read", "write", "mixed"):
            path = f"memory.{share}_share"
            truth[path] = facts[path]["value"] * draw.uniform(0.9, 1)
            for mib in (256, 512):
                size = mib << 20
                sample(share, f"blocks={8 * sms},threads=256,bytes={size}", 4 + size / (truth[path] * facts["memory.theory_gbs"]["value"] * 1e3))
            number(path, "bandwidth", share, divide="memory.theory_gbs")
        told = {p: facts[p]["value"] for p in ("sm.count", "clock.base_mhz", "clock.boost_mhz", "memory.bytes", "l2.bytes")}
        device = {"backend": "synthetic", "name": f"Altered {name}", "cc": facts["cc"]["value"], "date": "2026-03-01", "facts": told}
        (self.folder / "device.json").write_text(json.dumps(device))
        (self.folder / "samples.tsv").write_text("\n".join(lines) + "\n")
        (self.folder / "numbers.toml").write_text("\n".join(rows))
        return truth

    def test_every_number_comes_back_and_predicts_alike(self):
        for seed, name in enumerate(("v100-pcie-16", "rtx2080ti", "a100-sxm-40", "gtx970"), 5):
            truth = self.board(name, seed)
            self.assertGreaterEqual(len(truth), 40, name)
            made = self.folder / "made.toml"
            ran = run("characterise", self.folder, "--numbers", self.folder / "numbers.toml", "--like", name, "-o", made, "--format", "json")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            found = {fact["path"]: fact for fact in json.loads(ran.stdout)["facts"]}
            for path, value in truth.items():
                self.assertIn(path, found)
                self.assertLess(abs(found[path]["value"] / value - 1), 0.01, path)
                self.assertLess(abs(found[path]["value"] - value), max(6 * found[path]["deviation"], 1e-3 * value), path)
            # The board itself with the altered numbers is the hand-made file.
            changed = [part for path, value in truth.items() for part in ("--set", f"hw.{path}={value}")]
            launch = ("predict", *LAUNCH, "--assume-isa", "--clock", "boost", "--format", "number")
            by_hand = float(run(*launch, "--gpu", name, *changed).stdout)
            by_file = float(run(*launch, "--gpu", made).stdout)
            self.assertLess(abs(by_file / by_hand - 1), 0.03, name)


class Imports(Folder):
    def test_boards_of_mt4g_and_nvidia_smi(self):
        boards = ROOT / "tests/fixtures/boards"
        for flag, file, name in (("--from-mt4g", "mt4g.json", "Example 6000"), ("--from-nvidia-smi", "nvidia_smi.txt", "Example 5000")):
            made = self.folder / f"{file}.toml"
            like = "rtx3090" if flag == "--from-mt4g" else "gtx1080ti"
            ran = run("gpu", "new", "mine", "--like", like, flag, boards / file, "-o", made)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn("0 errors", run("gpu", "check", made).stdout)
            shown = json.loads(run("gpu", "show", made, "--format", "json").stdout)
            self.assertEqual(shown["name"], name)
        self.assertEqual(shown["facts"]["power.limit_w"]["value"], 250)
        self.assertEqual(shown["facts"]["sm.count"]["confidence"], "assumed")
        self.assertIn("shows 2 devices: the first is taken", ran.stderr)

    def test_one_source_at_a_time(self):
        boards = ROOT / "tests/fixtures/boards"
        ran = run("gpu", "new", "mine", "--like", "rtx3090", "--from-mt4g", boards / "mt4g.json", "--from-nvidia-smi", boards / "nvidia_smi.txt")
        self.assertEqual((ran.returncode, ran.stderr), (1, "forewarp: --from-mt4g: goes with no other --from-; expected one of them\n"))


if __name__ == "__main__":
    unittest.main()
