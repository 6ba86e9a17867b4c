# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The kernels of examples/everyday as people launch them, with the line of each that a hand count finds slowest."""
import json
import os
import re
import time
from pathlib import Path

from showing import ROOT, Skip, forewarp

FOLDER = ROOT / "examples" / "everyday"
BOARDS = ["gtx1080ti", "v100-pcie-16", "t4", "a100-pcie-40", "rtx3090", "h100-pcie-80"]
MATRIX = "--arg n=1024 --arg A=buffer:4MB --arg B=buffer:4MB --arg C=buffer:4MB"
PLANE = "--arg in=buffer:64MB --arg out=buffer:64MB --arg n=4096"
TRANSPOSE = f"--grid 128,128 --block 32,8 {PLANE}"
HISTOGRAM = "--grid 640 --block 256 --arg n=16M --arg data=buffer.u8:16MB:random:1:0:255 --arg bins=buffer.i32:1KB:zeros"

# File, kernel, oldest architecture, launch, and the lines of which one must be the slowest, with why.
KERNELS = [
    ("saxpy.cu", "saxpy<float>", 0, "--grid 64K --block 256 --arg n=16M --arg a=2 --arg x=buffer:64MB --arg y=buffer:64MB",
     {7}, "the only line that touches memory"),
    ("matmul.cu", "matmul", 0, f"--grid 64,64 --block 16,16 {MATRIX}", {19},
     "2 shared loads and an FMA, 16 times per tile, against 2 loads and 2 stores"),
    ("reduce.cu", "reduce", 0, "--grid 640 --block 256 --arg n=16M --arg in=buffer:64MB --arg out=buffer:4", {15},
     "reads all of the array; the rest runs once per block"),
    ("transpose.cu", "transpose_naive", 0, TRANSPOSE, {8}, "each store of a warp touches 32 sectors"),
    ("transpose.cu", "transpose_shared", 0, TRANSPOSE, {17, 23}, "the load from device memory, or 32 conflicts a read"),
    ("transpose.cu", "transpose_padded", 0, TRANSPOSE, {32, 38}, "the load and the store of all data"),
    ("histogram.cu", "histogram_global", 0, HISTOGRAM, {6}, "an atomic per byte"),
    ("histogram.cu", "histogram_shared", 0, HISTOGRAM, {15}, "an atomic per byte"),
    ("spmv.cu", "spmv", 0, "--grid 256 --block 256 --arg matrix.rows=64K --arg matrix.offsets=buffer.i32:256KB:file:{offsets} "
     "--arg matrix.columns=buffer.i32:4MB:file:{columns} --arg matrix.values=buffer:4MB --arg x=buffer:256KB --arg y=buffer:256KB",
     {15, 16}, "the loop over the row: its bounds and its gather"),
    ("stencil.cu", "stencil", 0, "--grid 128,512 --block 32,8 --arg width=4096 --arg height=4096 --arg k=0.1 --arg in=buffer:64MB --arg out=buffer:64MB",
     {10, 11}, "five loads and the store"),
    ("layernorm.cu", "layernorm", 0, "--grid 8192 --block 256 --arg columns=4096 --arg epsilon=1e-5 --arg in=buffer:128MB "
     "--arg out=buffer:128MB --arg gamma=buffer:16KB --arg beta=buffer:16KB", {19, 23, 28}, "a pass over the row"),
    ("wmma_gemm.cu", "wmma_gemm", 70, "--grid 16,64 --block 128,1 --arg m=1024 --arg n=1024 --arg k=1024 --arg a=buffer:2MB --arg b=buffer:2MB --arg c=buffer:4MB",
     {17, 18}, "fragments are loaded, each element from L1"),
    ("async_gemm.cu", "async_gemm", 80, f"--grid 32,32 --block 32,32 {MATRIX}", {28}, "2 shared loads and an FMA, 32 times per tile"),
    ("nbody.cu", "nbody", 0, "--grid 64 --block 256 --smem 4KB --arg n=16K --arg softening=0.01 --arg bodies=buffer:256KB --arg accelerations=buffer:192KB",
     set(range(13, 21)), "the loop over the tile's bodies"),
    ("bfs.cu", "bfs_level", 0, "--grid 256 --block 256 --arg n=64K --arg depth=1 --arg offsets=buffer.i32:256KB:file:{offsets} "
     "--arg neighbours=buffer.i32:4MB:file:{columns} --arg level=buffer.i32:256KB:random:1:-1:3 --arg changed=buffer.i32:4:zeros",
     {8, 9, 10, 11}, "the loop over a vertex' neighbours: scattered reads of level"),
]


def graph_files(folder):
    """64 K rows of 16 entries on average, in columns at random: offsets and columns as 32-bit numbers."""
    import array
    import random
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(1)
    offsets, columns = array.array("i", [0]), array.array("i")
    rows = 1 << 16
    for row in range(rows - 1):
        columns.extend(sorted(chance.randrange(rows) for _ in range(chance.randrange(4, 28))))
        offsets.append(len(columns))
    offsets.append(len(columns))
    columns.extend([0] * ((1 << 20) - len(columns)))
    files = {"offsets": folder / "offsets.bin", "columns": folder / "columns.bin"}
    files["offsets"].write_bytes(offsets[:rows + 1].tobytes()[:rows * 4])
    files["columns"].write_bytes(columns[:1 << 20].tobytes())
    return files


