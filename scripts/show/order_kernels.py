# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels whose blocks have an order, differ or scatter their accesses, predicted beside what validation/order/expected.toml says of them
by hand, and beside what a measured board took.

    python3 scripts/show/order_kernels.py [WORD ..]      one line per kernel and board; only those that have one of the words
"""
import heapq
import itertools
import json
import math
import sys
import tempfile
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from showing import BUILD, ROOT, forewarp, run

FOLDER = ROOT / "validation" / "order"
EXPECTED = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
NEAR = 0.20
BUDGET = 2  # seconds: a table is no interactive answer
SAMPLES = (0.05, 0.5)  # seconds: only a part of an uneven grid can be executed; the usual budget


def greedy(workers, items):
    """When the last item ends if whoever is free first takes the next one."""
    free = [0.0] * workers
    for item in items:
        heapq.heappush(free, heapq.heappop(free) + item)
    return max(free)


def names_of(case, board):
    names = dict(EXPECTED["number"]) | dict(EXPECTED["board"][board])
    names |= {"A": names["L"] + 20, "poll": 1.5 * names["L"], "greedy": greedy}
    names |= {key: case[key][board] for key in ("us", "per_sm") if key in case}
    extents = [int(eval(extent, dict(names))) for extent in case["grid"].split(",")]
    names["blocks"] = math.prod(extents)
    grid = ",".join(map(str, extents))
    return names, grid


def rows(words=(), kind="case"):
    """Dictionaries with `ratio` (predicted over expected), `bound` (predicted over the bound) or `error`."""
    for case in EXPECTED[kind]:
        for board in case.get("boards", EXPECTED["board"]):
            title = f"{case['kernel']} {case['grid']} on {board}"
            if words and not any(word in title for word in words):
                continue
            names, grid = names_of(case, board)
            expected, bound = (eval(case[key], dict(names)) for key in ("cycles", "bound"))
            arguments = [text for arg in case["args"] for text in ("--arg", arg)]
            done = forewarp("predict", FOLDER / f"{case.get('file', 'blocks_in_order')}.sass", "--kernel", case["kernel"], "--gpu", board,
                            "--grid", grid, "--block", case["block"], "--clock", names["mhz"], "--budget", BUDGET, "--no-cache", *arguments,
                            "--format", "json", check=False)
            row = {"title": title, "expected_us": expected / names["mhz"], "bound_us": bound / names["mhz"]}
            if done.returncode:
                row["error"] = (done.stderr or done.stdout).strip().splitlines()[-1]
            else:
                result = json.loads(done.stdout)
                row |= {"us": 1e3 * result["time_ms"], "limit": result["limited_by"]["sentence"]}
                row |= {"ratio": row["us"] / row["expected_us"], "over_bound": row["us"] / row["bound_us"]}
            yield row


def uneven(words=()):
    """Like rows(), where the expected value is what the execution of all blocks gives."""
    for case in EXPECTED["uneven"]:
        title = f"{case['kernel']} {case['grid']}"
        if words and not any(word in title for word in words):
            continue
        asked = ["predict", FOLDER / "uneven_grids.sass", "--kernel", case["kernel"], "--gpu", "a40", "--grid", case["grid"], "--block", case["block"],
                 *(text for arg in case["args"] for text in ("--arg", arg)), "--no-cache", "--format", "json"]
        whole = json.loads(forewarp(*asked, "--sample", "all").stdout)
        for seconds in SAMPLES:
            part = json.loads(forewarp(*asked, "--budget", seconds).stdout)
            row = {"title": f"{title} in {seconds} s", "expected_us": 1e3 * whole["time_ms"], "us": 1e3 * part["time_ms"],
                   "limit": part["limited_by"]["sentence"]}
            yield row | {"ratio": row["us"] / row["expected_us"], "over_bound": math.inf}


def measured(words=(), kind="case"):
    """Like rows(), where the expected value is the time on the board that was measured."""
    board = EXPECTED["measured"]
    files = {"case": ("blocks_in_order", "grid_steps"), "uneven": ("uneven_grids",), "scattered": ("scattered",)}[kind]
    cases = []
    for suite in ("order", "places"):
        bench = run(BUILD / "tools" / "forewarp-bench" / "forewarp-bench", "cases", "--out", ROOT / "validation" / "boards" / board["board"] / suite,
                    "--tests", ROOT / "bench" / f"{suite}.toml")
        for case in map(json.loads, bench.stdout.splitlines()):
            title = f"{case['id']} on {board['gpu']}"
            chosen = not board[suite] or any(word in case["id"] for word in board[suite])
            if chosen and Path(case["input"]).stem in files and (not words or any(word in title for word in words)):
                cases.append(case | {"gpu": board["gpu"]})
    if not cases:
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.jsonl"
        file.write_text("".join(json.dumps(case) + "\n" for case in cases))
        done = forewarp("validate", file, "--budget", BUDGET, "--format", "json")
    for case, point in zip(cases, json.loads(done.stdout)["sets"][0]["points"], strict=True):
        assert point["id"].endswith(case["id"])
        row = {"title": f"{case['id']} on {board['gpu']}", "expected_us": 1e3 * case["measured_ms"]}
        if point["error"]:
            row["error"] = point["error"]
        else:
            row |= {"us": 1e3 * point["predicted_ms"], "limit": point["limited_by"], "ratio": point["predicted_ms"] / case["measured_ms"],
                    "over_bound": math.inf}
        yield row


def kernel_of(row):
    return row["title"].replace("/", " ").split()[0]


def table(words=(), kind="case"):
    """All rows, printed; those that are wrong."""
    wrong, all_rows = [], []
    by_hand = uneven(words) if kind == "uneven" else rows(words, kind)
    for row in itertools.chain(by_hand, measured(words, kind)):
        all_rows.append(row)
        if "error" in row:
            print(f"   -   {row['title']:44} expected {row['expected_us']:10.2f} us  {row['error']}", flush=True)
        else:
            bound = "" if math.isinf(row["over_bound"]) else f", {row['over_bound']:.2f} of its bound"
            print(f"{row['ratio']:6.3f}  {row['title']:44} expected {row['expected_us']:10.2f} us, predicted {row['us']:10.2f}{bound}  "
                  f"{row['limit'][:90]}", flush=True)
        if "error" in row or abs(row["ratio"] - 1) > NEAR or row["over_bound"] < 1:
            wrong.append(row)
    return all_rows, wrong


if __name__ == "__main__":
    everything, bad = [], []
    for kind in ("case", "uneven", "scattered"):
        its, wrong = table(sys.argv[1:], kind)
        everything, bad = everything + its, bad + wrong
    print(f"{len(everything) - len(bad)} of {len(everything)} within {100 * NEAR:.0f} % and above their bounds")
    sys.exit(1 if bad else 0)
