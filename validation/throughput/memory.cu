// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// One kernel per path of the memory unit: 32 accesses a pass, 128 bytes apart, lanes `stride` bytes apart. Loads from global memory
// are those of gpu-strides: 64 lanes beside each other, at eight starts of four elements, of which lines do not begin at all.
// `move` is 0, which the compiler does not know: nothing leaves the loop. What they should take per SM stands in rates.toml;
// scripts/throughput compares.

#define FOUR(OP, at) OP(at) OP(at "+128") OP(at "+256") OP(at "+384")
#define PASS(OP) FOUR(OP, "+0") FOUR(OP, "+512") FOUR(OP, "+1024") FOUR(OP, "+1536") FOUR(OP, "+2048") FOUR(OP, "+2560") FOUR(OP, "+3072") FOUR(OP, "+3584")

#define EIGHT(OP, from, a, b, c, d, e, f, g) \
  OP("+" from) OP("+" from "+" #a) OP("+" from "+" #b) OP("+" from "+" #c) OP("+" from "+" #d) OP("+" from "+" #e) OP("+" from "+" #f) OP("+" from "+" #g)
#define STARTS(OP, ...) EIGHT(OP, "0", __VA_ARGS__) EIGHT(OP, "1024", __VA_ARGS__) EIGHT(OP, "2048", __VA_ARGS__) EIGHT(OP, "3072", __VA_ARGS__)
#define STARTS4(OP) STARTS(OP, 16, 32, 48, 64, 80, 96, 112)
#define STARTS8(OP) STARTS(OP, 32, 64, 96, 128, 160, 192, 224)
#define STARTS16(OP) STARTS(OP, 64, 128, 192, 256, 320, 384, 448)

// Sums of what was read.
#define LOADS(NAME, ADDRESS, ONE) PASSES(NAME, ADDRESS, PASS, ONE)
#define PASSES(NAME, ADDRESS, ALL, ONE)                                                              \
  extern "C" __global__ void __launch_bounds__(512)                                                  \
      NAME(float *out, const char *in, int passes, int stride, int move) {                           \
    ADDRESS                                                                                          \
    float x0 = 0, x1 = 0, x2 = 0, x3 = 0;                                                            \
    unsigned bits = 0;                                                                               \
    _Pragma("unroll 1") for (int i = 0; i < passes; ++i) {                                           \
      ALL(ONE)                                                                                       \
      place += move;                                                                                 \
    }                               \
    out[threadIdx.x] = x0 + x1 + x2 + x3 + bits;                                                     \
  }

#define GLOBAL_PLACE const char *place = in + (threadIdx.x & 31) * stride;
#define PAIR_PLACE const char *place = in + (threadIdx.x & 63) * stride;

#if __CUDA_ARCH__ >= 700
#define CACHED "ld.global"
#else
#define CACHED "ld.global.nc"
#endif
#define LOAD32(at) { float y; asm volatile(CACHED ".f32 %0, [%1" at "];" : "=f"(y) : "l"(place) : "memory"); x0 += y; }
PASSES(global_load_32, PAIR_PLACE, STARTS4, LOAD32)
#define LOAD64(at)                                                                                    \
  {                                                                                                  \
    float y, z;                                                                                      \
    asm volatile(CACHED ".v2.f32 {%0, %1}, [%2" at "];" : "=f"(y), "=f"(z) : "l"(place) : "memory");        \
    x0 += y;                                                                                         \
    x1 += z;                                                                                         \
  }
PASSES(global_load_64, PAIR_PLACE, STARTS8, LOAD64)
#define LOAD128(at)                                                                                   \
  {                                                                                                  \
    float y, z, u, v;                                                                                \
    asm volatile(CACHED ".v4.f32 {%0, %1, %2, %3}, [%4" at "];"                                            \
                 : "=f"(y), "=f"(z), "=f"(u), "=f"(v)                                                \
                 : "l"(place)                                                                         \
                 : "memory");                                                                        \
    x0 += y;                                                                                         \
    x1 += z;                                                                                         \
    x2 += u;                                                                                         \
    x3 += v;                                                                                         \
  }
PASSES(global_load_128, PAIR_PLACE, STARTS16, LOAD128)

#define SHARED_PLACE                                                                                 \
  __shared__ float room[8192];                                                                       \
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) room[i] = stride;                             \
  __syncthreads();                                                                                   \
  unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(room)) + (threadIdx.x & 31) * stride;