def words(launch, files):
    return launch.format(**files).split()


def needs_compiler():
    if not os.environ.get("CUDA_HOME"):
        raise Skip("CUDA_HOME names no toolkit")


def architecture(board):
    return int("".join(json.loads(forewarp("gpu", "show", board, "--format", "json").stdout)["cc"].split(".")))


def on_six_boards():
    needs_compiler()
    files = graph_files(ROOT / "build" / "show" / "everyday" / "graph")
    known, failed, worst = 0, [], 0
    architectures = {board: architecture(board) for board in BOARDS}
    for file, kernel, oldest, launch, _, _ in KERNELS:
        fitting = [board for board in BOARDS if architectures[board] >= oldest]
        begin = time.perf_counter()
        done = forewarp("predict", FOLDER / file, "--kernel", kernel, "--gpu", ",".join(fitting), *words(launch, files),
                        "--format", "jsonl", check=False)
        worst = max(worst, time.perf_counter() - begin)
        results = [json.loads(line) for line in done.stdout.splitlines()]
        known += sum(1 for r in results if r.get("time_ms"))
        failed += [f"{kernel} on {r['gpu']['id']}: {r['error']}" for r in results if r.get("error")]
        if not results:
            failed.append(f"{kernel}: {done.stderr.strip()}")
    return not failed, f"{known} predictions of {len(KERNELS)} kernels, longest command {worst:.1f} s; failed: {failed[:3] or 'none'}"


def slow_lines():
    needs_compiler()
    files = graph_files(ROOT / "build" / "show" / "everyday" / "graph")
    wrong, shown = [], []
    for file, kernel, _, launch, lines, _ in KERNELS:
        done = forewarp("explain", FOLDER / file, "--kernel", kernel, "--gpu", "rtx3090", *words(launch, files), "--format", "json", check=False)
        if done.returncode != 0:
            wrong.append(f"{kernel}: {done.stderr.strip()}")
            continue
        source = json.loads(done.stdout).get("source", [])
        slowest = max(source, key=lambda line: line["time_share"], default=None)
        if slowest is None or slowest["line"] not in lines:
            wrong.append(f"{kernel}: {slowest and slowest['line']} instead of {sorted(lines)}")
        else:
            shown.append(f"{kernel} {slowest['line']} ({100 * slowest['time_share']:.0f} %)")
    return not wrong, f"{len(shown)} of {len(KERNELS)}: {', '.join(shown)}; wrong: {wrong or 'none'}"


# Of each version: grid, block. Of each step: words of which the reasons must hold one, in the direction that was meant.
VERSIONS = [("64,64", "32,32"), ("64,64", "32,32"), ("64,64", "32,32"), ("32,32", "512"), ("16,16", "256"), ("16,16", "256"),
            ("16,16", "256"), ("16,16", "256")]
STEPS = [("coalesced", r"sectors loaded .* G ->"), ("tiles in shared memory", r"load_global -.*load_shared \+"),
         ("8 elements per thread", r"load_shared -"), ("8 x 8 elements per thread", r"load_shared -.*"),
         ("four numbers at a time", r"wavefronts of shared memory .* -> "), ("no bank twice", r"wavefronts of shared memory .* -> "),
         ("fetched ahead", r"latency moves it")]


def ladder():
    needs_compiler()
    file, texts, silent = FOLDER / "sgemm_ladder.cu", [], []
    common = "--gpu rtx3090 --arg n=2K --arg A=buffer:16MB --arg B=buffer:16MB --arg C=buffer:16MB".split()
    for step, (what, reason) in enumerate(STEPS):
        sides = []
        for side, version in (("--a", step), ("--b", step + 1)):
            grid, block = VERSIONS[version]
            sides += [side, f"kernel=sgemm{version + 1}", side, f"grid={grid}", side, f"block={block}"]
        done = forewarp("compare", file, file, *common, *sides)
        plain = " ".join(done.stdout.split())
        ratio = re.search(r"B is ([\d.]+)x (faster|slower)", plain)
        texts.append(f"{what} {ratio[1] if ratio else '?'}x")
        if not re.search(reason, plain[plain.find("why"):]):
            silent.append(what)
    return not silent, f"{', '.join(texts)}; not named: {', '.join(silent) or 'none'}"


def every_board(out):
    needs_compiler()
    saxpy = KERNELS[0]
    begin = time.perf_counter()
    done = forewarp("gpus", FOLDER / saxpy[0], "--kernel", saxpy[1], *words(saxpy[3], {}), "--format", "csv", check=False)
    first = time.perf_counter() - begin
    if done.returncode != 0:
        return False, done.stderr.strip()
    begin = time.perf_counter()
    forewarp("gpus", FOLDER / saxpy[0], "--kernel", saxpy[1], *words(saxpy[3], {}), "--format", "csv")
    again = time.perf_counter() - begin
    (out / "gpus.csv").write_text(done.stdout)
    rows = len(done.stdout.splitlines()) - 1
    return rows >= 95 and again <= 5, f"{rows} boards in {again:.1f} s, {first:.1f} s with compiling"
