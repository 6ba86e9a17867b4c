# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Units of Hopper one at a time: what HPMLL/NVIDIA-Hopper-Benchmark measured on an H800 PCIe, and predictions of kernels of our own."""
import functools
import json
import math
import re

from showing import ROOT, forewarp

LISTING = ROOT / "validation" / "kernels" / "hopper_units.sass"
PAIRS = LISTING.with_name("dpx_pairs.sass")  # 32-bit DPX operations as two instructions each, by CUDA 11.8: those that were measured
BOARD = ("--gpu", "h100-pcie-80", "--clock", "1755")  # of the H800 PCIe: SMs, clock, L2 and memory
COPIED = 1 << 28  # bytes of an array that is copied once; the measured ones were 4 GiB, which takes as long per byte


def predicted(kernel, grid, block, arguments, *more, listing=LISTING):
    words = [word for i, a in enumerate(arguments) for word in ("--arg", f"{i}={a}")]
    done = forewarp("predict", listing, "--kernel", kernel, *BOARD, "--grid", grid, "--block", block, *words, "--model", "sim", "--format", "json", *more)
    return json.loads(done.stdout)["time_ms"]


def cycles_each(kernel, grid, block, arguments_of, few, many, *more, listing=LISTING):
    """Cycles of one more of what a kernel does so many times."""
    times = [predicted(kernel, grid, block, arguments_of(n), *more, listing=listing) for n in (few, many)]
    return (times[1] - times[0]) * 1.755e6 / (many - few)


def gib_per_second(row):
    blocks, sides = row["blocks_or_case"], [int(n) for n in re.findall(r"= (\d+)", row["detail"])]
    if row["what"] == "tma_throughput_bulk":
        size = int(row["size_kb"]) * 1024
        kernel, source = f"copies_of_rows_{row['size_kb']}", f"buffer:{COPIED}"
    else:
        size, box = 4 * math.prod(sides), "x".join(map(str, sides))
        whole = "x".join(["32768"] * 2 if len(sides) == 2 else ["1024"] * 3)
        kernel, source = f"copies_of_boxes_{box}", f"tensor:f32:{whole}:box={box}"
    time = predicted(kernel, blocks, 1, [source, f"i32:{COPIED // size}"])
    return COPIED // size * size / time * 1e3 / 2**30


def copy_latency(row):
    """None where a part of the footprint lies in L2, and a part does not."""
    kilobytes = float(row["size_kb"])
    if 18000 < kilobytes < 200000:
        return None
    ring = 1 << (int(kilobytes * 1024).bit_length() - 1)
    step = ring // 64 + 128 if kilobytes > 200000 else min(4224, ring // 4 + 32)
    return cycles_each("chain_of_copies", 1, 1, lambda n: [f"buffer:{2 * ring}:zeros", f"u32:{step}", f"u32:{ring}", f"i32:{n}"], 2048, 4096,
                       *(["--warm"] if kilobytes < 18000 else []))


@functools.cache
def remote_latency(cluster, here, there):
    return cycles_each("chain_in_cluster", cluster, 1, lambda n: [f"i32:{here}", f"i32:{there}", f"i32:{n}", "buffer:4"], 512, 1024, "--cluster", cluster)


def cluster_latency(row):
    here, there = map(int, re.match(r"(\d+)->(\d+)", row["detail"]).groups())
    cluster = int(row["blocks_or_case"])
    # By rank the tool makes no difference: the ends and a middle one show it.
    return remote_latency(min(cluster, 8), min(here, 1), min(there, 7)) if cluster <= 8 else None


OPERATIONS = {"viaddmax_s32": "dpx_pair_add_max", "viaddmax_s16x2": "dpx_add_max_halves", "vimax3_s32": "dpx_pair_max3", "vimax3_s16x2": "dpx_max3_halves"}


def dpx(row):
    name, _, kind = row["blocks_or_case"].rpartition("_")
    operation = OPERATIONS.get(name)
    if operation is None or name.endswith("global"):
        return None
    pair = operation.startswith("dpx_pair")
    listing = PAIRS if pair else LISTING

    def arguments(n):
        return [*(["buffer:4096"] if pair else ["i32:3", "i32:5"]), f"i32:{n}", "buffer:1048576"]
    if kind == "lat":
        return cycles_each(operation, 1, 1, arguments, 64, 128, listing=listing) / 32
    cycles = cycles_each(operation + "_stream", 1, 1024, arguments, 64, 128, listing=listing)
    return 1024 * 32 / cycles


TABLES = {"tma_throughput_bulk": gib_per_second, "tma_throughput_2d": gib_per_second, "tma_throughput_3d": gib_per_second,
          "tma_load_latency": copy_latency, "dsm_latency": cluster_latency, "dpx": dpx}


def compared(rows, table):
    """Pairs of a row and its prediction."""
    return [(row, value) for row in rows if row["what"] == table and (value := TABLES[table](row)) is not None]
