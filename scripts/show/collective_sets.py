# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Collectives beside machines that others measured: machines, rows by size, and how far predictions are off."""
import csv
import json
import os
import re
import statistics
from collections import defaultdict
from pathlib import Path

from showing import BUILD, ROOT, Skip, forewarp

# What the set's machines are, as `forewarp collective` is told. A host that records launches gives its ranks their
# kernels one each so many us; a collective that is shorter than that lasts, as its first rank sees it, up to so long:
# the others are not there yet. That figure is the level of each machine's smallest all-reduces, over which the set's
# times do not go until sizes matter.
MACHINES = {
    "a100_dgx": {"gpu": "a100-sxm-80", "fabric": "nvlink-3", "switch": "plain", "launch_us": 62, "network": 7.8, "nominal": "infiniband-hdr",
                 "adapters": 4},
    "a100_pairwise_nvlink": {"gpu": "a100-pcie-80", "fabric": "nvlink-3", "switch": "none", "launch_us": 60, "network": 7.7, "nominal": "roce-x1", "adapters": 1},
    "h100_pairwise_nvlink": {"gpu": "h100-pcie-80", "fabric": "nvlink-4-x12", "switch": "none", "launch_us": 29, "network": 7.7, "nominal": "roce-x1", "adapters": 1},
}
# Four GPUs of the machines with pairs have no NVLink between pairs.
WITHOUT_NVLINK = {"a100_pairwise_nvlink": "pcie-4", "h100_pairwise_nvlink": "pcie-5"}
SMALL = 1 << 20  # bytes: below, latency decides


def measured():
    folder = os.environ.get("MEASURED_SETS")
    if not folder or not (Path(folder) / "collectives_dev.csv").exists():
        raise Skip("collectives_dev.csv is not here: MEASURED_SETS")
    rows = defaultdict(list)
    with open(Path(folder) / "collectives_dev.csv", newline="", encoding="ascii") as file:
        for row in csv.DictReader(file):
            key = row["machine"], row["collective"], int(row["ranks"]), int(row["ranks_per_node"])
            rows[key].append((int(row["bytes"]), float(row["median_us"])))
    return {key: sorted(values) for key, values in rows.items()}


def predicted(key, sizes, *more):
    machine, collective, ranks, per_node = key
    what = MACHINES[machine]
    fabric = WITHOUT_NVLINK[machine] if ranks == 4 and machine in WITHOUT_NVLINK else what["fabric"]
    switch = what["switch"] if fabric == what["fabric"] else "none"
    kind = "send" if collective == "send_recv" else collective
    words = ["collective", kind, "--gpu", what["gpu"], "--ranks", ranks, "--nodes", ranks // per_node, "--fabric", fabric,
             "--switch", switch, "--network", what["nominal"], "--network-gbs", what["network"], "--adapters", what["adapters"], "--bytes", ",".join(map(str, sizes)),
             "--format", "json", *more]
    return json.loads(forewarp(*words).stdout)["sizes"]


def copied(rows):
    """Keys whose times are those of another machine, each to the digit: a copy, no measurement."""
    seen, copies = {}, set()
    for key, values in rows.items():
        text = str(values)
        if text in seen:
            copies.add(key)
        seen.setdefault(text, key)
    return copies


def smoothest(values):
    """Error that the nearest curve of sizes that never falls would have: what no function of the size can undercut by much."""
    blocks = []
    for _, us in values:
        blocks.append([us])
        while len(blocks) > 1 and statistics.median(blocks[-2]) > statistics.median(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    fit = [statistics.median(block) for block in blocks for _ in block]
    return statistics.mean(abs(f - us) / us for f, (_, us) in zip(fit, values))


def compared():
    """(key, bytes, measured us, predicted row, launch us) of all rows that are measurements."""
    rows = measured()
    out = []
    for key, values in rows.items():
        if key in copied(rows):
            continue
        for (size, us), row in zip(values, predicted(key, [size for size, _ in values])):
            out.append((key, size, us, row, MACHINES[key[0]]["launch_us"] if key[1] == "all_reduce" else 0))
    return out


def error(us, row, launch):
    """Relative; where launches last longer than the collective, to the nearest of what it may then seem to last."""
    most = max(row["time_us"], launch)
    return abs(min(max(us, row["time_us"]), most) - us) / us


TABLES = ROOT / "data" / "collectives" / "nccl.toml"
GENERATIONS = {"a100_dgx": "ampere", "a100_pairwise_nvlink": "ampere", "h100_pairwise_nvlink": "hopper"}


def fitted(rows):
    """Times of the tables' latency, and share of their bandwidth: least squares of relative errors."""
    aa = ab = bb = at = bt = 0.0
    for us, latency, transfer in rows:
        a, b = latency / us, transfer / us
        aa, ab, bb, at, bt = aa + a * a, ab + a * b, bb + b * b, at + a, bt + b
    slope = aa * bb - ab * ab
    return (at * bb - bt * ab) / slope, slope / (bt * aa - at * ab)


def changed_list(text, section, name, at, value):
    """The tables with one number of a list replaced."""
    begin = text.index(f"{name} = {{ value = [", text.index(f"[reached.{section}]"))
    first = text.index("[", begin) + 1
    last = text.index("]", first)
    numbers = text[first:last].split(", ")
    numbers[at] = f"{value:.6g}"
    return text[:first] + ", ".join(numbers) + text[last:]


def left_out(machine):
    """Tables whose reached numbers over NVLink and PCIe were fitted without a machine: on the others of its generation, else on all others."""
    plain = re.sub(r"(\n(?:latency|share) = { value = )\[[^\]]*\](?=[^\n]*)", lambda m: m.group(1) + "[1.0, 1.0, 1.0]", TABLES.read_text())
    tables = BUILD / "left_out.tmp.toml"
    tables.write_text(plain)
    rows, found = measured(), defaultdict(list)
    for key, values in rows.items():
        if key[1] != "all_reduce" or key[2] != key[3] or key[0] == machine:
            continue
        launch = MACHINES[key[0]]["launch_us"]
        by = "pcie" if key[2] == 4 and key[0] in WITHOUT_NVLINK else "nvlink"
        for (size, us), row in zip(values, predicted(key, [size for size, _ in values], "--tables", tables)):
            if us > 1.1 * launch:  # not hidden by launches
                found[GENERATIONS[key[0]], by, row["protocol"]].append((us, row["startup_us"] + row["latency_us"], row["transfer_us"]))
    text = TABLES.read_text()
    own = GENERATIONS[machine]
    for by in ("nvlink", "pcie"):
        for at, protocol in enumerate(("LL", "LL128", "Simple")):
            points = found.get((own, by, protocol)) or [p for (g, b, q), ps in found.items() if (b, q) == (by, protocol) for p in ps]
            if protocol != "LL" and len(points) > 3:
                latency, share = fitted(points)
                text = changed_list(text, f"{own}.{by}", "latency", at, latency)
                text = changed_list(text, f"{own}.{by}", "share", at, share)
    tables.write_text(text)
    return tables


def compared_left_out(machine):
    """As compared(), of one machine's collectives within a node, by tables that were fitted without it."""
    rows, tables, out = measured(), left_out(machine), []
    for key, values in rows.items():
        if key[0] != machine or key[1] != "all_reduce" or key[2] != key[3]:
            continue
        for (size, us), row in zip(values, predicted(key, [size for size, _ in values], "--tables", tables)):
            out.append((key, size, us, row, MACHINES[machine]["launch_us"]))
    return out
