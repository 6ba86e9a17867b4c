#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Products of cuBLAS as others measured them, beside the model of forewarp run: MEASURED_SETS=FOLDER scripts/show/library_times.py

A program of our own asks for the products (tests/programs/libraries.cpp, `times`); nothing is computed.
"""
import csv
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from showing import BUILD, ROOT, TOOL

PROGRAM = BUILD / "tests" / "programs" / "library_program"
REPORT = ROOT / "build" / "show" / "library_times.json"
OF_MODELS = {"a100": "a100-sxm-80", "a40": "a40"}


def table(name):
    with open(Path(os.environ["MEASURED_SETS"]) / name, newline="", encoding="ascii") as file:
        return list(csv.DictReader(file))


def single_products():
    """Rows of (set, board, product, measured ms)."""
    for row in table("sgemm_ladder_rtx3090.csv"):
        if row["kernel"] == "kernel_0":
            yield "ladder", "rtx3090", ("fp32", *[int(row["n"])] * 3), float(row["ms"])
    for row in table("tensor_dev.csv"):
        if row["kernel"] == "cuBLAS GEMM Kernel":
            kind = "fp32" if row["type"] == "FP32" else "fp16_sums"
            yield "tensor", "rtx3090", (kind, int(row["M"]), int(row["N"]), int(row["K"])), float(row["measured_ms"])
    for row in table("ada_small_dev.csv"):
        if row["kernel"] == "cublas":
            yield "ada", "rtx4070tis", ("fp32", 4096, 4096, 4096), float(row["us"]) / 1000
    for row in table("hopper_matmul_study_dev.csv"):
        if row["kernel"].startswith("cuBLAS"):
            yield "study", "h100-sxm-80", ("tf32" if "TF32" in row["kernel"] else "fp32", 8192, 8192, 8192), float(row["ms"])
    for row in table("hopper_matmul_ladder_dev.csv"):
        if row["kernel"] == "cublas":
            n = int(row["n"])
            yield "hopper", "h100-sxm-80", ("fp16", n, n, n), 2e-9 * n**3 / float(row["tflops"])


def projections():
    """Products of language models; times are rounded to 1 us."""
    for row in table("llm_parts_dev.csv"):
        hidden, width, slices, heads = (int(row[key]) for key in ("n_embd", "n_expanded", "tensor_parallel", "n_head"))
        sides = {"mlp_up_proj": ((2 if row["gated"] == "True" else 1) * width // slices, hidden), "mlp_down_proj": (hidden, width // slices),
                 "attn_post_proj": (hidden, hidden // slices),
                 "attn_pre_proj": ((hidden + 2 * int(row["n_kv_head"]) * hidden // heads) // slices, hidden)}
        if row["op"] in sides:
            out, depth = sides[row["op"]]
            yield "models", OF_MODELS[row["gpu"]], ("fp16", out, int(row["tokens"]), depth), float(row["median_us"]) / 1000


def predicted(board, products):
    """ms on the device by product."""
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    asked = "".join(" ".join(map(str, product)) + "\n" for product in products)
    subprocess.run([TOOL, "run", "--gpu", board, "--execute", "sample", "--format", "json", "-o", REPORT, "--", PROGRAM, "times"], input=asked,
                   capture_output=True, text=True, check=True)
    kinds = {"FP32 to FP32": "fp32", "FP32 to FP32, TF32": "tf32", "FP16 to FP16": "fp16", "FP16 to FP16, sums of FP16": "fp16_sums"}
    found = {}
    for kernel in json.loads(REPORT.read_text())["processes"][0]["kernels"]:
        size, kind = kernel["name"].removeprefix("cublasGemmEx ").split(", ", 1)
        found[(kinds[kind], *map(int, size.split("x")))] = kernel["mean_ms"]
    return found


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def main():
    rows = list(single_products()) + list(projections())
    for board in sorted({row[1] for row in rows}):
        own = [row for row in rows if row[1] == board]
        times = predicted(board, {row[2] for row in own})
        for _, _, product, measured in (row for row in own if row[0] != "models"):
            kind, m, n, k = product
            print(f"| {board} | {kind} {m}x{n}x{k} | {times[product]:.4g} | {measured:.4g} | {100 * (times[product] / measured - 1):+.0f} |")
        for tokens in sorted({row[2][2] for row in own if row[0] == "models"}):
            off = [times[p] / t - 1 for name, _, p, t in own if name == "models" and p[2] == tokens]
            print(f"| {board} | {len(off)} projections of {tokens} tokens, FP16 | | | mean of errors {100 * mean(off):+.0f}, of their size {100 * mean(map(abs, off)):.0f} |")


if __name__ == "__main__":
    main()
