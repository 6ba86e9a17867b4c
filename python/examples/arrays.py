# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Loops and addresses that come from memory: NumPy's arrays bring their types and their contents."""
from pathlib import Path

import numpy as np

import forewarp

listing = Path(__file__).resolve().parents[2] / "tests" / "fixtures" / "listings" / "sparse_rows.sm_52.sass"
kernel = forewarp.load(listing)

rows, columns = 20_000, 20_000
random = np.random.default_rng(1)


def time_of(lengths):
    begin = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    column = random.integers(0, columns, begin[-1], dtype=np.int32)
    value = np.ones(begin[-1], np.float32)
    x, y = forewarp.buffer(columns, "float32"), forewarp.buffer(rows, "float32")
    result = kernel.predict("titanx", grid=(rows + 127) // 128, block=128, args=[begin, column, value, x, y, np.int32(rows)])
    print(f"{begin[-1]} elements: {result.time_ms:.4f} ms, {result.profile.global_load_sectors:.0f} sectors loaded")
    return result


even = time_of(np.full(rows, 8))
uneven = time_of(np.where(np.arange(rows) % 32 == 0, 256, 0))  # as many, in one row of each warp

assert uneven.time_ms > even.time_ms
