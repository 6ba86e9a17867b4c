# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""A roofline, an occupancy curve and a sweep as pictures: pictures.py [FOLDER]

Needs: Matplotlib
"""
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import forewarp
import forewarp.plot

listing = Path(__file__).resolve().parents[2] / "examples" / "saxpy2.sass"
folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
launch = forewarp.load(listing).launch("gtx970", grid=15625, block=256, args={"n": 4_000_000, "a": 16})

figure, (first, second, third) = plt.subplots(1, 3, figsize=(15, 4))
passes = [1, 16, 256]
forewarp.plot.roofline([launch.but(args={"n": 4_000_000, "a": a}).predict() for a in passes], axes=first, labels=[f"a = {a}" for a in passes])
forewarp.plot.occupancy("gtx970", "block", regs=64, axes=second)
forewarp.plot.sweep(launch.sweep({"a": [1, 2, 4, 8, 16, 32]}), "a", axes=third)
figure.tight_layout()
figure.savefig(folder / "saxpy2.png")
print(folder / "saxpy2.png")

assert (folder / "saxpy2.png").stat().st_size > 10_000
