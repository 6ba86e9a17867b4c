// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Steps of a whole grid with the barrier of cooperative groups between them.
#include <cooperative_groups.h>

extern "C" __global__ void grid_steps(float* a, float* b, unsigned n, unsigned steps) {
  auto grid = cooperative_groups::this_grid();
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < steps; ++i) {
    if (at < n) b[at] = a[at] + 1.0f;
    grid.sync();
    float* const swap = a;
    a = b;
    b = swap;
  }
}
