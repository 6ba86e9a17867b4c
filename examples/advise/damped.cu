// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A damped step, again and again, on floats with constants that are doubles.
__global__ void damped(float* __restrict__ data, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  for (int step = 0; step < steps; ++step) {
    x = 0.75 * x + 0.1;
  }
  data[i] = x;
}
