# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Voudouris 2014 through the command line: his micro-benchmarks as assembly of ours, simulated and bounded."""
import json
import random
from concurrent.futures import ThreadPoolExecutor

import showing
from showing import forewarp, predict

GPU = "gtx470"
TABLE19 = {op: [30, 36, 42, 48, 54] for op in ("ADD", "MUL", "COS", "MAD")}
TABLE20 = {"ADD": [30, 48, 66, 84, 102], "MUL": [30, 48, 66, 84, 102], "COS": [30, 52, 74, 96, 118], "MAD": [30, 48, 66, 84, 102]}
TABLE21 = {pair: [36, 48, 60, 72] for pair in ("MUL ADD", "MAD ADD", "COS ADD")}
TABLE22 = {"MUL ADD": [48, 84, 120, 156], "MAD ADD": [48, 86, 122, 160], "COS ADD": [52, 92, 132, 172]}
ROWS = {"dep": 1, "ind": 78, "lds": 40, "sts": 9, "ld": 8, "st": 9}
COLUMNS = {"dep": 21, "ind": 57, "lds": 7, "sts": 3, "ld": 5, "st": 2}
STORE_PART = {"dep": 21, "ind": 16, "lds": 0, "sts": 0, "ld": 0, "st": 8}
# One scheduler of the SM, with every third of six warps on it: the other half of the SM does the same.
HALF_SM = ["--set", "hw.issue.schedulers=1"]
# The simulator that he compares with lets a warp issue in the very next slot.
SIX_CYCLE_RULE_OFF = ["--set", "hw.rules.default.ilp=2"]


def body(operations, count, dependent):
    lines = []
    for i in range(count):
        op = operations[i % len(operations)]
        sources = [f"R{10 + i}" if dependent else "R4", "R5", "R6"][:{"COS": 1, "MAD": 3}.get(op, 2)]
        lines.append(f"{op} R{11 + i}, {', '.join(sources)}")
    return lines


def clocked(lines):
    """The code between two readings of the clock, alone."""
    return "\n".join(["!Kernel measured", "S2R R0, SR_ClockLo", "SHL.W R1, R0, 0x1", *lines, "S2R R2, SR_ClockLo",
                      "SHL.W R3, R2, 0x1", "EXIT", "!EndKernel"]) + "\n"


def ask(source, *arguments, block=32):
    done = showing.run(showing.TOOL, "predict", "-", "--gpu", GPU, "--grid", 1, "--block", block, "--format", "json", *arguments,
                       input=source)
    return json.loads(done.stdout)


def simulated_clock(source):
    return ask(source, "--model", "sim")["clocks"][0]["used_cycles"]


def bounded_clock(source):
    regions = ask(source, "--wcet")["wcet"]["per_region"]
    return next(r["longest"] for r in regions if r["begin"] == 0 and r["end"] > 0)


def cells():
    """(table, column, operations, measured, source) of Tables 19 to 22."""
    for table, columns, dependent in ((19, TABLE19, False), (20, TABLE20, True), (21, TABLE21, False), (22, TABLE22, True)):
        for column, values in columns.items():
            for i, measured in enumerate(values):
                count = i + 1 if table < 21 else 2 * (i + 1)
                yield table, column, count, measured, clocked(body(column.split(), count, dependent))


def tables(numbers, tolerance):
    """Cells of these tables that the simulation misses by more than its column may."""
    with ThreadPoolExecutor(2) as pool:
        wanted = [c for c in cells() if c[0] in numbers]
        found = list(pool.map(lambda c: simulated_clock(c[4]), wanted))
    off = [f"Table {t} {column} {n}: {measured} is {ours:g}" for (t, column, n, measured, _), ours in zip(wanted, found)
           if abs(ours - measured) > tolerance.get((t, column), 0)]
    return not off, f"{len(wanted) - len(off)} of {len(wanted)} cells" + (f"; {off[0]}" if off else "")


def tables_19_to_21():
    return tables((19, 20, 21), {})


def table_22():
    return tables((22,), {(22, "MAD ADD"): 4})


def starts(source, warps, *arguments):
    issues = ask(source, "--model", "sim", "--option", "sim.timeline=1000", *arguments, block=32 * warps)["timeline"]
    return [[i["cycle"] for i in issues if i["warp"] == w][:6] for w in range(warps)]


def timelines():
    """Section 2.5: one warp, and three on a scheduler, each 2 cycles after the one before."""
    off = []
    for dependent, first in ((False, [0, 18, 24, 30, 36, 54]), (True, [0, 18, 24, 42, 48, 66])):
        source = clocked(body(["ADD"], 2, dependent))
        for warps, more in ((1, []), (3, HALF_SM)):
            wanted = [[t + 2 * w for t in first] for w in range(warps)]
            found = starts(source, warps, *more)
            if found != wanted:
                off.append(f"{warps} warps, dependent={dependent}: {found}")
    return not off, off[0] if off else "1 and 3 warps, with and without a dependence"


def best_to_worst():
    inside = []
    for counts, lds, latency, best, worst in ((ROWS, 41, 400, 3365, 4004), (COLUMNS, 7, 470, 3106, 3426)):
        values = showing.run(showing.TOOL, "model", "calc", "voudouris", "--gpu", GPU, "preset=h1", f"ld_worst={latency}",
                             *[f"{k}={v}" for k, v in (counts | {"lds": lds}).items()]).stdout
        found = {k: float(v) for k, v in map(str.split, values.splitlines())}
        inside.append(found["best_cycles"] <= best and worst <= found["worst_cycles"])
    return all(inside), f"{sum(inside)} of 2 kernels"


def bounds_hold():
    above, seen = [], 0
    for counts, measured in ((ROWS, 4004), (COLUMNS, 3426), (STORE_PART, 616 + 300)):
        text = forewarp("model", "calc", "wcet", "--gpu", GPU, *[f"{k}={v}" for k, v in counts.items()]).stdout
        bound = {k: float(v) for k, v in map(str.split, text.splitlines())}["cycles"]
        seen += 1
        above += [f"{measured} > {bound:g}"] if measured > bound else []
    with ThreadPoolExecutor(2) as pool:
        all_cells = list(cells())
        for cell, bound in zip(all_cells, pool.map(lambda c: bounded_clock(c[4]), all_cells)):
            seen += 1
            above += [f"Table {cell[0]} {cell[1]} {cell[2]}: {cell[3]} > {bound:g}"] if cell[3] > bound else []
    return not above, f"{seen - len(above)} of {seen} values" + (f"; {above[0]}" if above else "")
