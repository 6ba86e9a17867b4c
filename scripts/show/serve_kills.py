#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Kills a server in the middle of 50 jobs and looks at what the next one knows: serve_kills.py TOOL. Exits 1 at a fault."""
import signal
import sys
import tempfile
import time
from pathlib import Path

from serving import Server, saxpy2, told

JOBS = 50


def main():
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "serve.db"
        first = Server(sys.argv[1], store=store)
        jobs = [first.json("POST", "/jobs", {"kind": "predict", **saxpy2(grid=500 + i), "detail": "full"}) for i in range(JOBS)]
        until = time.time() + 60
        while time.time() < until and sum(j["state"] == "done" for j in first.json("GET", "/jobs")) < 10:
            time.sleep(0.02)
        done = {j["run"] for j in first.json("GET", "/jobs") if j["state"] == "done"}
        first.end(signal.SIGKILL)
        with Server(sys.argv[1], store=store) as second:
            runs = {run["run"]: run for run in second.json("GET", "/results")}
            for job in jobs:
                run = runs.get(job["run"])
                if run is None:
                    faults.append(f"run {job['run']} is not in the history")
                    continue
                kept = second.json("GET", f"/results/{job['run']}")["records"]
                if job["run"] in done and (run["state"] != "done" or len(kept) != 1 or not kept[0].get("time_ms")):
                    faults.append(f"run {job['run']} was done; now {run['state']} with {len(kept)} records")
                if run["state"] not in ("done", "unfinished"):
                    faults.append(f"run {job['run']} is {run['state']}")
                if (run["state"] == "done") != (len(kept) == 1):
                    faults.append(f"run {job['run']} is {run['state']} with {len(kept)} records")
            states = [run["state"] for run in runs.values()]
            if "unfinished" not in states:
                faults.append("none was cut off: killed too late")
    return told(faults, f"{len(jobs)} jobs: {states.count('done')} done, {states.count('unfinished')} unfinished")


if __name__ == "__main__":
    sys.exit(main())
