// SPDX-License-Identifier: Apache-2.0
// Chains of dependent FP64 operations: 128 of them a pass, over one to eight values for multiply-adds.
// Divisions and roots run `chains` times 128 one after the other.
template <int VALUES>
__device__ __forceinline__ void multiply_adds(double start, double *out, int passes) {
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    double value[VALUES];
#pragma unroll
    for (int i = 0; i < VALUES; ++i) value[i] = start + threadIdx.x + pass + i;
#pragma unroll
    for (int step = 0; step < 128 / VALUES; ++step) {
#pragma unroll
      for (int i = 0; i < VALUES; ++i) value[i] = fma(value[i], 0.9, 0.5);
    }
#pragma unroll
    for (int i = 0; i < VALUES; ++i) {
      if (value[i] > 22313.0) out[0] = value[i];
    }
  }
}

#define DFMA_CHAINS(VALUES)                                                                          \
  extern "C" __global__ void dfma_chains_##VALUES(double start, double *out, int passes, int) {      \
    multiply_adds<VALUES>(start, out, passes);                                                       \
  }
DFMA_CHAINS(1)
DFMA_CHAINS(2)
DFMA_CHAINS(3)
DFMA_CHAINS(4)
DFMA_CHAINS(5)
DFMA_CHAINS(6)
DFMA_CHAINS(7)
DFMA_CHAINS(8)

// As compilers of 2018 divided: one cubic step from the approximate reciprocal, where those of today do two
// steps. Quotients that are too small to trust go the long way.
__device__ __noinline__ double divided(double divisor) { return 0.1 / divisor; }

__device__ __forceinline__ double tenth_over(double divisor) {
  double inverse;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(divisor));
  double error = fma(-divisor, inverse, 1.0);
  error = fma(error, error, error);
  inverse = fma(inverse, error, inverse);
  double quotient = 0.1 * inverse;
  quotient = fma(fma(-divisor, quotient, 0.1), inverse, quotient);
  float check = fmaf(0.0f, __int_as_float(__double2hiint(divisor)), __int_as_float(__double2hiint(quotient)));
  if (fabsf(check) > 4.9e-40f) return quotient;
  return divided(divisor);
}

#define LONG_CHAIN(NAME, STEP)                                                                     \
  extern "C" __global__ void NAME(double start, double *out, int passes, int chains) {             \
    for (int pass = 0; pass < passes; ++pass) {                                                    \
      _Pragma("unroll 1") for (int chain = 0; chain < chains; ++chain) {                           \
        double value = start + threadIdx.x + pass + chain;                                         \
        for (int step = 0; step < 128; ++step) value = STEP;                                       \
        out[threadIdx.x + pass] = value;                                                           \
      }                                                                                            \
    }                                                                                              \
  }
LONG_CHAIN(ddiv_chain, tenth_over(value + 0.2))
LONG_CHAIN(dsqrt_chain, sqrt(value + 0.2))