#define SHARED32(at) { float y; asm volatile("ld.shared.f32 %0, [%1" at "];" : "=f"(y) : "r"(place) : "memory"); x0 += y; }
LOADS(shared_load_32, SHARED_PLACE, SHARED32)
// Half of it through another pipe: two sums would take that of additions as long as the load its own.
#define SHARED64(at)                                                                                  \
  {                                                                                                  \
    float y;                                                                                         \
    unsigned z;                                                                                      \
    asm volatile("ld.shared.v2.b32 {%0, %1}, [%2" at "];" : "=f"(y), "=r"(z) : "r"(place) : "memory");      \
    x0 += y;                                                                                         \
    bits ^= z;                                                                                       \
  }
LOADS(shared_load_64, SHARED_PLACE, SHARED64)
#define SHARED128(at)                                                                                 \
  {                                                                                                  \
    float y, z, u, v;                                                                                \
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4" at "];"                                          \
                 : "=f"(y), "=f"(z), "=f"(u), "=f"(v)                                                \
                 : "r"(place)                                                                         \
                 : "memory");                                                                        \
    x0 += y;                                                                                         \
    x1 += z;                                                                                         \
    x2 += u;                                                                                         \
    x3 += v;                                                                                         \
  }
LOADS(shared_load_128, SHARED_PLACE, SHARED128)
#define STORED32(at) asm volatile("st.shared.f32 [%0" at "], %1;" : : "r"(place), "f"(x0) : "memory");
LOADS(shared_store_32, SHARED_PLACE, STORED32)
#define STORED64(at) asm volatile("st.shared.v2.f32 [%0" at "], {%1, %1};" : : "r"(place), "f"(x0) : "memory");
LOADS(shared_store_64, SHARED_PLACE, STORED64)
#define STORED128(at) asm volatile("st.shared.v4.f32 [%0" at "], {%1, %1, %1, %1};" : : "r"(place), "f"(x0) : "memory");
LOADS(shared_store_128, SHARED_PLACE, STORED128)

#define ADDED(at) asm volatile("red.shared.add.u32 [%0" at "], %1;" : : "r"(place), "r"(passes) : "memory");
LOADS(shared_atomic, SHARED_PLACE, ADDED)
#define REDUCED(at) asm volatile("red.global.add.u32 [%0" at "], %1;" : : "l"(place), "r"(passes) : "memory");
LOADS(global_reduction, GLOBAL_PLACE, REDUCED)
#define REDUCED_FLOAT(at) asm volatile("red.global.add.f32 [%0" at "], %1;" : : "l"(place), "f"(1.0f) : "memory");
LOADS(global_reduction_float, GLOBAL_PLACE, REDUCED_FLOAT)

// All of it on one address.
#define MET_THERE(at) asm volatile("red.global.add.f32 [%0], %1;" : : "l"(in), "f"(1.0f) : "memory");
LOADS(one_address_float, int place = 0;, MET_THERE)

// Lanes `stride` bytes apart in constant memory.
__constant__ float table[8192];
#define CONSTANT_PLACE                                                                               \
  const char *place = reinterpret_cast<const char *>(__cvta_generic_to_constant(table)) + (threadIdx.x & 31) * stride;
#define CONSTANT32(at) { float y; asm volatile("ld.const.f32 %0, [%1" at "];" : "=f"(y) : "l"(place)); x0 += y; }
LOADS(constant_load, CONSTANT_PLACE, CONSTANT32)

// Threads of a whole block meet: 32 barriers a pass.
#define MET(at) asm volatile("bar.sync 0;" : : : "memory");
LOADS(barrier, int place = 0;, MET)
