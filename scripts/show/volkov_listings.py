# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Listings of Volkov 2016 by hand: each check asks `tool`, which takes words and gives what is printed, and returns whether it holds, and its figures."""
import json
from pathlib import Path

LISTINGS = Path(__file__).resolve().parents[2] / "tests" / "fixtures" / "listings"
BASIC = [x for o in ("contention=off", "path=off", "smooth=0", "waves=off", "turnaround=off")
         for x in ("--option", "volkov." + o)] + ["--static"]  # the sheets take every load to device memory


def near(value, wanted, tolerance):
    return abs(value - wanted) <= tolerance * max(1.0, abs(wanted))


def numbers(result):
    return result["models"][0]["numbers"]


def volkov(tool, listing, gpu, *options):
    return json.loads(tool("predict", LISTINGS / listing, "--gpu", gpu, "--grid", 1_000_000, "--block", 256, "--model", "volkov", *BASIC, *options,
                           "--format", "json"))


def vector_add(tool):
    n = numbers(volkov(tool, "volkov2016-vadd-sm30.sass", "gtx680@volkov"))
    figure = (f"{n['latency_bound']:.0f} cycles, min({n['memory_gbs_per_warp']:.2f} n, {n['memory_peak_gbs']:.0f}) GB/s")
    low = numbers(volkov(tool, "volkov2016-vadd-sm30.sass", "gtx680@volkov", "--option", "volkov.occupancy=10"))
    return (n["latency_bound"] == 544 and near(n["memory_gbs_per_warp"], 6.35, 1e-3) and near(n["memory_peak_gbs"], 154, 1e-6)
            and near(n["memory_gbs"], 154, 1e-6) and near(low["memory_gbs"], 63.47, 1e-3)), figure


def worksheet(tool):
    # The listing has one S2R more than the worksheet: a quarter cycle of issue.
    result = volkov(tool, "volkov2016-worksheet.sass", "gtx980@volkov")
    bounds = {b["resource"]: b["cycles_per_warp"] for b in result["bounds"]}
    bounds["issue"] -= 0.25
    wanted = {"core": 25, "xu": 5, "shared": 30, "dram": 184.5, "issue": 36.25}
    figure = ", ".join(f"{k} {bounds.get(k, float('nan')):.2f}" for k in wanted)
    return all(abs(bounds.get(k, 1e9) - v) <= (0.2 if k == "dram" else 1e-9) for k, v in wanted.items()) and \
        result["limited_by"]["resource"] == "dram", figure


def issue_cycles(tool, listing, gpu, block=32):
    result = json.loads(tool("explain", LISTINGS / listing, "--gpu", gpu, "--grid", 1000, "--block", block, "--model", "volkov", *BASIC, "--format", "json"))
    return [line["issue_cycle"] for line in result["listing"] if line["issue_cycle"] is not None and line["issue_cycle"] >= 0]


def trace_w2(tool):
    c = issue_cycles(tool, "volkov2016-trace-w2.sass", "gtx680@volkov")
    return c[:5] == [0, 301, 325, 334, 343], f"issue at {c[:5]}"


def trace_w3(tool):
    adds = issue_cycles(tool, "volkov2016-trace-w3-adds.sass", "gtx480@volkov")[:7]
    stores = issue_cycles(tool, "volkov2016-trace-w3-stores.sass", "gtx480@volkov")[:7]
    loads = issue_cycles(tool, "volkov2016-trace-w3-loads.sass", "gtx480@volkov")[:7]
    holds = (adds == [0, 6, 12, 18, 24, 30, 36] and stores == [0, 34, 68, 102, 136, 170, 204] and
             loads == [0, 6, 12, 38, 44, 526, 534])
    return holds, f"adds {adds}, stores {stores}, loads {loads}"


def trace_w4(tool):
    c = issue_cycles(tool, "volkov2016-trace-w4.sass", "gtx480@volkov", 64)
    after = c[6] - c[2]  # from the branch to the instruction behind the barrier
    return after == 28 + 513 + 6 + 34, f"{after:.0f} cycles from branch to behind the barrier (580 printed, with a load of 512)"
