// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// y = A x, A in compressed rows: one thread per row.
struct Csr {
  int rows;
  const int* offsets;
  const int* columns;
  const float* values;
};

__global__ void spmv(Csr matrix, const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= matrix.rows) return;
  float sum = 0;
  for (int k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k) {
    sum += matrix.values[k] * x[matrix.columns[k]];
  }
  y[row] = sum;
}
