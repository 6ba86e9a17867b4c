# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""One launch on several boards, and what if a board were another."""
from pathlib import Path

import forewarp

listing = Path(__file__).resolve().parents[2] / "examples" / "saxpy2.sass"
kernel = forewarp.load(listing)
launch = kernel.launch(["gtx970", "gtx980", "titanx", "a100-sxm-80"], grid=15625, block=256, args={"n": 4_000_000, "a": 16})

for result in launch.predict_each():
    print(result.gpu.id + ":", result.get("error") or f"{result.time_ms:.4f} ms, limited by {result.limited_by.resource}")

wide = forewarp.gpu("gtx970", {"memory.clock_mhz": "x2"})
before, after = launch.but(gpu="gtx970"), launch.but(gpu=wide)
comparison = forewarp.compare(before, after)
print(comparison.answer)

assert len(forewarp.gpus()) >= 40
assert 0 < comparison.ratio <= 1
