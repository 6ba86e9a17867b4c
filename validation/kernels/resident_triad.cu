// SPDX-License-Identifier: Apache-2.0
// As many blocks as fit walk through three arrays together.
extern "C" __global__ void resident_triad(double *a, const double *b, const double *c, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    a[i] = b[i] + c[i] * 1.3;
}
