// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Four neighbouring elements of each thread, as one vector.
__global__ void quads(const float4* __restrict__ x, const float4* __restrict__ y, float4* __restrict__ z, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 p = x[i];
  const float4 q = y[i];
  z[i] = make_float4(a * p.x + q.x, a * p.y + q.y, a * p.z + q.z, a * p.w + q.w);
}
