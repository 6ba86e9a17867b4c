// SPDX-License-Identifier: Apache-2.0
// One element per thread, from wherever the index says: unit stride with identity indices, one
// transaction per lane with random ones.
__global__ void permutation(float *a, const float *b, const int *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[c[i]];
}
