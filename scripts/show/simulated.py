# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The simulation against Volkov's synthetic kernels, against itself, and against the clock."""
import json
import os
import random
import re
import subprocess
import time

import showing
from showing import ROOT, TOOL, Skip, forewarp, predict, run

LISTINGS = ROOT / "tests" / "fixtures" / "listings"
GPUS = {"8800gtx": 1, "gtx280": 1, "gtx480": 2, "gtx680": 4, "gtx980": 4}
# Volkov 2016, Table 6.3, warps per scheduler for the peak; streams: for 90 % of it.
NEEDED = {"8800gtx": {"add": 5, "sfu": 2, "stream": 20}, "gtx280": {"add": 6, "sfu": 3, "stream": 16},
          "gtx480": {"add": 9, "sfu": 1.5, "shared": 6.5, "stream": 21},
          "gtx680": {"add": 9, "sfu": 3, "shared": 6, "stream": 14},
          "gtx980": {"add": 6, "sfu": 4, "shared": 8, "stream": 10}}
# Table 6.4: peak GB/s; warps per scheduler that Little's law asks for, and the share reached there; for 95 %.
STREAM = {"8800gtx": (74, 12, 0.75, 24), "gtx280": (138, 12, 0.84, 18), "gtx480": (161, 15.5, 0.80, 25),
          "gtx680": (154, 10, 0.78, 16), "gtx980": (211, 7.5, 0.80, 11.5)}
POINTS = {}


def points(gpu, model, workload, alpha, warps):
    """Model's points over warps per SM, asked once."""
    key = (gpu, model, workload, alpha, tuple(warps))
    if key not in POINTS:
        text = forewarp("evaluate", "--gpu", f"{gpu}@volkov", "--model", model, "--workload", workload, "--alpha",
                        alpha, "--warps", ",".join(str(w) for w in warps), "--points", "--format", "json").stdout
        POINTS[key] = json.loads(text)["series"][0]["points"]
    return POINTS[key]


def first_at(series, figure, wanted):
    """Fewest warps per SM with so much, between points on a line."""
    before = None
    for point in series:
        now = (point["warps"], point[figure])
        if now[1] >= wanted:
            if before is None or now[1] == before[1]:
                return now[0]
            return before[0] + (now[0] - before[0]) * (wanted - before[1]) / (now[1] - before[1])
        before = now
    return series[-1]["warps"] * 1.1


def distance(pairs):
    return sum(abs(found / real - 1) for found, real in pairs) / len(pairs)


def against_refined(rows):
    """Mean relative distance of both models from what was measured."""
    own, refined = distance([(a, c) for a, b, c in rows]), distance([(b, c) for a, b, c in rows])
    return own <= refined + 0.005, f"{len(rows)} figures: mean distance {100 * own:.1f} %, his refined model {100 * refined:.1f} %"


def streams(gpu, model):
    per = GPUS[gpu]
    most = int(28 * per) if per < 4 else 64
    return points(gpu, model, "memory", 0, range(per, most + 1, per))


def tables_6_3_and_6_4():
    rows = []
    for gpu, (peak, linear, reached, at95) in STREAM.items():
        both = [streams(gpu, m) for m in ("sim", "volkov-refined")]
        for share, real in ((0.90, NEEDED[gpu]["stream"]), (0.95, at95)):
            rows.append([first_at(s, "gbs", share * peak) / GPUS[gpu] for s in both] + [real])
        there = [points(gpu, m, "memory", 0, [round(linear * GPUS[gpu])])[0]["gbs"] / peak for m in ("sim", "volkov-refined")]
        rows.append(there + [reached])
        for unit in ("sfu", "shared"):
            if unit not in NEEDED[gpu]:
                continue
            found = []
            for model in ("sim", "volkov-refined"):
                series = points(gpu, model, unit, 0, range(1, 41))
                top = max(p["others_per_cycle"] for p in series)
                found.append(first_at(series, "others_per_cycle", 0.99 * top) / GPUS[gpu])
            rows.append(found + [NEEDED[gpu][unit]])
    return against_refined(rows)


