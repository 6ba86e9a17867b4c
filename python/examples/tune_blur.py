# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""A space with restrictions and a grid that depends on the parameters, in the words of Kernel Tuner.

Needs: a CUDA toolkit
"""
import numpy as np

import forewarp
from forewarp.kernel_tuner import tune_kernel

source = """
__global__ void blur(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * block_size_x + threadIdx.x;
  const int y0 = (blockIdx.y * block_size_y + threadIdx.y) * ROWS;
  if (x < 1 || x >= width - 1) return;
#pragma unroll
  for (int y = y0; y < y0 + ROWS; ++y) {
    if (y < height) out[y * width + x] = (in[y * width + x - 1] + in[y * width + x] + in[y * width + x + 1]) / 3;
  }
}
"""

width = height = 2048
image = forewarp.buffer((height, width), "float32")
results, env = tune_kernel(
    "blur", source, (width, height), [image, forewarp.buffer((height, width)), np.int32(width), np.int32(height)],
    {"block_size_x": [16, 32, 128], "block_size_y": [1, 4, 8], "ROWS": [1, 4]},
    grid_div_y=["block_size_y * ROWS"],
    restrictions=["64 <= block_size_x * block_size_y <= 512", lambda p: p["ROWS"] * p["block_size_y"] <= 16],
    gpu="rtx3090", quiet=True)
for result in results:
    print({name: result[name] for name in ("block_size_x", "block_size_y", "ROWS")}, f"{result['time']:.4f} ms")

assert results and all(64 <= result["block_size_x"] * result["block_size_y"] <= 512 for result in results)
assert not any("__error__" in result for result in results)
