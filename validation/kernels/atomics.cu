// SPDX-License-Identifier: Apache-2.0
// All lanes of all warps on one address: sums whose result nobody uses.

extern "C" __global__ void atomics_fp32(float* sum) {
#pragma unroll 1
  for (int i = 0; i < 16; ++i) atomicAdd(sum, 1.0f);
}

#if __CUDA_ARCH__ >= 600
extern "C" __global__ void atomics_fp64(double* sum) {
#pragma unroll 1
  for (int i = 0; i < 16; ++i) atomicAdd(sum, 1.0);
}
#endif

// The bin comes from memory: the compiler cannot tell that all lanes meet in one.
extern "C" __global__ void atomics_u32(const unsigned* values, unsigned* bins) {
  atomicAdd(&bins[values[blockIdx.x * blockDim.x + threadIdx.x]], 1u);
}
