// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// One kernel per path of the memory unit: 32 accesses a pass, eight of them `step` bytes apart and
// those four times 128 bytes apart, lanes `stride` bytes apart. What they should take per SM stands in rates.toml; scripts/throughput compares.

#define EIGHT(OP, at) OP(0, at) OP(1, at) OP(2, at) OP(3, at) OP(4, at) OP(5, at) OP(6, at) OP(7, at)
#define PASS(OP) EIGHT(OP, "") EIGHT(OP, "+128") EIGHT(OP, "+256") EIGHT(OP, "+384")

// Sums of what was read; the comparison keeps it alive.
#define LOADS(NAME, ADDRESS, ONE)                                                                    \
  extern "C" __global__ void __launch_bounds__(512)                                                  \
      NAME(float *out, const char *in, int passes, int stride, int step) {                           \
    ADDRESS                                                                                          \
    float x0 = 0, x1 = 0, x2 = 0, x3 = 0;                                                            \
    _Pragma("unroll 1") for (int i = 0; i < passes; ++i) { PASS(ONE) }                               \
    const float sum = x0 + x1 + x2 + x3;                                                             \
    if (sum == 12345.0f) out[threadIdx.x] = sum;                                                     \
  }

#define GLOBAL_PLACE                                                                                 \
  const char *at = in + (threadIdx.x & 31) * stride;                                                 \
  const char *p0 = at, *p1 = at + step, *p2 = p1 + step, *p3 = p2 + step, *p4 = p3 + step, *p5 = p4 + step, *p6 = p5 + step, *p7 = p6 + step;

#if __CUDA_ARCH__ >= 700
#define CACHED "ld.global"
#else
#define CACHED "ld.global.nc"
#endif
#define LOAD32(k, at) { float y; asm volatile(CACHED ".f32 %0, [%1" at "];" : "=f"(y) : "l"(p##k) : "memory"); x0 += y; }
LOADS(global_load_32, GLOBAL_PLACE, LOAD32)
#define LOAD64(k, at)                                                                                    \
  {                                                                                                  \
    float y, z;                                                                                      \
    asm volatile(CACHED ".v2.f32 {%0, %1}, [%2" at "];" : "=f"(y), "=f"(z) : "l"(p##k) : "memory");        \
    x0 += y;                                                                                         \
    x1 += z;                                                                                         \
  }
LOADS(global_load_64, GLOBAL_PLACE, LOAD64)
#define LOAD128(k, at)                                                                                   \
  {                                                                                                  \
    float y, z, u, v;                                                                                \
    asm volatile(CACHED ".v4.f32 {%0, %1, %2, %3}, [%4" at "];"                                            \
                 : "=f"(y), "=f"(z), "=f"(u), "=f"(v)                                                \
                 : "l"(p##k)                                                                         \
                 : "memory");                                                                        \
    x0 += y;                                                                                         \
    x1 += z;                                                                                         \
    x2 += u;                                                                                         \
    x3 += v;                                                                                         \
  }
LOADS(global_load_128, GLOBAL_PLACE, LOAD128)

#define SHARED_PLACE                                                                                 \
  __shared__ float room[8192];                                                                       \
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) room[i] = stride;                             \
  __syncthreads();                                                                                   \
  unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(room));                             \
  const unsigned at = base + (threadIdx.x & 31) * stride;                                            \
  const unsigned p0 = at, p1 = at + step, p2 = p1 + step, p3 = p2 + step, p4 = p3 + step, p5 = p4 + step, p6 = p5 + step, p7 = p6 + step;

#define SHARED32(k, at) { float y; asm volatile("ld.shared.f32 %0, [%1" at "];" : "=f"(y) : "r"(p##k) : "memory"); x0 += y; }
LOADS(shared_load_32, SHARED_PLACE, SHARED32)
#define SHARED64(k, at)                                                                                  \
  {                                                                                                  \
    float y, z;                                                                                      \
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2" at "];" : "=f"(y), "=f"(z) : "r"(p##k) : "memory");      \
    x0 += y;                                                                                         \
    x1 += z;                                                                                         \
  }
LOADS(shared_load_64, SHARED_PLACE, SHARED64)
#define SHARED128(k, at)                                                                                 \
  {                                                                                                  \
    float y, z, u, v;                                                                                \
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4" at "];"                                          \
                 : "=f"(y), "=f"(z), "=f"(u), "=f"(v)                                                \
                 : "r"(p##k)                                                                         \
                 : "memory");                                                                        \
    x0 += y;                                                                                         \
    x1 += z;                                                                                         \
    x2 += u;                                                                                         \
    x3 += v;                                                                                         \
  }
LOADS(shared_load_128, SHARED_PLACE, SHARED128)
#define STORED32(k, at) asm volatile("st.shared.f32 [%0" at "], %1;" : : "r"(p##k), "f"(x0) : "memory");
LOADS(shared_store_32, SHARED_PLACE, STORED32)
#define STORED64(k, at) asm volatile("st.shared.v2.f32 [%0" at "], {%1, %1};" : : "r"(p##k), "f"(x0) : "memory");
LOADS(shared_store_64, SHARED_PLACE, STORED64)
#define STORED128(k, at) asm volatile("st.shared.v4.f32 [%0" at "], {%1, %1, %1, %1};" : : "r"(p##k), "f"(x0) : "memory");
LOADS(shared_store_128, SHARED_PLACE, STORED128)

#define ADDED(k, at) asm volatile("red.shared.add.u32 [%0" at "], %1;" : : "r"(p##k), "r"(passes) : "memory");
LOADS(shared_atomic, SHARED_PLACE, ADDED)
#define REDUCED(k, at) asm volatile("red.global.add.u32 [%0" at "], %1;" : : "l"(p##k), "r"(passes) : "memory");
LOADS(global_reduction, GLOBAL_PLACE, REDUCED)
#define REDUCED_FLOAT(k, at) asm volatile("red.global.add.f32 [%0" at "], %1;" : : "l"(p##k), "f"(1.0f) : "memory");
LOADS(global_reduction_float, GLOBAL_PLACE, REDUCED_FLOAT)

// Lanes `stride` bytes apart in constant memory.
__constant__ float table[8192];
#define CONSTANT_PLACE                                                                               \
  const char *at = reinterpret_cast<const char *>(__cvta_generic_to_constant(table)) + (threadIdx.x & 31) * stride; \
  const char *p0 = at, *p1 = at + step, *p2 = p1 + step, *p3 = p2 + step, *p4 = p3 + step, *p5 = p4 + step, *p6 = p5 + step, *p7 = p6 + step;
#define CONSTANT32(k, at) { float y; asm volatile("ld.const.f32 %0, [%1" at "];" : "=f"(y) : "l"(p##k)); x0 += y; }
LOADS(constant_load, CONSTANT_PLACE, CONSTANT32)

// Threads of a whole block meet: 32 barriers a pass.
#define MET(k, at) asm volatile("bar.sync 0;" : : : "memory");
LOADS(barrier, , MET)
