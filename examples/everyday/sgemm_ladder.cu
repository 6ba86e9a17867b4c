// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// C = A B of n x n numbers, n a multiple of 128, in eight steps from a thread per element to tiles in
// registers. Each kernel's launch stands above it.

// 1: n/32 x n/32 blocks of 32 x 32; neighbours in a warp work on neighbouring rows.
__global__ void sgemm1(const float* A, const float* B, float* C, int n) {
  const int row = blockIdx.x * 32 + threadIdx.x;
  const int column = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + column];
  C[row * n + column] = sum;
}

// 2: the same grid; neighbours work on neighbouring columns: accesses coalesce.
__global__ void sgemm2(const float* A, const float* B, float* C, int n) {
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + column];
  C[row * n + column] = sum;
}

// 3: the same grid; tiles of 32 x 32 in shared memory.
__global__ void sgemm3(const float* A, const float* B, float* C, int n) {
  __shared__ float a[32][32];
  __shared__ float b[32][32];
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    a[threadIdx.y][threadIdx.x] = A[row * n + t + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

// 4: n/64 x n/64 blocks of 512; each thread makes 8 elements of a column.
__global__ void sgemm4(const float* A, const float* B, float* C, int n) {
  __shared__ float a[64][8];
  __shared__ float b[8][64];
  const int column = threadIdx.x % 64, rows = threadIdx.x / 64 * 8;
  float sum[8] = {};
  for (int t = 0; t < n; t += 8) {
    a[threadIdx.x / 8][threadIdx.x % 8] = A[(blockIdx.y * 64 + threadIdx.x / 8) * n + t + threadIdx.x % 8];
    b[threadIdx.x / 64][column] = B[(t + threadIdx.x / 64) * n + blockIdx.x * 64 + column];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      const float right = b[k][column];
      for (int i = 0; i < 8; ++i) sum[i] += a[rows + i][k] * right;
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i) {
    C[(blockIdx.y * 64 + rows + i) * n + blockIdx.x * 64 + column] = sum[i];
  }
}

// 5: n/128 x n/128 blocks of 256; each thread makes 8 x 8 elements.
__global__ void sgemm5(const float* A, const float* B, float* C, int n) {
  __shared__ float a[128][8];
  __shared__ float b[8][128];
  const int rows = threadIdx.x / 16 * 8, columns = threadIdx.x % 16 * 8;
  float sum[8][8] = {};
  for (int t = 0; t < n; t += 8) {
    for (int i = threadIdx.x; i < 1024; i += 256) {
      a[i / 8][i % 8] = A[(blockIdx.y * 128 + i / 8) * n + t + i % 8];
      b[i / 128][i % 128] = B[(t + i / 128) * n + blockIdx.x * 128 + i % 128];
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      float left[8], right[8];
      for (int i = 0; i < 8; ++i) left[i] = a[rows + i][k];
      for (int i = 0; i < 8; ++i) right[i] = b[k][columns + i];
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      C[(blockIdx.y * 128 + rows + i) * n + blockIdx.x * 128 + columns + j] = sum[i][j];
    }
  }
}

// 6: the same grid; four numbers at a time from memory and from shared memory, A's tile turned.
__global__ void sgemm6(const float* A, const float* B, float* C, int n) {
  __shared__ float4 a[8][32];
  __shared__ float4 b[8][32];
  float* turned = reinterpret_cast<float*>(a);
  const int rows = threadIdx.x / 16 * 8, columns = threadIdx.x % 16 * 8;
  float sum[8][8] = {};
  for (int t = 0; t < n; t += 8) {
    const int from = threadIdx.x / 2, part = threadIdx.x % 2 * 4;
    const float4 four =
        *reinterpret_cast<const float4*>(&A[(blockIdx.y * 128 + from) * n + t + part]);
    turned[(part + 0) * 128 + from] = four.x;
    turned[(part + 1) * 128 + from] = four.y;
    turned[(part + 2) * 128 + from] = four.z;
    turned[(part + 3) * 128 + from] = four.w;
    b[threadIdx.x / 32][threadIdx.x % 32] = *reinterpret_cast<const float4*>(
        &B[(t + threadIdx.x / 32) * n + blockIdx.x * 128 + threadIdx.x % 32 * 4]);
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      const float4 l0 = a[k][rows / 4], l1 = a[k][rows / 4 + 1];
      const float4 r0 = b[k][columns / 4], r1 = b[k][columns / 4 + 1];
      const float left[8] = {l0.x, l0.y, l0.z, l0.w, l1.x, l1.y, l1.z, l1.w};
      const float right[8] = {r0.x, r0.y, r0.z, r0.w, r1.x, r1.y, r1.z, r1.w};
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; j += 4) {
      *reinterpret_cast<float4*>(&C[(blockIdx.y * 128 + rows + i) * n + blockIdx.x * 128 + columns + j]) =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
    }
  }
}

// 7: the same grid; a thread's columns are two runs of four, so that a warp's reads meet no bank twice.
__global__ void sgemm7(const float* A, const float* B, float* C, int n) {
  __shared__ float4 a[8][32];
  __shared__ float4 b[8][32];
  float* turned = reinterpret_cast<float*>(a);
  const int rows = threadIdx.x / 16 * 8, column = threadIdx.x % 16;
  float sum[8][8] = {};
  for (int t = 0; t < n; t += 8) {
    const int from = threadIdx.x / 2, part = threadIdx.x % 2 * 4;
    const float4 four =
        *reinterpret_cast<const float4*>(&A[(blockIdx.y * 128 + from) * n + t + part]);
    turned[(part + 0) * 128 + from] = four.x;
    turned[(part + 1) * 128 + from] = four.y;
    turned[(part + 2) * 128 + from] = four.z;
    turned[(part + 3) * 128 + from] = four.w;
    b[threadIdx.x / 32][threadIdx.x % 32] = *reinterpret_cast<const float4*>(
        &B[(t + threadIdx.x / 32) * n + blockIdx.x * 128 + threadIdx.x % 32 * 4]);
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      const float4 l0 = a[k][rows / 4], l1 = a[k][rows / 4 + 1];
      const float4 r0 = b[k][column], r1 = b[k][column + 16];
      const float left[8] = {l0.x, l0.y, l0.z, l0.w, l1.x, l1.y, l1.z, l1.w};
      const float right[8] = {r0.x, r0.y, r0.z, r0.w, r1.x, r1.y, r1.z, r1.w};
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 2; ++j) {
      *reinterpret_cast<float4*>(
          &C[(blockIdx.y * 128 + rows + i) * n + blockIdx.x * 128 + column * 4 + j * 64]) =
          make_float4(sum[i][4 * j], sum[i][4 * j + 1], sum[i][4 * j + 2], sum[i][4 * j + 3]);
    }
  }
}