def v11_to_v18():
    rows, notes = [], []

    def add(name, sim, refined, real):
        rows.append([sim, refined, real])
        notes.append(f"{name} {sim:.3g} ({refined:.3g}; {real:g})")

    for share, real in ((0.90, 40), (0.95, 46)):
        add(f"V11 {share:.0%}", *[first_at(streams("gtx980", m), "gbs", share * 211) for m in ("sim", "volkov-refined")], real)
    lds = [points("gtx980", m, "shared", 0, [24, 32]) for m in ("sim", "volkov-refined")]
    add("V12 at 24", *[p[0]["others_per_cycle"] for p in lds], 0.92)
    sfu = [points("gtx680", m, "sfu", 0, range(1, 17)) for m in ("sim", "volkov-refined")]
    add("V13 warps", *[first_at(p, "others_per_cycle", 0.999 * max(q["others_per_cycle"] for q in p)) for p in sfu], 12)
    add("V14", *[points("8800gtx", m, "memory", 0, [20])[0]["gbs"] / 74 for m in ("sim", "volkov-refined")], 0.94)
    add("V15", *[points("gtx480", m, "memory", 0, [48])[0]["gbs"] for m in ("sim", "volkov-refined")], 151)
    for gpu, (peak, linear, reached, _) in STREAM.items():
        add(f"V16 {gpu}", *[points(gpu, m, "memory", 0, [round(linear * GPUS[gpu])])[0]["gbs"] / peak for m in ("sim", "volkov-refined")], reached)
    add("V17", *[points("gtx680", m, "memory", 32, [64])[0]["additions_per_cycle"] for m in ("sim", "volkov-refined")], 89)
    add("V18", *[points("gtx980", m, "memory", 64, [64])[0]["additions_per_cycle"] for m in ("sim", "volkov-refined")], 126 / 1.12)
    holds, figure = against_refined(rows)
    return holds, f"{figure}; {', '.join(notes)}"


def gradual_saturation():
    """Requests that meet at banks by chance: below the two straight lines where these meet."""
    shares = []
    for gpu, (peak, linear, reached, _) in STREAM.items():
        at = round(linear * GPUS[gpu])
        by_banks = points(gpu, "sim:contention=banks", "memory", 0, [at])[0]["gbs"]
        straight = points(gpu, "sim:contention=off", "memory", 0, [at])[0]["gbs"]
        shares.append((gpu, by_banks / peak, straight / peak, reached))
    text = ", ".join(f"{g} {100 * b:.0f} % ({100 * s:.0f} % without; measured {100 * r:.0f} %)" for g, b, s, r in shares)
    return all(b < 0.9 < s for _, b, s, _ in shares), f"of the peak at Little's occupancy: {text}"


# ---- the simulation against itself ------------------------------------------------------------------

def sim(listing, gpu, grid, block, *more):
    started = time.perf_counter()
    result = predict(LISTINGS / listing, "--gpu", gpu, "--grid", grid, "--block", block, "--model", "sim", *more)
    numbers = next(m for m in result["models"] if m["name"] == "sim")["numbers"]
    return {"ms": result["time_ms"], "seconds": time.perf_counter() - started, **numbers}


def doubled():
    worst, told = 0, []
    for listing, gpu, waves, block, more in (
            ("matmul_tiled.sm_80.sass", "a100-sxm-40", 8, 256, ("--block", "16,16", "--arg", "3=512")),
            ("reduction_shared.sm_70.sass", "v100-pcie-16", 10, 256, ()),
            ("copy.sm_80.sass", "a100-sxm-40", 12, 256, ()),
            ("fma_chain.sm_80.sass", "a100-sxm-40", 9, 128, ("--arg", "turns=20"))):
        first = predict(LISTINGS / listing, "--gpu", gpu, "--grid", 1, "--block", more[1] if "--block" in more else block,
                        "--model", "sim", *(m for m in more if m not in ("--block", "16,16")))
        wave = first["occupancy"]["blocks_per_sm"] * sms(gpu)
        rest = tuple(m for m in more if m not in ("--block", "16,16"))
        shape = more[1] if "--block" in more else block
        once, twice = (sim(listing, gpu, n * wave * waves, shape, *rest)["ms"] for n in (1, 2))
        off = twice / once / 2 - 1
        worst = max(worst, abs(off))
        told.append(f"{listing.split('.')[0]} {100 * off:+.2f} %")
    return worst <= 0.02, ", ".join(told)


