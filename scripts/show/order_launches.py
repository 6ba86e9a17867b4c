# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Demands of scripts/show/order on many launches at once: what limits them, and how times grow with a size."""
import json
import os
import random
import tempfile
from pathlib import Path

from showing import ROOT, Skip, forewarp
from unseen import DESCRIPTIONS, NOT_KERNELS, folder

# What is called "latency" as a whole, by the ids of what-ifs.
LATENCY = {"memory_latency", "arithmetic_latency", "shared_latency", "occupancy"}
SAME = 0.01  # of the time: gains that are the same
TIED = 0.05  # where units are equally full, freeing one brings less than this
LISTINGS = ROOT / "tests" / "fixtures" / "listings"
BLOCK = 256
LARGEST = 4096


def predicted(cases):
    """Results of `predict --cases`, in the order of the cases."""
    with tempfile.TemporaryDirectory() as where:
        file = Path(where) / "cases.jsonl"
        file.write_text("".join(json.dumps(case) + "\n" for case in cases))
        return [json.loads(line) for line in forewarp("predict", "--cases", file, "--no-cache", check=False).stdout.splitlines()]


def drawn_launches(count):
    """Cases of all sets that can be asked here, a few of each, drawn by a seed."""
    folder("MEASURED_SETS", "the measured sets")
    cases = []
    for description in sorted(DESCRIPTIONS.glob("*.toml")):
        if description.stem in NOT_KERNELS:
            continue
        arguments = ["validate", description, "-q", "--seed", "1", "--rows", "10", "--data", os.environ["MEASURED_SETS"], "--cases-out", "-"]
        lines = forewarp(*arguments, check=False, cwd=ROOT).stdout.splitlines()
        cases += [json.loads(line) for line in lines if line.startswith("{")]
    if len(cases) < count:
        raise Skip(f"the sets have {len(cases)} launches here")
    return random.Random(1).sample(cases, count)


def best_alone(result):
    """Gains by what is called so: of single what-ifs, without caches that always hit."""
    gains = {}
    for row in result["counterfactuals"]:
        if len(row["free"]) == 1 and not row["free"][0].startswith("perfect"):
            name = "latency" if row["free"][0] in LATENCY else row["free"][0]
            gains[name] = max(gains.get(name, 0), 1 - row["ratio"])
    return gains


def names_the_best(result):
    """Whether what limits brings the most: "yes", "tied" where equally full units hide each other, "no"."""
    gains = best_alone(result)
    limit = "registers" if result["limited_by"]["resource"].startswith("registers") else result["limited_by"]["resource"]
    most = max(gains.values(), default=0)
    if gains.get(limit, 0) >= most - SAME:
        return "yes"
    shares = {bound["resource"]: bound["share"] for bound in result["bounds"]}
    full = shares.get(result["limited_by"]["resource"], 0) >= (1 - TIED) * max(shares.values(), default=0)
    return "tied" if most < TIED and full else "no"


def what_limits(out, count=100):
    """The demand "what limits is what brings the most"."""
    def check():
        told, lines = {"yes": 0, "tied": 0, "no": 0}, []
        for result in predicted(drawn_launches(count)):
            if result.get("error") or "counterfactuals" not in result:
                continue
            verdict = names_the_best(result)
            told[verdict] += 1
            gains = sorted(best_alone(result).items(), key=lambda entry: -entry[1])[:3]
            lines.append(f"{verdict:4} {result['id']}: {result['limited_by']['sentence']} | "
                         + ", ".join(f"{name} {100 * gain:.1f} %" for name, gain in gains))
        (out / "what_limits.txt").write_text("\n".join(sorted(lines)) + "\n")
        asked = sum(told.values())
        return told["no"] == 0 and asked >= 0.9 * count, (f"{told['yes']} of {asked} name the best, {told['tied']} one of equally full units "
                                                          f"(freeing one alone brings under {100 * TIED:.0f} %), {told['no']} another")
    return check


SIZED = {"saxpy": lambda n: [{"i32": n}, {"f32": 2.0}, {"buffer": 4 * LARGEST}, {"buffer": 4 * LARGEST}],
         "special_functions": lambda n: [{"buffer": 4 * LARGEST}, {"buffer": 4 * LARGEST}, {"i32": n}],
         "reduction": lambda n: [{"buffer": 4 * LARGEST}, {"buffer": 16}, {"i32": n}]}
STEPS = {"reduction": 4}  # blocks, however many elements there are


def sizes(out):
    """The demand "times grow with the size, but for waves": a drop is a time below that of a smaller size."""
    counts = sorted({0, 1, *(base + by for base in range(0, LARGEST + 1, BLOCK) for by in (-128, -1, 0, 1, 32, 64) if 0 <= base + by <= LARGEST)})

    def check():
        worst, lines, real = (0, ""), [], []
        for kernel, arguments in SIZED.items():
            results = predicted([{"id": f"{kernel} {n}", "input": str(LISTINGS / f"{kernel}.sm_80.sass"), "gpu": "a100-sxm-40", "block": [BLOCK, 1, 1],
                                  "grid": [STEPS.get(kernel, max(1, -(-n // BLOCK))), 1, 1], "args": arguments(n)} for n in counts])
            highest = before = 0
            for n, result in zip(counts, results):
                time = 1e3 * result["time_ms"]
                drop = 1 - time / highest if highest else 0
                worst = max(worst, (drop, f"{kernel} n = {n}"))
                if before and time > 1.1 * before:
                    real.append(f"{kernel} {n}: {time / before:.2f}x")
                highest, before = max(highest, time), time
                lines.append(f"{kernel} {n} {time:.4f} us{f', {100 * drop:.1f} % below a smaller size' if drop > 0 else ''}")
        (out / "sizes.txt").write_text("\n".join(lines) + "\n")
        return worst[0] <= SAME, f"{3 * len(counts)} sizes; largest drop {100 * worst[0]:.1f} % ({worst[1] or 'none'}); steps where a block or a pass begins: {', '.join(real)}"
    return check
