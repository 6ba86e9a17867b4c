// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Four neighbouring elements of each thread, one at a time.
__global__ void quads(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ z, float a) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = 0; k < 4; ++k) {
    z[i + k] = a * x[i + k] + y[i + k];
  }
}
