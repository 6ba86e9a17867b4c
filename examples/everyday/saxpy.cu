// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// y = a x + y for any type of numbers.
template <typename T>
__global__ void saxpy(int n, T a, const T* x, T* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

template __global__ void saxpy<float>(int, float, const float*, float*);
template __global__ void saxpy<double>(int, double, const double*, double*);
