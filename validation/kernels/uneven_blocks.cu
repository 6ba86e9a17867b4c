// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0

// Kernels whose blocks are not alike, or whose addresses do not follow from the block's index by a
// plain multiple: what a sample of few blocks gets wrong.

// Sums bytes of many channels, each read a little later by a table and the block's row. Blocks
// beyond `used` samples or `rows` rows are surplus and leave at once.
__global__ void shifted_bytes(const unsigned char* __restrict__ samples, float* __restrict__ sums,
                              const int* __restrict__ shifts, int channels, int length, int used,
                              int rows) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (at >= used || row >= rows) return;
  float sum = 0;
  for (int channel = 0; channel < channels; ++channel)
    sum += samples[(size_t)channel * length + at + shifts[channel] * row];
  sums[(size_t)row * used + at] = sum;
}

// A product of matrices by a grid of one axis: column and row of a block are remainder and quotient
// of its number.
__global__ void modulo_product(const float* __restrict__ a, const float* __restrict__ b,
                               float* __restrict__ c, int columns, int inner, int across) {
  const int column = blockIdx.x % across * blockDim.x + threadIdx.x;
  const int row = blockIdx.x / across * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
  c[row * columns + column] = sum;
}

// Block i sums the row i of a triangle: the last block works longest.
__global__ void triangle_rows(const float* __restrict__ rows, float* __restrict__ sums, int length) {
  const float* row = rows + (size_t)blockIdx.x * length;
  float sum = 0;
  for (int k = threadIdx.x; k < (int)blockIdx.x; k += blockDim.x) sum += row[k];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
