// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A window of values in registers, as many as it takes.
__global__ void window(const float* __restrict__ in, float* __restrict__ out, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) w[k] = in[k * n + i];
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 40; ++k) w[k] = w[k] * w[(k + 7) % 40] + w[(k + 19) % 40];
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 40; ++k) sum += w[k] * k;
  out[i] = sum;
}
