# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Public CUDA programs, built elsewhere, run with forewarp run."""
import csv
import json
import os
import re
import subprocess
import time
from collections import Counter
from pathlib import Path

from showing import ROOT, TOOL, Skip

LIMIT_S = 180


def read_list(path):
    """Rows (suite, folder, command, pattern); a line that begins with # is none. Further lines of a folder have smaller arguments."""
    rows = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            rows.append((line.split("\t") + ["", ""])[:4])
    return rows


class Public:
    """Runs each program of PROGRAMS once, at its first demand, and keeps what came of it in `out`."""

    def __init__(self, out):
        self.out = out
        self.done = {}
        self.gpu = os.environ.get("PROGRAMS_GPU", "gtx1080ti")

    def rows(self, suite=None):
        if "PROGRAMS" not in os.environ:
            raise Skip("PROGRAMS names no list of built programs")
        rows = [row for row in read_list(os.environ["PROGRAMS"]) if suite in (None, row[0])]
        if not rows:
            raise Skip(f"PROGRAMS has none of {suite}")
        return [self.run(row) for row in rows]

    def run(self, row):
        suite, folder, command, pattern = row
        key = (folder, command)
        if key in self.done:
            return self.done[key]
        before = sum(other == folder for other, _ in self.done)
        name = f"{suite}-{Path(folder).name}" + (f"-{before + 1}" if before else "")
        report, log = self.out / f"{name}.json", self.out / f"{name}.txt"
        report.unlink(missing_ok=True)
        begin = time.monotonic()
        with log.open("wb") as to:
            code = subprocess.run(
                [TOOL, "run", "--gpu", self.gpu, "--format", "json", "-o", report, "--limit", str(LIMIT_S), "--", "sh", "-c", command],
                cwd=folder, stdout=to, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False).returncode
        entry = {"suite": suite, "name": name, "own": before == 0, "code": code, "seconds": time.monotonic() - begin, "log": log}
        text = log.read_text(encoding="utf-8", errors="replace")
        processes = json.loads(report.read_text())["processes"] if report.exists() else []
        processes = [p for p in processes if p["launches"] or p["copies"]] or processes
        entry["report"] = bool(processes)
        computed = all(p["computed"] for p in processes)
        # By its own check a program may fail at its end where results are not computed.
        entry["ended"] = (code == 0 or not computed) and all(p["ended"] for p in processes) and bool(processes)
        entry["whole"] = entry["ended"] and computed
        entry["passes"] = None if not pattern else re.search(pattern, text) is not None
        messages = [m["text"] for p in processes for m in p["messages"] if m["kind"] in ("error", "unsupported", "no time")]
        entry["messages"] = messages
        entry["folder"] = Path(folder)
        entry["kernels"] = [kernel for p in processes for kernel in p["kernels"]]
        entry["cause"] = "" if entry["ended"] else (
            "time limit" if entry["seconds"] >= LIMIT_S - 1 else messages[0][:80] if messages else f"exit code {code}")
        self.done[key] = entry
        with (self.out / "public.tsv").open("a", encoding="utf-8") as table:
            table.write("\t".join(str(entry[k]) for k in ("name", "code", "ended", "whole", "passes", "seconds", "cause")) + "\n")
        return entry

    def own(self, suite=None):
        """The programs at their own arguments."""
        return [row for row in self.rows(suite) if row["own"]]

    def ended(self, suite):
        rows = self.own(suite)
        good = sum(r["ended"] for r in rows)
        slowest = max(rows, key=lambda r: r["seconds"])
        return good >= 0.75 * len(rows), (f"{good} of {len(rows)}; {sum(r['whole'] for r in rows)} executed whole; "
                                          f"{sum(r['report'] for r in rows)} with a report; slowest {slowest['name']} {slowest['seconds']:.0f} s")

    def whole(self):
        folders = {r["folder"] for r in self.rows()}
        own = {r["folder"] for r in self.own() if r["whole"]}
        good = {r["folder"] for r in self.rows() if r["whole"]}
        return len(good) >= 0.5 * len(folders), f"{len(good)} of {len(folders)}, {len(own)} of them at their own arguments"

    def verified(self):
        rows = [r for r in self.rows() if r["whole"] and r["passes"] is not None]
        bad = [r["name"] for r in rows if not r["passes"]]
        return len(bad) <= 0.03 * len(rows), f"{len(rows) - len(bad)} of {len(rows)} pass; not: {', '.join(bad) or 'none'}"

    def causes(self):
        causes = Counter(r["cause"] for r in self.own() if not r["ended"])
        return True, "; ".join(f"{n} {cause}" for cause, n in causes.most_common()) or "none"

    def published(self):
        """Kernels of PolyBench at their own size and block, where the measured set has them."""
        data = os.environ.get("MEASURED_SETS")
        if not data or not (Path(data) / "polybench_gtx1080ti.csv").exists():
            raise Skip("MEASURED_SETS has no polybench_gtx1080ti.csv")
        if self.gpu != "gtx1080ti":
            raise Skip("PROGRAMS_GPU is another board")
        measured = {}
        with (Path(data) / "polybench_gtx1080ti.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                measured[row["kernel"], row["n"], row["arg_bx"], row["arg_by"]] = float(row["measured_ms_median"])
        pairs = []
        for row in self.rows("polybench"):
            source = "".join(file.read_text(errors="replace") for file in sorted(row["folder"].glob("*.cu*")))
            source = source[max(source.find("ifdef STANDARD_DATASET"), 0):]  # the sizes that it takes unasked
            size = re.search(r"define\s+(?:NI|NX|N|M)\s+(\d+)", source)
            block = [re.search(rf"define\s+DIM_THREAD_BLOCK_{axis}\s+(\d+)", source) for axis in "XY"]
            if not size or None in block or not row["whole"]:
                continue
            at = (size.group(1), *(axis.group(1) for axis in block))
            for kernel in row["kernels"]:
                if (kernel["name"], *at) in measured:
                    pairs.append(f"{kernel['name']} (n {at[0]}, {at[1]}x{at[2]}) {kernel['mean_ms']:.3g} ms beside {measured[kernel['name'], *at]:.3g}")
        return bool(pairs), "; ".join(pairs) or "no program has a size and a block of the set"
