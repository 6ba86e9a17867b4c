// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The same of a matrix that is stored by columns: the lanes of a warp lie side by side.
__global__ void row_sums(const float* __restrict__ m, float* __restrict__ sums, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int column = 0; column < columns; ++column) {
    sum += m[column * rows + row];
  }
  sums[row] = sum;
}