def sms(gpu):
    return int(re.search(r"(\d+) SMs", forewarp("gpu", "show", gpu).stdout).group(1))


def one_block_more():
    listing, gpu = "matmul_tiled.sm_80.sass", "a100-sxm-40"
    more = ("--arg", "3=512")
    wave = predict(LISTINGS / listing, "--gpu", gpu, "--grid", 1, "--block", "16,16", *more)["occupancy"]["blocks_per_sm"] * sms(gpu)
    full, next_, alone = (sim(listing, gpu, n, "16,16", *more)["ms"] for n in (2 * wave, 2 * wave + 1, 1))
    return next_ > full + 0.5 * alone, f"two waves {full * 1e3:.1f} us, one block more {next_ * 1e3:.1f} us, a block alone {alone * 1e3:.1f} us"


def random_kernels(count=20, seed=7):
    """Launches of our own listings that the full simulation gets through in seconds."""
    draw = random.Random(seed)
    boards = {"sm_70": "v100-pcie-16", "sm_80": "a100-sxm-40", "sm_90": "h100-pcie-80", "sm_52": "gtx980"}
    names = sorted(p.name for p in LISTINGS.glob("*.sass") if p.name.split(".")[1] in boards)
    launches = []
    while len(launches) < count and names:
        name = names.pop(draw.randrange(len(names)))
        gpu = boards[name.split(".")[1]]
        launch = (name, gpu, draw.choice((500, 1000, 2000, 3000)), draw.choice((64, 128, 256)))
        try:
            quick = sim(*launch)
        except RuntimeError:
            continue  # needs arguments, or another shape
        if quick["of_instructions"] < 3e7:
            launches.append((launch, quick))
    return launches


def shortcuts():
    apart = []
    for launch, quick in random_kernels():
        exact = sim(*launch, "--exact")
        apart.append((quick["ms"] / exact["ms"] - 1, f"{launch[0]} on {launch[2]} x {launch[3]}"))
    inside = sum(abs(a) <= 0.02 for a, _ in apart)
    worst = max(apart, key=lambda a: abs(a[0]))
    return inside == len(apart) == 20, f"{inside} of {len(apart)} within 2 %; worst {100 * worst[0]:+.1f} % ({worst[1]})"


def same_bits():
    cases = [{"id": str(i), "input": str(LISTINGS / "matmul_tiled.sm_80.sass"), "gpu": "a100-sxm-40", "grid": [g, g, 1],
              "block": [16, 16, 1], "args": {"3": 256}} for i, g in enumerate((4, 16, 40, 64))]
    file = showing.BUILD / "cases.timing.jsonl"
    file.write_text("".join(json.dumps(c) + "\n" for c in cases))
    outs = [forewarp("predict", "--cases", file, "--model", "sim", "-j", j, check=False).stdout for j in (1, 2, 8)]
    return len(set(outs)) == 1 and "error\": \"" not in outs[0], f"{len(cases)} launches with 1, 2 and 8 threads, {len(outs[0])} bytes"


# ---- and against the clock ---------------------------------------------------------------------------

def exact_speed():
    result = sim("matmul_tiled.sm_80.sass", "a100-sxm-40", "40,40", "16,16", "--arg", "3=640", "--exact")
    base = time.perf_counter()
    predict(LISTINGS / "matmul_tiled.sm_80.sass", "--gpu", "a100-sxm-40", "--grid", "40,40", "--block", "16,16", "--arg", "3=640")
    seconds = result["seconds"] - (time.perf_counter() - base)
    rate = result["simulated_instructions"] / seconds
    return rate >= 3e6, f"{rate / 1e6:.1f} M warp instructions/s ({result['simulated_instructions'] / 1e6:.0f} M, {seconds:.1f} s more than without)"


def fastest(check, repeats=5):
    return min(check()["seconds"] for _ in range(repeats))


