# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""How long a kernel takes, what limits it, and what was taken for granted."""
from pathlib import Path

import forewarp

listing = Path(__file__).resolve().parents[2] / "examples" / "saxpy2.sass"
kernel = forewarp.load(listing)
result = kernel.predict(gpu="gtx970", grid=1562500, block=256, args={"n": 400_000_000, "a": 128})

print(result)
print(f"{result.time_ms:.1f} ms, 90 % between {result.interval_ms[0]:.1f} and {result.interval_ms[1]:.1f} ms")
print(result.limited_by.sentence)
for bound in result.bounds[:3]:
    print(f"  {bound.label}: {bound.share:.0%} of the time")
for assumption in result.assumptions:
    print(f"  assumed: {assumption.text}")
print(result.report("text", views=["occupancy"]))

assert result.interval_ms[0] < result.time_ms < result.interval_ms[1]
assert result.occupancy.warps_per_sm == 64
