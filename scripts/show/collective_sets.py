# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Collectives beside machines that others measured: machines, rows by size, and how far predictions are off."""
import csv
import json
import os
import statistics
from collections import defaultdict
from pathlib import Path

from showing import Skip, forewarp

# What the set's machines are, as `forewarp collective` is told. A host that records launches gives its ranks their
# kernels one each so many us; a collective that is shorter than that lasts, as its first rank sees it, up to so long:
# the others are not there yet. That figure is the level of each machine's smallest all-reduces, over which the set's
# times do not go until sizes matter.
MACHINES = {
    "a100_dgx": {"gpu": "a100-sxm-80", "fabric": "nvlink-3", "switch": "plain", "launch_us": 62, "network": 6.0, "adapters": 4},
    "a100_pairwise_nvlink": {"gpu": "a100-pcie-80", "fabric": "nvlink-3", "switch": "none", "launch_us": 60, "network": 7.7, "adapters": 1},
    "h100_pairwise_nvlink": {"gpu": "h100-pcie-80", "fabric": "nvlink-4-x12", "switch": "none", "launch_us": 29, "network": 7.7, "adapters": 1},
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
             "--switch", switch, "--network-gbs", what["network"], "--adapters", what["adapters"], "--bytes", ",".join(map(str, sizes)),
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
