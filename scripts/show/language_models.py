# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Parts of language models beside machines that others measured: cases, and how far predictions are off."""
import csv
import math
import os
from pathlib import Path

from showing import ROOT, Skip, predict_many

KERNELS = str(ROOT / "validation" / "kernels" / "language_model.sass")
GPUS = {"a100": "a100-sxm-80", "a40": "a40"}
SMS = {"a100": 108, "a40": 84}
HEAD = {"Llama-2-7b-hf": 128, "Llama-2-70b-hf": 128, "phi-2": 80}
FEW = 16  # up to so many rows the framework takes one after the other
PARTS = {"add": "elementwise", "mlp_act": "elementwise", "input_layernorm": "normalisation", "post_attention_layernorm": "normalisation",
         "attn_rope": "attention", "emb": "embedding"}
ROUNDED_US = 0.5  # times are whole microseconds


def measured():
    folder = os.environ.get("MEASURED_SETS")
    if not folder or not (Path(folder) / "llm_parts_dev.csv").exists():
        raise Skip("llm_parts_dev.csv is not here: MEASURED_SETS")
    with open(Path(folder) / "llm_parts_dev.csv", newline="", encoding="ascii") as file:
        return list(csv.DictReader(file))


def case(kernel, gpu, grid, block, *args):
    return {"input": KERNELS, "kernel": kernel, "gpu": gpu, "grid": int(grid), "block": int(block),
            "args": {str(i): arg for i, arg in enumerate(args)}, "timing": "device"}


def buffer(count, size=2):
    return {"buffer": int(count) * size}


def case_of(row):
    """The launch of a row of the table; None: a product of the vendor's, or a normalisation that no kernel here stands for."""
    gpu, op, tokens, hidden = GPUS[row["gpu"]], row["op"], int(row["tokens"]), int(row["n_embd"])
    slices, width = int(row["tensor_parallel"]), int(row["n_expanded"])
    head, is_phi = HEAD[row["model"]], row["model"] == "phi-2"
    if op == "add":
        quads = tokens * hidden // 4
        return case("add_half", gpu, math.ceil(quads / 128), 128, *[buffer(quads, 8)] * 3, quads)
    if op in ("input_layernorm", "post_attention_layernorm"):
        if is_phi:
            return None
        return case("rms_norm", gpu, tokens, min(hidden, 1024), buffer(tokens * hidden), buffer(tokens * hidden), buffer(hidden), 1e-5,
                    tokens, hidden)
    if op == "mlp_act":
        own = width // slices
        if is_phi:
            quads = tokens * own // 4
            return case("gelu_half", gpu, math.ceil(quads / 128), 128, buffer(quads, 8), buffer(quads, 8), quads)
        return case("silu_and_mul", gpu, tokens, min(own, 1024), buffer(tokens * own), buffer(tokens * 2 * own), own)
    if op == "attn_rope":
        heads, kv = int(row["n_head"]) // slices, max(1, int(row["n_kv_head"]) // slices)
        stride = (heads + 2 * kv) * head
        return case("rotary_embedding", gpu, tokens, min(heads * head // 2, 512), buffer(tokens, 8), buffer(tokens * stride),
                    buffer(tokens * stride), buffer(4096 * head), head, stride, stride, heads, kv, head)
    if op == "emb":
        total = tokens * hidden
        if tokens <= FEW:
            return case("select_few_rows", gpu, math.ceil(hidden / 128), 128, buffer(total), buffer(32000 * hidden), buffer(tokens, 8),
                        tokens, hidden)
        grid = min(math.ceil(total / 128), SMS[row["gpu"]] * 8)
        return case("select_rows", gpu, grid, 128, buffer(total), buffer(32000 * hidden), buffer(tokens, 8), total, hidden)
    return None


def launches_of(row):
    """How many times the kernel runs for one row: Phi adds what attention and the layer beside it give in two steps."""
    return 2 if row["op"] == "add" and row["model"] == "phi-2" else 1


def compared():
    """(row, measured us, predicted us) of every row that a kernel here stands for."""
    rows = [row for row in measured() if case_of(row)]
    results = predict_many([case_of(row) for row in rows])
    return [(row, float(row["median_us"]), launches_of(row) * result["time_ms"] * 1e3) for row, result in zip(rows, results) if not result.get("error")]


def error(us, predicted):
    """Relative, beyond what rounding to whole microseconds hides."""
    return max(0.0, abs(predicted - us) - ROUNDED_US) / us