// 8: the same grid; the next tiles are fetched while these are used, into a second pair of tiles.
__global__ void sgemm8(const float* A, const float* B, float* C, int n) {
  __shared__ float4 a[2][8][32];
  __shared__ float4 b[2][8][32];
  const int rows = threadIdx.x / 16 * 8, column = threadIdx.x % 16;
  const int from = threadIdx.x / 2, part = threadIdx.x % 2 * 4;
  const float* left_from = &A[(blockIdx.y * 128 + from) * n + part];
  const float* right_from = &B[(threadIdx.x / 32) * n + blockIdx.x * 128 + threadIdx.x % 32 * 4];
  float4 next_left = *reinterpret_cast<const float4*>(left_from);
  float4 next_right = *reinterpret_cast<const float4*>(right_from);
  float sum[8][8] = {};
  for (int t = 0; t < n; t += 8) {
    const int pair = t / 8 % 2;
    float* turned = reinterpret_cast<float*>(a[pair]);
    turned[(part + 0) * 128 + from] = next_left.x;
    turned[(part + 1) * 128 + from] = next_left.y;
    turned[(part + 2) * 128 + from] = next_left.z;
    turned[(part + 3) * 128 + from] = next_left.w;
    b[pair][threadIdx.x / 32][threadIdx.x % 32] = next_right;
    __syncthreads();
    if (t + 8 < n) {
      next_left = *reinterpret_cast<const float4*>(left_from + t + 8);
      next_right = *reinterpret_cast<const float4*>(right_from + (t + 8) * n);
    }
    for (int k = 0; k < 8; ++k) {
      const float4 l0 = a[pair][k][rows / 4], l1 = a[pair][k][rows / 4 + 1];
      const float4 r0 = b[pair][k][column], r1 = b[pair][k][column + 16];
      const float left[8] = {l0.x, l0.y, l0.z, l0.w, l1.x, l1.y, l1.z, l1.w};
      const float right[8] = {r0.x, r0.y, r0.z, r0.w, r1.x, r1.y, r1.z, r1.w};
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) sum[i][j] += left[i] * right[j];
      }
    }
  }
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 2; ++j) {
      *reinterpret_cast<float4*>(
          &C[(blockIdx.y * 128 + rows + i) * n + blockIdx.x * 128 + column * 4 + j * 64]) =
          make_float4(sum[i][4 * j], sum[i][4 * j + 1], sum[i][4 * j + 2], sum[i][4 * j + 3]);
    }
  }
}
