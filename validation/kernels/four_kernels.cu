// SPDX-License-Identifier: Apache-2.0
// The four kernels of the counting model's report, in shapes that its launches fix.

// 4 blocks of 64 threads whatever n is: a thread computes `rows` rows one after the other.
__global__ void matrix_vector(const int *matrix, const int *vector, int *product, int n, int rows) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * rows;
  for (int row = first; row < first + rows && row < n; ++row) {
    int sum = 0;
    for (int column = 0; column < n; ++column) sum += matrix[row * n + column] * vector[column];
    product[row] = sum;
  }
}

// One product per thread, then a tree over the block in shared memory; one partial sum per block.
__global__ void dot_product(const float *a, const float *b, float *partial, int n) {
  __shared__ float sums[64];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += a[i] * b[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

__global__ void vector_add(const int *a, const int *b, int *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

// Blocks of 8x8 threads over a square matrix.
__global__ void matrix_sum(const float *a, const float *b, float *sum, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int i = row * n + column;
  if (i < n * n) sum[i] = a[i] + b[i];
}
