#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""forewarp evaluate and model calc against the tables of Volkov 2016, against formulas written down once more, and on wrong input."""
import json
import subprocess
import sys
from pathlib import Path

TOOL, ROOT = sys.argv[1], Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "show"))
import independent
import published

TABLES = ROOT / "validation" / "volkov2016"
failures = []


def run(*arguments):
    return subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True)


def tool(*arguments):
    done = run(*arguments)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def calc(formula, **inputs):
    text = tool("model", "calc", formula, *[f"{k}={v}" for k, v in inputs.items()])
    return {k: float(v) for k, v in (line.split() for line in text.splitlines())}


def expect(condition, text):
    if not condition:
        failures.append(text)


def table(name, least, compared):
    expect(len(compared) >= least, f"{name}: only {len(compared)} figures")
    for place, printed, ours in published.off(compared):
        failures.append(f"{name}: {place}: printed {printed}, ours {ours}")


def mix_in_no_table():
    """alpha 23, 12 warps, GTX 480: every model equals its formula."""
    wanted = {**independent.gtx480(23, 12), **independent.others_on_gtx480(23, 12)}
    points = published.evaluated(tool, ["gtx480"], ["23"], ["12"], list(wanted))
    for model, cycles in wanted.items():
        ours = points["gtx480", model, 23.0, 12.0]["cycles"]
        expect(abs(ours / cycles - 1) < 1e-8, f"{model}: formula {cycles}, ours {ours}")


def refusals():
    for arguments, words in (
            (["--model", "nobody"], "no model is named 'nobody'"),
            (["--model", "gpumech:policy=lifo"], "'lifo' is not a value of it"),
            (["--model", "gpumech:policy"], "'policy'; expected NAME:OPTION=VALUE"),
            (["--alpha", "1,two"], "'two'; expected numbers"),
            (["--alpha", "0.3"], "no whole count"),
            (["--warps", "0"], "'0'; expected numbers from 1 on"),
            (["--alpha", "nan"], "'nan'; expected numbers from 0 on"),
            (["--workload", "texture"], "workload 'texture': no such kind"),
            (["--gpu", "gtx480@nobody"], "gtx480"),
            (["--format", "pdf"], "--format pdf: is not a format of evaluate"),
            (["/nowhere/plan.toml"], "/nowhere/plan.toml")):
        done = run("evaluate", *arguments)
        expect(done.returncode == 1 and words in done.stderr and done.stderr.count("\n") == 1, f"{arguments}: {done.returncode} {done.stderr}")
    done = run("model", "calc", "gpumech", "warps=1")
    expect(done.returncode == 1 and "'compute' is missing" in done.stderr, f"missing input: {done.stderr}")
    done = run("model", "calc", "gpumech", "height=1")
    expect(done.returncode == 1 and "has no input 'height'" in done.stderr, f"unknown input: {done.stderr}")


def published_figures():
    """Every figure that is computed holds, of both theses whose evaluations are data."""
    for name, least in (("volkov2016", 62), ("voudouris2014", 8)):
        answer = json.loads(tool("evaluate", ROOT / "data" / "evaluations" / f"{name}.toml", "--format", "json"))
        computed = [f for f in answer["figures"] if f["kind"] == "computed"]
        expect(len(computed) >= least, f"{name}: only {len(computed)} figures")
        for f in computed:
            expect(f["holds"], f"{name}: {f['id']} {f['what']}: printed {f['printed']}, ours {f['computed']}")


def never_a_time():
    """Utilisation above 1 gives GPUMech a negative time: it is shown, and does not apply."""
    points = published.evaluated(tool, ["gtx480"], ["32"], ["34"], ["gpumech:bandwidth=on"])
    point = points["gtx480", "gpumech:bandwidth=on", 32.0, 34.0]
    expect(point["cycles"] < 0 and not point["applies"], f"negative time: {point}")
    expect(abs(point["additions_per_cycle"] + 11.69) < 0.01, f"Volkov 2016, 7.7: -12, recomputed -11.69: {point}")


def every_model_runs():
    """All models, and thirds of an addition, on a board of today."""
    lines = tool("evaluate", "--gpu", "rtx3090", "--alpha", "0.3333333333,7", "--workload", "shared", "--warps", "8", "--model", "all", "--format", "csv").splitlines()
    expect(len(lines) == 1 + 2 * len(tool("model", "list").splitlines()[:-1]), f"{len(lines)} lines")
    text = tool("evaluate", "--gpu", "rtx3090", "--alpha", "7", "--model", "all")
    expect("gajger" in text and "nan" not in text, text)


every_model_runs()
table("B.1", 400, published.throughput(tool, TABLES))
table("B.2", 225, published.needed(tool, TABLES))
table("B.2 mixes", 72, published.needed_of_mixes(tool, TABLES))
table("B.2 cusps", 10, published.cusps(calc))
table("B.3", 300, published.earlier_models(tool, TABLES))
table("B.3 queue", 40, published.queue(calc, TABLES))
table("B.4", 40, published.latencies(calc, TABLES))
table("B.5", 9, published.worst_quotients(tool))
mix_in_no_table()
published_figures()
never_a_time()
refusals()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
