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


def thesis_formulas(predict):
    """Whether saxpy2 has the registers, latency, counts and bytes of the thesis, and its figures."""
    thesis = saxpy2(predict)
    strict = saxpy2(predict, options=["gajger.latency=strict"])
    registers = thesis["kernel"]["registers"]
    counts = {a: saxpy2(predict, a=a)["models"][0]["numbers"] for a in (1, 2, 128)}
    cuda = all(counts[a]["ins_cuda"] == 23 + 4 * a for a in counts)
    moved = all(counts[a]["gmem_bytes"] == 384 for a in counts)
    figure = (f"{registers} registers, {thesis['latency']['formula']} and {strict['latency']['formula']}, "
              f"INS_CUDA 23+4a {cuda}, 384 bytes {moved}")
    holds = (registers == 8 and thesis["latency"]["formula"] == "942 + 24*a" and
             strict["latency"]["formula"] == "918 + 24*a" and cuda and moved)
    return holds, figure


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
