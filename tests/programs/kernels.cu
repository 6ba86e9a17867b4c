// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of the programs in this folder; scripts/program-kernels compiles them to kernels.fatbin.
__constant__ float factors[4] = {1, 2, 3, 4};
__device__ int counter;
__device__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

struct Affine {
  float scale;
  double shift;
  short step;
};

extern "C" __global__ void empty() {}

extern "C" __global__ void axpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void affine(Affine by, int n, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = by.scale * (i * by.step) + by.shift;
}

// Block sums by shared memory and shuffles, then one atomic per block.
extern "C" __global__ void sum(int n, const int* x, int* out) {
  __shared__ int part[32];
  int value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += x[i];
  for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    if (threadIdx.x == 0) atomicAdd(out, value);
  }
}

extern "C" __global__ void scan(int n, int* x) {
  extern __shared__ int line[];
  const int i = threadIdx.x;
  line[i] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    const int other = i >= d ? line[i - d] : 0;
    __syncthreads();
    line[i] += other;
    __syncthreads();
  }
  if (i < n) x[i] = line[i];
}

extern "C" __global__ void variables(float* out, int* order) {
  const int i = threadIdx.x;
  out[i] = factors[i % 4] * i;
  order[i] = table[i % 8];
  atomicAdd(&counter, 1);
}

// x dependent divisions per element: time that grows with `rounds`.
extern "C" __global__ void work(float* x, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
  for (int k = 0; k < rounds; ++k) value = value * 0.999f + 0.5f;
  x[i] = value;
}

extern "C" __global__ void outside(int n, float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i == n - 1 ? 1ll << 36 : i] = 1;
}

// Half of the warps wait at a barrier for all threads that the others never reach.
extern "C" __global__ void deadlock(int* x) {
  if (threadIdx.x < blockDim.x / 2) {
    asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x));
  } else {
    asm volatile("bar.sync 2, %0;" ::"r"(blockDim.x));
  }
  x[threadIdx.x] = 1;
}

extern "C" __global__ void endless(volatile int* x) {
  while (x[0] == 0) continue;
  x[1] = 1;
}

// As work, with the number of rounds in memory.
extern "C" __global__ void counted(float* x, const int* rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = rounds[0];
  float value = x[i];
  for (int k = 0; k < n; ++k) value = value * 0.999f + 0.5f;
  x[i] = value;
}

// Reads as many elements with every stride: the time differs, the instructions do not.
extern "C" __global__ void strided(float* out, const float* x, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += x[i * stride % (1 << 22) + k];
  out[i] = sum;
}

// The place of each block within its cluster, and how many blocks that has.
extern "C" __global__ void neighbours(unsigned* out) {
#if __CUDA_ARCH__ >= 900
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(out[2 * blockIdx.x]));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(out[2 * blockIdx.x + 1]));
#endif
}
