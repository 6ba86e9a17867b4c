# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Every board file under data/gpus/ loads and passes the program's own check."""
import subprocess


def check_data(tree, forewarp):
    """Runs `forewarp gpu show` and `forewarp gpu check` on each file."""
    faults = []
    boards = tree.files("data/gpus", suffixes={".toml"})
    if not boards:
        return ["data/gpus: holds no board"]
    for board in boards:
        for verb in ("show", "check"):
            ran = subprocess.run([forewarp, "gpu", verb, str(tree.root / board)],
                                 capture_output=True, text=True, check=False)
            if ran.returncode != 0:
                reason = (ran.stderr or ran.stdout).strip().splitlines()
                faults.append(f"{board}: gpu {verb}: {reason[0] if reason else ran.returncode}")
    return faults
