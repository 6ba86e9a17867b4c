// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Each row to mean 0 and variance 1, scaled and shifted: one block per row.
__device__ float block_sum(float value, float* shared) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0;
  for (int w = 0; w < blockDim.x / 32; ++w) value += shared[w];
  __syncthreads();
  return value;
}

__global__ void layernorm(const float* in, const float* gamma, const float* beta, float* out,
                          int columns, float epsilon) {
  __shared__ float shared[32];
  const float* row = in + (size_t)blockIdx.x * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i];
  const float mean = block_sum(sum, shared) / columns;
  float squares = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    const float d = row[i] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(block_sum(squares, shared) / columns + epsilon);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    out[(size_t)blockIdx.x * columns + i] = (row[i] - mean) * scale * gamma[i] + beta[i];
  }
}
