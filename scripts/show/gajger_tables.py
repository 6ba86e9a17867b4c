# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Kernel times of Gajger 2017 over intensity, occupancy and block size, asked of `predict`, which takes words and gives a result."""
import csv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "validation" / "gajger2017"
N = 400_000_000
BOARDS = (("gtx970@gajger", "970"), ("titanx@gajger", "titanx"))


def saxpy2(predict, gpu="gtx970@gajger", a=128, n=N, block=256, options=(), occupancy=None):
    grid = (n + block - 1) // block
    extra = [] if occupancy is None else ["--option", f"gajger.occupancy={occupancy}"]
    return predict(ROOT / "examples" / "saxpy2.sass", "--gpu", gpu, "--grid", grid, "--block", block, "--arg", f"n={n}", "--arg", f"a={a}",
                   "--model", "gajger", "--static", *[word for option in options for word in ("--option", option)], *extra)


def table(name):
    with open(GOLDEN / name, encoding="ascii") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def by_intensity(predict, row):
    for gpu, board in BOARDS:
        for variant, option in (("code", "simulated"), ("text", "text")):
            result = saxpy2(predict, gpu, int(row["a"]), options=[f"gajger.counts={option}"])
            yield result["time_ms"], float(row[f"{board}_{variant}_ms"])


def by_occupancy(predict, row):
    for gpu, board in BOARDS:
        yield saxpy2(predict, gpu, occupancy=int(row["occupancy"]))["time_ms"], float(row[f"{board}_ms"])


def by_block(predict, row):
    for gpu, board in BOARDS:
        yield saxpy2(predict, gpu, block=int(row["block"]), occupancy=64)["time_ms"], float(row[f"{board}_ms"])
