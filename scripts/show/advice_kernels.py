# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The kernels of examples/advise: a fault in each, and the same kernel mended by hand."""
import json

from everyday_kernels import needs_compiler
from showing import ROOT, forewarp

FOLDER = ROOT / "examples" / "advise"
BOARD = "rtx3090"

# File, launch, mended file, its launch (empty: the same), kind of edit that has to stand first, and its line (0: the launch).
FAULTS = [
    ("row_sums.cu", "--grid 64 --block 256 --arg m=buffer:64MB --arg sums=buffer:64KB --arg rows=16K --arg columns=1K",
     "row_sums_mended.cu", "", "coalescing", 9),
    ("tile_rows.cu", "--grid 4096 --block 32,8 --arg in=buffer:16MB --arg out=buffer:16MB --arg passes=256",
     "tile_rows_mended.cu", "", "bank-conflicts", 13),
    ("quads.cu", "--grid 4096 --block 256 --arg table=buffer:64KB --arg out=buffer:4MB --arg rounds=256",
     "quads_mended.cu", "", "vectors", 8),
    ("damped.cu", "--grid 4096 --block 256 --arg data=buffer:4MB --arg steps=256", "damped_mended.cu", "", "doubles", 8),
    ("spilled.cu", "--grid 4096 --block 256 --arg in=buffer:160MB --arg out=buffer:4MB --arg n=1M --arg rounds=64",
     "spilled_mended.cu", "", "local-memory", 11),
    ("small_blocks.cu", "--grid 512K --block 32 --arg x=buffer:64MB --arg y=buffer:64MB --arg n=16M",
     "small_blocks.cu", "--grid 64K --block 256 --arg x=buffer:64MB --arg y=buffer:64MB --arg n=16M", "block-size", 0),
]


def planted_faults():
    needs_compiler()
    wrong, shown = [], []
    for file, launch, mended, other, kind, line in FAULTS:
        done = forewarp("advise", FOLDER / file, "--gpu", BOARD, *launch.split(), "--format", "json", check=False)
        if done.returncode != 0:
            wrong.append(f"{file}: {done.stderr.strip()}")
            continue
        advice = json.loads(done.stdout)
        first = next(iter(advice["gains"]), None)
        really = json.loads(forewarp("predict", FOLDER / mended, "--gpu", BOARD, *(other or launch).split(), "--format", "json").stdout)["time_ms"]
        apart = first["time_ms"] / really - 1 if first else 1
        if first is None or first["kind"] != kind or first["line"] != line or abs(apart) > 0.10:
            wrong.append(f"{file}: {first and (first['kind'], first['line'], first['factor'])}, off by {100 * apart:.0f} %")
        else:
            shown.append(f"{file} {kind} line {line or '-'} {advice['time_ms'] / really:.2f}x, off by {100 * apart:+.1f} %")
    return not wrong, f"{len(shown)} of {len(FAULTS)}: {'; '.join(shown)}; wrong: {wrong or 'none'}"
