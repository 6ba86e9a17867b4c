// SPDX-License-Identifier: Apache-2.0
// The absolute value in place: what is positive is read only, what is negative is written too.
__global__ void vector_abs(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  if (x < 0) a[i] = -x;
}
