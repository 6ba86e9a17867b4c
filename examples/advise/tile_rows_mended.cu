// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A tile in shared memory that is filled by rows and read by columns over and over, with a pitch of 33 words.
__global__ void tile_rows(const float* __restrict__ in, float* __restrict__ out, int passes) {
  __shared__ float tile[32][33];
  const int first = blockIdx.x * 1024;
  for (int y = threadIdx.y; y < 32; y += blockDim.y) {
    tile[y][threadIdx.x] = in[first + y * 32 + threadIdx.x];
  }
  __syncthreads();
  float sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
    sum = sum * 0.5f + tile[threadIdx.x][(threadIdx.y + pass) & 31];
  }
  out[first / 4 + threadIdx.y * 32 + threadIdx.x] = sum;
}
