# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The simulation with its shortcuts against `--exact`, on kernels drawn by a seed from our own listings, and the speed of `--exact`.

    python3 scripts/show/exact_kernels.py [SEED [COUNT]]      one line per kernel
"""
import random
import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from showing import ROOT, predict

FOLDERS = (ROOT / "tests" / "fixtures" / "listings", ROOT / "validation" / "kernels")
BOARDS = {"sm_35": "k40", "sm_52": "gtx980", "sm_61": "gtx1080", "sm_70": "v100-pcie-16", "sm_75": "t4", "sm_80": "a100-sxm-40",
          "sm_86": "rtx3090", "sm_90": "h100-pcie-80"}
# Arguments without which a kernel has no length; others need none.
ARGUMENTS = {"matmul_tiled": ("n=200",), "matmul_naive": ("n=128",), "matmul_registers": ("n=256",), "fma_chain": ("turns=20",),
             "fma_chains": ("turns=20",), "reduction": ("n=1000000",), "triad": ("n=500000",), "triad_double": ("n=500000",),
             "saxpy2": ("n=100000", "a=20"), "divergent": ("n=64",), "constant_memory": ("n=50000", "radius=5"),
             "nested_loops": ("outer=9", "inner=5"), "unrolled_loop": ("n=100",), "triangular_loop": ("n=50",),
             "matrix_unit": ("n=256",), "asynchronous_copy": ("tiles=32",), "atomics_histogram": ("n=200000",)}
NEAR = 0.02              # relative: as near as the default has to be
MOST_INSTRUCTIONS = 4e6  # warp instructions of the whole grid: seconds with --exact
FAST = 5e6               # warp instructions/s and core that --exact shall reach


def ask(listing, gpu, shape, *more):
    """Milliseconds and the simulation's numbers; processor seconds of the whole process, instructions of the grid."""
    arguments = [a for text in ARGUMENTS.get(listing.name.split(".")[0], ()) for a in ("--arg", text)]
    begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    result = predict(listing, "--gpu", gpu, "--grid", shape[0], "--block", shape[1], *arguments, "--model", "sim", *more)
    numbers = next(m for m in result["models"] if m["name"] == "sim")["numbers"]
    return {"ms": result["time_ms"], "seconds": resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin, "grid": result["profile"]["warp_instructions"], **numbers}


def shape_of(listing, draw):
    if listing.name.startswith("mat"):
        side = draw.choice((8, 16, 24))
        return f"{side},{side}", "16,16"
    return draw.choice((100, 300, 1000, 2000)), draw.choice((64, 128, 256))


def drawn(seed=22, count=20):
    """Launches that are answered and that `--exact` gets through in seconds, with the default's answer."""
    draw = random.Random(seed)
    pool = sorted(p for folder in FOLDERS for p in folder.glob("*.sass"))
    launches = []
    while pool and len(launches) < count:
        listing = pool.pop(draw.randrange(len(pool)))
        gpu = BOARDS.get(listing.name.split(".")[1]) if listing.name.count(".") > 1 else "v100-pcie-16"
        shape = shape_of(listing, draw)
        if gpu is None:
            continue
        try:
            quick = ask(listing, gpu, shape)
        except (RuntimeError, KeyError, StopIteration):
            continue  # several kernels, or arguments that nobody gave
        if quick["grid"] < MOST_INSTRUCTIONS:
            launches.append((listing, gpu, shape, quick))
    return launches


def compared(seed=22, count=20):
    """Of each drawn launch: its name, how far the default is from `--exact`, relative, and the latter's numbers."""
    for listing, gpu, shape, quick in drawn(seed, count):
        exact = ask(listing, gpu, shape, "--exact")
        yield f"{listing.name} on {gpu}, {shape[0]} x {shape[1]}", quick["ms"] / exact["ms"] - 1, exact


def speed(repeats=3):
    """Warp instructions per second of `--exact`, without what the same launch costs with shortcuts."""
    listing, shape = FOLDERS[0] / "matmul_tiled.sm_80.sass", ("24,24", "16,16")
    best = 0
    for _ in range(repeats):
        exact, quick = (ask(listing, "a100-sxm-40", shape, *more) for more in (("--exact",), ()))
        best = max(best, exact["simulated_instructions"] / max(1e-3, exact["seconds"] - quick["seconds"]))
    return best


def exact_simulation():
    """The line of scripts/show/house."""
    apart = [(off, name) for name, off, _ in compared()]
    near = sum(abs(off) <= NEAR for off, _ in apart)
    rate = speed()
    worst = max(apart, key=lambda a: abs(a[0]))
    return near == len(apart) == 20 and rate >= FAST, (
        f"{rate / 1e6:.1f} M/s; {near} of {len(apart)} within {NEAR:.0%}; worst {worst[0]:+.1%} ({worst[1]})")


def main():
    seed, count = (int(a) for a in (sys.argv[1:] + ["22", "20"][len(sys.argv) - 1:])[:2])
    near = total = 0
    for name, off, exact in compared(seed, count):
        total, near = total + 1, near + (abs(off) <= NEAR)
        print(f"{off:+8.2%}  {exact['simulated_instructions'] / 1e3:8.0f} K  {name}", flush=True)
    print(f"{near} of {total} within {NEAR:.0%}")


if __name__ == "__main__":
    main()