def saxpy_speed():
    seconds = fastest(lambda: sim("saxpy.sm_80.sass", "a100-sxm-40", 4096, 256, "--arg", "0=1048576"))
    return seconds <= 0.2, f"{seconds:.3f} s, the whole process"


def small_matmul():
    seconds = fastest(lambda: sim("matmul_tiled.sm_80.sass", "a100-sxm-40", "16,16", "16,16", "--arg", "3=256"))
    return seconds <= 0.2, f"{seconds:.3f} s, the whole process"


def large_matmul():
    at = ("matmul_tiled.sm_80.sass", "a100-sxm-40", "256,256", "16,16", "--arg", "3=4096")
    usual, more = sim(*at), sim(*at, "--option", f"sim.sample={10_000_000}")
    off = usual["ms"] / more["ms"] - 1
    return usual["seconds"] <= 5 and abs(off) <= 0.02, (
        f"{usual['seconds']:.2f} s; {usual['simulated_instructions'] / 1e6:.1f} M instructions, {100 * off:+.2f} % "
        f"from {more['simulated_instructions'] / 1e6:.1f} M")


def peak_memory():
    command = [str(a) for a in (TOOL, "predict", LISTINGS / "matmul_tiled.sm_80.sass", "--gpu", "a100-sxm-80", "--grid",
                                "32,32", "--block", "16,16", "--arg", "3=512", "--model", "sim", "--exact", "--format", "json")]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    return status == 0 and usage.ru_maxrss <= 500_000, f"{usage.ru_maxrss / 1000:.0f} MB, every SM of an A100 with --exact"


# ---- measured sets -----------------------------------------------------------------------------------

def validated(name, out, *more):
    data = os.environ.get("MEASURED_SETS")
    if not data:
        raise Skip("MEASURED_SETS does not say where the measured sets are")
    command = [TOOL, "validate", ROOT / "validation" / "sets" / f"{name}.toml", "--data", data, "-q", *more]
    if "--rows" not in more:
        command += ["--rows", os.environ.get("ROWS", "60")]
    if name in ("convolution", "convolution17", "polygon", "coulomb"):
        sources = os.environ.get("TUNING_SOURCES")
        if not sources:
            raise Skip("TUNING_SOURCES does not say where the sources of the tuning sets are")
        command += ["--sources", sources]
    file = out / f"{name}{''.join(map(str, more)).replace('/', '_').replace('-', '_')}.json"
    run(*command, "--format", "json", "-o", file, "--journal", file.with_suffix(".journal"))
    return json.loads(file.read_text())["sets"][0]["lines"][0]


def of_set(name, goal, out, least_rank=0, most_regret=1):
    def check():
        own, before = validated(name, out, "--model", "sim"), validated(name, out)
        rank = own["spearman"] or 0
        holds = own["mape"] <= goal and rank >= least_rank and (own["regret_1"] or 0) <= most_regret and own["refused"] == 0
        return holds, (f"{100 * own['mape']:.2f} % on {own['points']} rows, bias {100 * own['bias']:+.2f} %, Spearman {rank:.3f}, "
                       f"top-1 regret {100 * (own['regret_1'] or 0):.1f} %; without the simulation {100 * before['mape']:.2f} %")
    return check


def other_sets(out):
    def check():
        told, worse = [], []
        rows = {"elementwise": 8, "stream": 8, "roofline": 8, "small": 8}  # with a budget caches are replayed at length
        for name in ("saxpy2_intensity", "saxpy2_large", "saxpy2_small", "saxpy2_occupancy", "saxpy3", "elementwise",
                     "stream", "roofline", "small", "convolution", "convolution17"):
            few = ("--rows", rows[name]) if name in rows else ()
            before, auto = validated(name, out, *few), validated(name, out, "--budget", "0.6", *few)
            own = validated(name, out, "--model", "sim", *few)
            told.append(f"{name} {100 * before['mape']:.1f} / {100 * auto['mape']:.1f} / {100 * own['mape']:.1f}")
            if auto["mape"] > before["mape"] + 0.0005:
                worse.append(name)
        return not worse, "auto / auto with a budget / sim alone, %: " + ", ".join(told)
    return check
