// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Every block reads the same small table again and again, four neighbouring elements of each thread as a vector.
__global__ void quads(const float* __restrict__ table, float* __restrict__ out, int rounds) {
  float a = 0, b = 0, c = 0, d = 0;
  for (int round = 0; round < rounds; ++round) {
    const float4 row = *reinterpret_cast<const float4*>(table + 1024 * (round & 15) + 4 * threadIdx.x);
    a += row.x;
    b += row.y;
    c += row.z;
    d += row.w;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a * b + c * d;
}
