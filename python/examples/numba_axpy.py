# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""A function that Numba compiles, predicted on a board that is not here.

Needs: a CUDA toolkit, Numba with NVVM
"""
import numpy as np
from numba import cuda

import forewarp.numba


@cuda.jit
def axpy(r, a, x, y):
    i = cuda.grid(1)
    if i < r.size:
        r[i] = a * x[i] + y[i]


n = 1 << 22
x, y = np.ones(n, np.float32), np.ones(n, np.float32)
r = np.zeros(n, np.float32)

result = forewarp.numba.load(axpy).predict("t4", grid=n // 256, block=256, args=[r, np.float32(2), x, y])
print(result)
print(result.limited_by.sentence)

assert result.limited_by.resource == "dram"
