# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Every board file under data/gpus/ and every link file under data/links/ loads and passes the program's own check."""
import subprocess


def check_data(tree, forewarp):
    """Runs `forewarp gpu show` and `check`, or `forewarp link ..`, on each file."""
    faults = []
    for command, folder in (("gpu", "data/gpus"), ("link", "data/links")):
        files = tree.files(folder, suffixes={".toml"})
        if not files and command == "gpu":
            faults.append(f"{folder}: holds no board")
        for file in files:
            for verb in ("show", "check"):
                ran = subprocess.run([forewarp, command, verb, str(tree.root / file)],
                                     capture_output=True, text=True, check=False)
                if ran.returncode != 0:
                    reason = (ran.stderr or ran.stdout).strip().splitlines()
                    faults.append(f"{file}: {command} {verb}: {reason[0] if reason else ran.returncode}")
    return faults
