// SPDX-License-Identifier: Apache-2.0
// Every block reads the same buffer from its beginning to its end, over and over: `pairs` multiplies two
// halves of it, `sum` adds it up. A pass has `steps` steps, known to the compiler where they are few.
// `zero` is 0, which the compiler does not know. The store is never reached with buffers of zeros.
template <typename T, int BLOCK, bool PAIRS>
struct Reader {
  const T *near, *far;
  T sum;

  template <int STEPS>
  __device__ __forceinline__ void read() {
#pragma unroll
    for (int i = 0; i < STEPS; ++i) sum += PAIRS ? near[i * BLOCK] * far[i * BLOCK] : near[i * BLOCK];
  }

  template <int STEPS>
  __device__ __forceinline__ void read_on() {
    read<STEPS>();
    near += STEPS * BLOCK;
    far += STEPS * BLOCK;
  }
};

// STEPS 0: any number of them, in groups whose loads are all under way together.
template <typename T, int BLOCK, bool PAIRS, int STEPS>
__device__ __forceinline__ void footprint(const T *in, T *out, int steps, int passes, int zero) {
  Reader<T, BLOCK, PAIRS> reader = {in + threadIdx.x, nullptr, T(0)};
  const T *begin = reader.near;
#pragma unroll(STEPS ? 32 / STEPS : 1)
  for (int pass = 0; pass < passes; ++pass) {
    begin += zero;
    reader.near = begin;
    reader.far = begin + (STEPS ? STEPS : steps) * BLOCK;
    if (STEPS) {
      reader.template read<STEPS>();
    } else {
      int left = steps;  // loops, as conditions would become guarded loads
#pragma unroll 1
      for (; left >= 32; left -= 32) reader.template read_on<32>();
#pragma unroll 1
      for (; left >= 8; left -= 8) reader.template read_on<8>();
#pragma unroll 1
      for (; left >= 3; left -= 3) reader.template read_on<3>();
#pragma unroll 1
      for (; left > 0; --left) reader.template read_on<1>();
    }
    reader.sum *= T(1.25);
  }
  if (reader.sum == T(-1)) out[threadIdx.x] = reader.sum;
}

#define FOOTPRINT(NAME, TYPE, PAIRS, BLOCK, STEPS)                                          \
  extern "C" __global__ void __launch_bounds__(BLOCK)                                       \
      NAME##_##TYPE##_##BLOCK##x##STEPS(const TYPE *in, TYPE *out, int steps, int passes, int zero) { \
    footprint<TYPE, BLOCK, PAIRS, STEPS>(in, out, steps, passes, zero);                     \
  }

// What was measured on the architecture, and no more: the listings are long.
#if __CUDA_ARCH__ == 700
FOOTPRINT(sum, double, false, 256, 1)
FOOTPRINT(sum, double, false, 256, 2)
FOOTPRINT(sum, double, false, 256, 3)
FOOTPRINT(sum, double, false, 256, 4)
FOOTPRINT(sum, double, false, 256, 0)
#elif __CUDA_ARCH__ == 890
FOOTPRINT(sum, float, false, 256, 1)
FOOTPRINT(sum, float, false, 256, 2)
FOOTPRINT(sum, float, false, 256, 3)
FOOTPRINT(sum, float, false, 256, 4)
FOOTPRINT(sum, float, false, 256, 0)
#else
FOOTPRINT(pairs, float, true, 128, 1)
FOOTPRINT(pairs, float, true, 256, 1)
FOOTPRINT(pairs, float, true, 256, 3)
FOOTPRINT(pairs, float, true, 512, 1)
FOOTPRINT(pairs, float, true, 512, 2)
FOOTPRINT(pairs, float, true, 512, 3)
FOOTPRINT(pairs, float, true, 512, 4)
FOOTPRINT(pairs, float, true, 512, 0)
#endif
