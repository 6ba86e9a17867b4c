#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The example applications against their closed forms: templates_test.py PROGRAM"""
import json
import math
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from needs import built, needs

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(sys.argv.pop(1)).resolve())
SYSTEMS = ROOT / "examples" / "systems"
# As gpu_node.toml says; a message passes two links.
OPERATIONS, STREAM, SPEED, LATENCY = 4e14, 2e12, 300e9, 2e-6
LAYERS, HIDDEN, SEQUENCE, BATCH, VALUE = 4, 4096, 2048, 8, 2


def forward(batch):
    return batch * SEQUENCE * (24 * HIDDEN ** 2 + 4 * SEQUENCE * HIDDEN) / OPERATIONS


def ring(size, gpus):
    return 2 * (gpus - 1) * (LATENCY + size / (gpus * SPEED))


def tree(size, gpus):
    return 2 * math.ceil(math.log2(gpus)) * (LATENCY + size / SPEED)


@needs(built("forewarp-system", PROGRAM))
class Templates(unittest.TestCase):
    def run_on(self, gpus, application, code=0, **variables):
        with tempfile.TemporaryDirectory() as folder:
            text = (SYSTEMS / "gpu_node.toml").read_text(encoding="utf-8").replace("count = 8", f"count = {gpus}")
            system = Path(folder) / "node.toml"
            system.write_text(text, encoding="utf-8")
            (Path(folder) / "roofline.lua").write_text((SYSTEMS / "roofline.lua").read_text(encoding="utf-8"), encoding="utf-8")
            words = [word for name, value in variables.items() for word in ("--set", f"{name}={value}")]
            ran = subprocess.run([PROGRAM, "simulate", system, SYSTEMS / application, *words, "--format", "json"],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return json.loads(ran.stdout) if code == 0 else ran.stderr

    def step(self, gpus, strategy, **more):
        return self.run_on(gpus, "training_step.lua", strategy=strategy, layers=LAYERS, **more)["time_s"]

    def test_data_parallel(self):  # 3 L F + the ring over all parameters
        for gpus in (2, 8):
            expected = 3 * LAYERS * forward(BATCH) + ring(VALUE * 12 * HIDDEN ** 2 * LAYERS, gpus)
            self.assertAlmostEqual(self.step(gpus, "data") / expected, 1, delta=1e-6)

    def test_tensor_parallel(self):  # 3 L F / p + four rings a layer
        for gpus in (2, 8):
            expected = 3 * LAYERS * forward(BATCH) / gpus + 4 * LAYERS * ring(VALUE * BATCH * SEQUENCE * HIDDEN, gpus)
            self.assertAlmostEqual(self.step(gpus, "tensor") / expected, 1, delta=1e-6)

    def test_pipeline_parallel(self):  # (m + p - 1) parts of 3 L F / (m p), and p - 1 hops each way
        for gpus, parts in ((2, 4), (4, 8)):
            hop = LATENCY + VALUE * BATCH / parts * SEQUENCE * HIDDEN / SPEED
            expected = (parts + gpus - 1) * 3 * LAYERS / gpus * forward(BATCH / parts) + 2 * (gpus - 1) * hop
            self.assertAlmostEqual(self.step(gpus, "pipeline", parts=parts) / expected, 1, delta=1e-6)

    def test_three_kinds_of_parallelism_say_their_parts(self):
        """16 machines instead of 512: what the first rank prints adds up to its time; calls of sim grow by those of one rank."""
        with tempfile.TemporaryDirectory() as folder:
            system = Path(folder) / "fewer.toml"
            system.write_text(re.sub(r"leaf_nodes = \d+", "leaf_nodes = 8", (SYSTEMS / "gpus4096.toml").read_text(encoding="utf-8").replace("nodes = 512", "nodes = 16")), encoding="utf-8")
            ran = subprocess.run([PROGRAM, "simulate", system, SYSTEMS / "training_3d.lua", "--set", "stages=4", "--set", "parts=2", "--format", "json"],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        answer = json.loads(ran.stdout)
        parts = {match[1]: float(match[2]) for match in (re.match(r"(.*?) +([\d.]+) s +[\d.]+ %", line) for line in answer["printed"])}
        self.assertEqual(set(parts), {"forward", "backward", "sums over slices", "sums of gradients", "waits for a stage"})
        self.assertAlmostEqual(parts["backward"] / parts["forward"], 2, delta=1e-3)
        self.assertAlmostEqual(sum(parts.values()), answer["processes"][0]["finish_s"], delta=1e-5)

    def test_a_strategy_that_is_none(self):
        self.assertIn("strategy is data, tensor or pipeline", self.run_on(2, "training_step.lua", code=1, strategy="none"))

    def test_prefill_and_decode(self):
        gpus, tokens, layers = 8, 3, 2

        def layer(new, seen, reduce):
            rows = BATCH * new
            arithmetic = (24 * rows * HIDDEN ** 2 + 4 * rows * seen * HIDDEN) / OPERATIONS
            memory = VALUE * (12 * HIDDEN ** 2 + 2 * BATCH * seen * HIDDEN) / STREAM
            return max(arithmetic, memory) / gpus + 2 * reduce(VALUE * rows * HIDDEN, gpus)

        first = layers * layer(SEQUENCE, SEQUENCE, ring)
        expected = first + layers * sum(layer(1, SEQUENCE + token, tree) for token in range(1, tokens + 1))
        got = self.run_on(gpus, "inference.lua", layers=layers, tokens=tokens)
        self.assertAlmostEqual(got["time_s"] / expected, 1, delta=1e-5)
        self.assertIn(f"first token after {first:.6f} s", got["printed"])


@needs(built("forewarp-system", PROGRAM))
class LanguageModel(unittest.TestCase):
    SMALL = {"layers": 8, "prompt": 64, "batch": 1}

    def run_it(self, code=0, **variables):
        words = ["--change", variables.pop("change")] if "change" in variables else []
        words += [word for name, value in (self.SMALL | variables).items() for word in ("--set", f"{name}={value}")]
        ran = subprocess.run([PROGRAM, "simulate", "hopper_node.toml", "language_model.lua", *words], capture_output=True, text=True, check=False, cwd=SYSTEMS)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran.stdout + ran.stderr

    def seconds(self, **variables):
        return float(re.search(r"tokens in (\S+) s", self.run_it(**variables))[1])

    def part(self, name, **variables):
        return float(re.search(rf"{name} +(\S+) s", self.run_it(**variables))[1])

    def test_a_token_waits_for_the_one_before(self):
        one = self.seconds(phase="decode", stages=8)
        self.assertAlmostEqual(self.seconds(phase="decode", stages=8, tokens=4) / (4 * one), 1, delta=0.02)

    def test_a_step_sums_over_slices_twice_as_often_as_a_prompt(self):
        prompt = self.part("sums over slices", phase="prefill", tensor=8)
        self.assertAlmostEqual(self.part("sums over slices", phase="train", tensor=8) / prompt, 2, delta=0.02)

    def test_a_step_asks_for_the_word_behind_every_token(self):
        """Thrice the product of as many rows: of 64 prompts of one token each, and of one prompt of 64."""
        each = self.part("words", phase="decode", tensor=8, batch=64)
        self.assertAlmostEqual(self.part("words", phase="train", tensor=8) / (3 * each), 1, delta=0.02)

    def test_weights_and_caches_have_to_fit(self):
        """70 x 10^9 weights of two bytes on one board of 80 GiB; of keys and values alone: 32 x 8192 x 2 x 4096 x 2 bytes for each of 32 sequences."""
        large = {"layers": 80, "hidden": 8192, "heads": 64, "key_heads": 8, "width": 28672, "phase": "decode"}
        self.assertIn("of memory, 1", self.run_it(code=1, change="c.gpus=1", **large))
        self.run_it(tensor=8, **large)
        cache = {"layers": 32, "prompt": 8191, "batch": 32, "phase": "decode", "change": "c.gpus=1"}
        self.assertIn("--beyond-memory goes past it", self.run_it(code=1, **cache))
        self.run_it(**cache | {"key_heads": 8})

    def test_heads_that_share_keys_read_them_once(self):
        wide = {"phase": "decode", "batch": 64, "prompt": 2048}
        self.assertLess(self.part("attention", key_heads=8, **wide), 0.6 * self.part("attention", **wide))

    def test_few_rows_read_weights_at_the_rate_of_memory(self):
        """Of one sequence: 3 x 4096 x 11008 x 2 bytes a layer, at no less than two thirds of 3.35 TB/s."""
        seconds = self.part("feed forward", phase="decode", change="c.gpus=1")
        self.assertLess(8 * 3 * 4096 * 11008 * 2 / 3.35e12, seconds)
        self.assertLess(seconds, 1.5 * 8 * 3 * 4096 * 11008 * 2 / 3.35e12)

    def test_a_step_changes_the_weights(self):
        """Adam reads 14 and writes 14 bytes a weight; each copy all of its slice's."""
        seconds = self.part("optimiser", phase="train", tensor=8)
        least = 28 * (8 * (4 * 4096 ** 2 + 3 * 4096 * 11008) + 2 * 4096 * 32000) / 8 / 3.35e12
        self.assertLess(least, seconds)
        self.assertLess(seconds, 1.5 * least)

    def test_the_answer_has_an_interval(self):
        said = self.run_it(phase="decode", tensor=8)
        value, low, high = (float(one) for one in re.search(r"answer +(\S+) tokens/s \((\S+) to (\S+)\)", said).groups())
        self.assertTrue(low < value < high)

    def test_few_tokens_wake_few_experts(self):
        """One token sees two of eight experts: 2 x 3 x 4096 x 11008 x 2 bytes a layer; of 64 sequences all are read."""
        one = self.part("feed forward", phase="decode", change="c.gpus=1")
        two = self.part("feed forward", phase="decode", change="c.gpus=1", experts=8)
        self.assertAlmostEqual(two / one, 2, delta=0.1)
        self.assertGreater(self.part("router", phase="decode", change="c.gpus=1", experts=8), 0)

    def test_variables_out_of_their_range(self):
        for name, value in (("active", 0), ("tensor", -1), ("heads", 0), ("tokens", 0), ("batch", -8)):
            self.assertIn(f"{name} = {value}; expected a whole number from 1", self.run_it(code=1, phase="decode", **{name: value}))
        self.assertIn("sequence is yes or no", self.run_it(code=1, sequence="maybe"))

    def test_scores_of_a_prompt_have_to_fit(self):
        """32 heads x 32768^2 scores of two bytes beside 13.5 GB of weights and 17 GB of keys and values."""
        self.assertIn("--beyond-memory goes past it", self.run_it(code=1, phase="prefill", prompt=32768, layers=32, change="c.gpus=1"))

    def test_other_stages_are_no_launches(self):
        wide = {"phase": "prefill", "stages": 8, "prompt": 256}
        self.assertLess(self.part("waiting for launches", **wide), 0.05 * self.seconds(**wide))
        self.assertGreater(self.part("waiting for a stage", **wide), 0.5 * self.seconds(**wide))

    def test_scores_of_a_step_have_to_fit_for_all_layers(self):
        """32 layers x 8 sequences x 4 heads x 4096^2 scores of two bytes are 34 GB, beside 61 of the rest."""
        self.assertIn("--beyond-memory goes past it", self.run_it(code=1, phase="train", layers=32, tensor=8, batch=8, prompt=4096))

    def test_what_does_not_divide_is_refused(self):
        for name, value in (("experts", 3), ("key_heads", 12)):
            self.assertIn(f"{name}: {value} is no multiple of 8", self.run_it(code=1, phase="decode", **({"tensor": 8} if name == "key_heads" else {}), **{name: value}))
        self.assertIn("heads of 64 values; the kernel attends to 128", self.run_it(code=1, phase="decode", heads=64, key_heads=64))
        self.assertIn("active = 9 of experts = 8", self.run_it(code=1, phase="decode", experts=8, active=9))


if __name__ == "__main__":
    unittest.main()
