// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0

// Kernels of which few blocks do most of the work, or none that a sample would meet.

__device__ float work(float v, int passes) {
  for (int j = 0; j < passes; ++j) v = v * 1.0001f + 0.5f;
  return v;
}

__global__ void one_block(const float* in, float* out, int which, int passes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (blockIdx.x == which) v = work(v, passes);
  out[i] = v;
}

__global__ void one_thread(const float* in, float* out, int which, int passes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (i == which) v = work(v, passes);
  out[i] = v;
}

__global__ void few_threads(const float* in, float* out, unsigned first, unsigned count, int passes) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (i - first < count) v = work(v, passes);
  out[i] = v;
}

__global__ void one_warp(const float* in, float* out, int which, int passes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (i / 32 == which) v = work(v, passes);
  out[i] = v;
}

__global__ void chosen_passes(const float* in, float* out, int which, int passes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = work(in[i], blockIdx.x == which ? passes : 0);
}

__global__ void wide_index(const float* in, float* out, int which, int passes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (blockIdx.x * 256003LL == which * 256003LL) v = work(v, passes);
  out[i] = v;
}

__global__ void quotients(const float* in, float* out, int which, int passes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (blockIdx.x == which)
    for (int j = 0; j < passes; ++j) v = (j + 1.0f) / (v + 2.0f);
  out[i] = v;
}

__global__ void remainder(const float* in, float* out, int passes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (blockIdx.x % 97 == 13) v = work(v, passes);
  out[i] = v;
}

__global__ void corner(const float* in, float* out, int passes) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = row * gridDim.x * blockDim.x + column;
  float v = in[i];
  if (blockIdx.x >= 5 && blockIdx.x < 8 && blockIdx.y > 2 && blockIdx.y < 6) v = work(v, passes);
  out[i] = v;
}

__global__ void flagged(const int* flag, float* out, int passes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i;
  if (flag[blockIdx.x]) v = work(v, passes);
  out[i] = v;
}

__global__ void growing(const float* in, float* out, int passes, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (blockIdx.x % 2) v = work(v, passes + step * blockIdx.x);
  out[i] = v;
}

__global__ void two_ends(const float* in, float* out, unsigned which, unsigned bits,
                         unsigned passes, unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  unsigned far = (blockIdx.x ^ which) & bits;
  for (unsigned left = passes; left-- && !(far & mask); far += far != 0) v = v * 1.0001f + 0.5f;
  out[i] = v;
}

__global__ void walks(float* out, unsigned first, unsigned mask) {
  unsigned state = blockIdx.x * 2654435761u + 1;
  const unsigned end = blockIdx.x >= first ? mask : 15;
  float v = threadIdx.x;
  while ((state & 0xfff00000) != 0 || ((state >> 4) & end) != 0) {
    state = state * 1664525u + 1013904223u;
    if (((state >> 8) & end) == end) break;
    v = v * 1.0001f + 0.5f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
