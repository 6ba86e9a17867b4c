# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The closed loop: the whole suite on a predicted board whose numbers are altered, and which of them come back."""
import collections
import json
import os
import shutil
from pathlib import Path

from showing import BUILD, forewarp, run

BENCH = Path(os.environ.get("FOREWARP_BENCH", BUILD / "tools" / "forewarp-bench" / "forewarp-bench"))
SEED = int(os.environ.get("SEED", "7341"))


class ClosedLoop:
    """Altered numbers by what became of them: `right` and `off` (path, altered, read), `reasons` why no test sees the others,
    `lost` those of which nothing is said."""

    def __init__(self, board, seed, out):
        folder = out / f"{board}-{seed}"
        shutil.rmtree(folder, ignore_errors=True)
        run(BENCH, "run", "--device", f"forewarp:{board}", "--alter", seed, "--out", folder)
        found = json.loads(forewarp("characterise", folder, "--like", board, "--format", "json").stdout)
        altered = {path: change["to"] for path, change in json.loads((folder / "altered.json").read_text())["facts"].items()}
        facts = {fact["path"]: fact for fact in found["facts"]}
        if "memory.latency_mhz" in altered:  # cycles of device memory hold at a clock: the time is what is measured
            altered["memory.latency_cycles"] *= facts["memory.latency_mhz"]["value"] / altered.pop("memory.latency_mhz")
        gaps = {gap["path"]: gap["reason"] for gap in found["gaps"]}
        self.right, self.off = [], []
        for path, value in altered.items():
            if path in facts:
                (self.right if self.returned(facts[path], value) else self.off).append((path, value, facts[path]["value"]))
        unseen = [path for path in altered if path not in facts]
        self.reasons = collections.Counter(gaps[path] for path in unseen if path in gaps)
        self.lost = [path for path in unseen if path not in gaps]

    @staticmethod
    def returned(fact, value):
        latency = fact["path"].endswith(("latency", "latency_cycles", "rules.default.barrier"))
        most = 2 if latency else 0 if fact["unit"] == "bytes" else 0.03 * abs(value)
        return abs(fact["value"] - value) <= most

    def told(self):
        text = f"{len(self.right)} of {len(self.right) + len(self.off)} back, {self.reasons.total()} listed as invisible with a reason, {len(self.lost)} neither"
        text += ": " + ", ".join(self.lost[:5]) if self.lost else ""
        return text + ("; off " + ", ".join(f"{path} {read:.5g} for {value:.5g}" for path, value, read in self.off[:8]) if self.off else "")

    def holds(self):
        return len(self.right) >= 40 and not self.off and not self.lost
