// SPDX-License-Identifier: Apache-2.0
// Prices of European options after Black and Scholes, one option per thread: three numbers are
// read, two written, in between a logarithm, a square root, exponentials and divisions.
__device__ float normal_distribution(float d) {
  // Abramowitz and Stegun, 26.2.17
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float sum =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228040143267794f * expf(-0.5f * d * d) * sum;
  return d > 0 ? 1.0f - tail : tail;
}

__global__ void black_scholes(float *call, float *put, const float *price, const float *strike,
                              const float *years, float rate, float volatility, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float s = price[i], x = strike[i], t = years[i];
  const float root = sqrtf(t);
  const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  const float d2 = d1 - volatility * root;
  const float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
  const float discounted = x * expf(-rate * t);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
