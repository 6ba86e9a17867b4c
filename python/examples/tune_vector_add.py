# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The first example of Kernel Tuner's documentation, ranked without a GPU.

Needs: a CUDA toolkit
"""
import numpy as np

from forewarp.kernel_tuner import TuningProblem, tune_kernel

kernel_string = """
__global__ void vector_add(float *c, const float *a, const float *b, int n) {
  const int i = blockIdx.x * block_size_x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
"""

size = 1_000_000
a = np.random.default_rng(1).standard_normal(size).astype(np.float32)
b = np.random.default_rng(2).standard_normal(size).astype(np.float32)
args = [np.zeros_like(b), a, b, np.int32(size)]
tune_params = {"block_size_x": [128 + 64 * i for i in range(15)]}

# As kernel_tuner.tune_kernel, and a board.
results, env = tune_kernel("vector_add", kernel_string, size, args, tune_params, device="a100-sxm-40",
                           metrics={"GB/s": lambda p: 12 * size / p["time"] / 1e6})
for result in results:
    print(f"block_size_x={result['block_size_x']:5}  {result['time']:.4f} ms  {result['GB/s']:.0f} GB/s  limited by {result['limited_by']}")
print(env["device_name"], "best:", env["best_config"]["block_size_x"])

# The same space as a function that a search minimises.
problem = TuningProblem("vector_add", kernel_string, size, args, tune_params, gpu="a100-sxm-40")
print("cost of 256 threads:", problem.cost({"block_size_x": 256}), "ms")

assert len(results) == 15
assert [result["time"] for result in results] == sorted(result["time"] for result in results)
assert problem.cost([results[0]["block_size_x"]]) == results[0]["time"]
