// SPDX-License-Identifier: Apache-2.0
// GRAIN additions a pass without memory, and a store that never happens: after the description in
// Gajger 2017, figure 5.7.
template <int GRAIN>
__device__ __forceinline__ void saxpy3(int n, int passes, float *y, int store) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0, addend = 1;
  // Slopes of the figure are those of four passes at once, as compilers of that time made them.
#pragma unroll 4
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < GRAIN; ++j) sum += addend;
  }
  if (store) y[i] = sum;
}

#define SAXPY3(GRAIN)                                                                            \
  extern "C" __global__ void saxpy3_##GRAIN(int n, int passes, float *y, int store) {            \
    saxpy3<GRAIN>(n, passes, y, store);                                                          \
  }
SAXPY3(1) SAXPY3(2) SAXPY3(4) SAXPY3(8) SAXPY3(16) SAXPY3(32)
