# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Attention forward of a public repository (smallscientist1/cutlass-kernels, src/fmha-pipeline), measured and predicted.

A folder holds its kernels as VARIANT_QUERIES_KEYS.cubin, by the tile, compiled with CUTLASS 3.4.1 and CUDA 12.4.
"""
import json
import struct
from pathlib import Path

from showing import forewarp

HEADS, BATCH = 2048, 4  # elements of all heads of a row


def measured_rows(rows):
    """The launches that were repeated 1000 times: each second row; the others are single ones under the label of the one before."""
    found = {}
    for row in rows[1::2]:
        key = row["variant"], int(row["head_dim"]), int(row["block_queries"]), int(row["block_keys"]), int(row["accumulator_prec"])
        found.setdefault(key, (row, float(row["ms"])))
    return found


def parameter_hex(*words):
    return "hex:" + struct.pack(f"<{len(words)}i", *words).hex()


def array(head, rows, box, byte, name):
    """Rows of all heads, as four dimensions: element, row, head, batch."""
    kind = {1: "u8", 2: "f16"}[byte]
    heads = HEADS // head
    inner = min(head, 128 // byte)
    strides = HEADS * byte, head * byte, rows * HEADS * byte
    return (f"tensor:{kind}:{head}x{rows}x{heads}x{BATCH}:box={inner}x{box}x1x1:stride={'x'.join(map(str, strides))}"
            f":swizzle={inner * byte}B:then=01000000:{name}")  # a step along the elements: one coordinate


def predicted(folder, key, row, model="sim"):
    variant, head, tile_q, tile_k, precision = key
    cubin = Path(folder) / f"{variant}_{tile_q}_{tile_k}.cubin"
    kernels = json.loads(forewarp("analyze", cubin, "--format", "json").stdout)["kernels"]
    element = "6half_t" if precision == 1 else "12float_e4m3_t"
    names = [k["mangled"] for k in kernels if "fmhaForward" in k["mangled"] and f"IN7cutlass{element}E" in k["mangled"]
             and f"64x{head}x16_F32F16F16_RS" in k["mangled"]]
    byte = 2 if precision == 1 else 1
    queries, keys, heads = int(row["queries"]), int(row["keys"]), HEADS // head
    stages = 1 if variant.startswith("not") else 3
    layout = parameter_hex(queries, head, heads, BATCH, HEADS, 0, head, queries * HEADS)
    square = parameter_hex(queries, keys, heads, BATCH, keys, 0, keys * queries, heads * keys * queries)
    sums = parameter_hex(queries, heads, BATCH, queries, queries * heads)
    elements = queries * HEADS * BATCH
    narrow, wide, none = f"buffer:{elements * byte}", f"buffer:{elements * 2}", "hex:00"
    arguments = [narrow, array(head, queries, tile_q, byte, "0"), none, layout, none,
                 narrow, array(head, keys, tile_k, byte, "5"), none, layout, none,
                 "buffer:4096", none, square, none, f"i32:{keys // tile_k}",
                 wide, array(head, keys, tile_k, 2, "15"), none, layout, none, none,
                 wide, array(head, queries, tile_q, 2, "21"), none, layout, none,
                 "buffer:4096", "buffer:4096", sums, "f32:0.125"]
    both = stages * tile_k * head * (byte + 2)
    shared = tile_q * head * byte + max(both, tile_q * head * 2) + 256
    words = [word for i, a in enumerate(arguments) for word in ("--arg", f"{i}={a}")]
    done = forewarp("predict", cubin, "--kernel", names[0], "--gpu", "h100-sxm-80", "--clock", "1590", "--grid", f"{queries // tile_q},{heads},{BATCH}",
                    "--block", 256 if variant.endswith("cta256") else 128, "--smem", shared, *words, "--model", model, "--format", "json")
    return json.loads(done.stdout)
