# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Every combination of some values as one structured array."""
from pathlib import Path

import numpy as np

import forewarp

listing = Path(__file__).resolve().parents[2] / "examples" / "saxpy2.sass"
launch = forewarp.load(listing).launch("gtx970", threads=4_000_000, args={"n": 4_000_000, "a": 16})

table = launch.sweep({"block": [64, 128, 256, 512, 1024], "a": [1, 16, 256]})
print(table.dtype.names)
for row in table:
    print(f"block {row['block']:5}  a {row['a']:4}  {row['time_ms']:8.4f} ms  ({row['low_ms']:.4f} .. {row['high_ms']:.4f})  {row['limited_by']}")

best = table[np.argmin(np.where(table["a"] == 16, table["time_ms"], np.inf))]
print(f"a = 16 is fastest with blocks of {best['block']}")

# A thousand points and more take microseconds each: their counts follow from the analysis.
many = launch.but(block=256).sweep({"a": "1:2000:1"})
slope = np.polyfit(many["a"][1000:], many["time_ms"][1000:], 1)[0]
print(f"{len(many)} points; each pass of the loop takes {1e6 * slope:.1f} ns")

assert len(table) == 15 and not np.any(table["error"] != "")
assert np.all(np.diff(many["time_ms"]) > -1e-9)
