// SPDX-License-Identifier: Apache-2.0
// Attention forward, O = softmax(scale Q K^T) V of halves for every head: a producer warp group copies tiles of keys and values, two
// consumer groups take 64 queries each. They take turns at the tensor unit: while one computes its exponentials, the other multiplies.
#include <cuda_fp16.h>
#include <cstdint>

struct alignas(64) TensorMap {
  unsigned long long words[16];
};

namespace {

constexpr int tile = 128, half = 64, stages = 2;  // queries or keys of a tile; elements of a box's row of 128 bytes

__device__ uint32_t shared_address(const void* at) { return static_cast<uint32_t>(__cvta_generic_to_shared(at)); }

__device__ void phase_init(uint64_t* barrier, uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}
__device__ void phase_expect(uint64_t* barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}
__device__ void phase_arrive(uint64_t* barrier) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory"); }
__device__ void phase_wait(uint64_t* barrier, uint32_t phase) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@done bra over;\nbra again;\nover:\n}\n" ::"r"(shared_address(barrier)),
      "r"(phase)
      : "memory");
}
__device__ void copy_box(void* to, const TensorMap* map, uint64_t* barrier, int inner, int outer) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(to)),
               "l"(map), "r"(shared_address(barrier)), "r"(inner), "r"(outer)
               : "memory");
}
__device__ void turn_wait(int id) { asm volatile("bar.sync %0, 256;" ::"r"(id) : "memory"); }
__device__ void turn_give(int id) { asm volatile("bar.arrive %0, 256;" ::"r"(id) : "memory"); }
__device__ void group_arrive() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void group_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int left>
__device__ void group_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory"); }
template <int n>
__device__ void hold(float (&d)[n]) {
  for (int i = 0; i < n; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

// Tiles lie as boxes of 64 elements by 128 rows, swizzled over 128 bytes. Eights of lines are 1024 bytes apart, boxes 16 KiB.
__device__ uint64_t descriptor(const void* at) {
  const uint64_t address = (shared_address(at) & 0x3ffff) >> 4;
  return address | uint64_t{tile * half * 2 >> 4} << 16 | uint64_t{1024 >> 4} << 32 | uint64_t{1} << 62;
}

#define EIGHT(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define SUMS_32 \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define SUMS_64 \
  SUMS_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, " \
          "%60, %61, %62, %63"

// d (64 x 128) [+]= A (64 x 16) B (16 x 128), both along the depth in shared memory.
__device__ void multiply(float (&d)[64], const void* a, const void* b, int accumulate) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\nwgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" SUMS_64 "}, %64, %65, p, 1, 1, 0, 0;\n}\n"
               : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24), EIGHT(d, 32), EIGHT(d, 40), EIGHT(d, 48), EIGHT(d, 56)
               : "l"(descriptor(a)), "l"(descriptor(b)), "r"(accumulate));
}
// d += A B with A in registers and B across the depth.
__device__ void multiply(float (&d)[64], const uint32_t* a, const void* b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" SUMS_64 "}, {%64, %65, %66, %67}, %68, 1, 1, 1, 1;"
               : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24), EIGHT(d, 32), EIGHT(d, 40), EIGHT(d, 48), EIGHT(d, 56)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(b)));
}
__device__ void multiply(float (&d)[32], const uint32_t* a, const void* b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" SUMS_32 "}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
               : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(b)));
}

template <int head>
struct Memory {
  __half q[tile * head], k[stages][tile * head], v[stages][tile * head];
  uint64_t q_full, k_full[stages], k_empty[stages], v_full[stages], v_empty[stages];
};

template <int head>
__device__ void copy_tile(__half* to, const TensorMap* map, uint64_t* barrier, int row) {
  phase_expect(barrier, tile * head * 2);
  for (int i = 0; i < head / half; ++i) copy_box(to + i * tile * half, map, barrier, i * half, row);
}

template <int head>
__device__ void produce(Memory<head>& memory, int keys, const TensorMap* q, const TensorMap* k, const TensorMap* v, int query) {
  copy_tile<head>(memory.q, q, &memory.q_full, query);
  for (int i = 0; i < keys / tile; ++i) {
    const int stage = i % stages, row = blockIdx.y * keys + i * tile;
    phase_wait(&memory.k_empty[stage], (i / stages & 1) ^ 1);
    copy_tile<head>(memory.k[stage], k, &memory.k_full[stage], row);
    phase_wait(&memory.v_empty[stage], (i / stages & 1) ^ 1);
    copy_tile<head>(memory.v[stage], v, &memory.v_full[stage], row);
  }
}

__device__ float power_of_two(float of) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(of));
  return power;
}

// The rows' running maxima and sums; s becomes the exponentials. Returns by what the sums so far are to be scaled.
struct Softmax {
  float most[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0}, again[2] = {1, 1};

  __device__ void add(float (&s)[64], float scale) {
    for (int r = 0; r < 2; ++r) {
      float now = most[r];
      for (int i = 0; i < 32; ++i) now = fmaxf(now, s[i / 2 * 4 + r * 2 + i % 2]);
      now = fmaxf(now, __shfl_xor_sync(~0U, now, 1));
      now = fmaxf(now, __shfl_xor_sync(~0U, now, 2));
      again[r] = power_of_two((most[r] - now) * scale);
      most[r] = now;
      sum[r] *= again[r];
      for (int i = 0; i < 32; ++i) {
        float& of = s[i / 2 * 4 + r * 2 + i % 2];
        of = power_of_two(of * scale - now * scale);
        sum[r] += of;
      }
    }
  }
  __device__ float inverse(int r) {
    float all = sum[r];
    all += __shfl_xor_sync(~0U, all, 1);
    all += __shfl_xor_sync(~0U, all, 2);
    return __fdividef(1, all);
  }
};

template <int head>
__device__ void scores(float (&s)[64], const Memory<head>& memory, int stage, int group) {
  for (int step = 0; step < head / 16; ++step) {
    const int at = step / 4 * tile * half + step % 4 * 16;
    multiply(s, memory.q + group * 64 * half + at, memory.k[stage] + at, step > 0);
  }
  group_commit();
}

template <int head>
__device__ void weigh(float (&o)[head / 2], const uint32_t (&p)[32], const Memory<head>& memory, int stage) {
  for (int step = 0; step < tile / 16; ++step) multiply(o, p + 4 * step, memory.v[stage] + step * 16 * half);
  group_commit();
}

__device__ void pack(uint32_t (&p)[32], const float (&s)[64]) {
  for (int i = 0; i < 32; ++i) {
    const __half2 both = __floats2half2_rn(s[2 * i], s[2 * i + 1]);
    p[i] = *reinterpret_cast<const uint32_t*>(&both);
  }
}

template <int head>
__device__ void consume(Memory<head>& memory, int keys, float scale, __half* out, int query, int group) {
  const bool first = threadIdx.x % 128 == 0;
  const int lane = threadIdx.x % 32, steps = keys / tile;
  float s[64], o[head / 2] = {};
  uint32_t p[32];
  Softmax softmax;
  if (group == 1) turn_give(1);
  phase_wait(&memory.q_full, 0);
  phase_wait(&memory.k_full[0], 0);
  hold(s);
  group_arrive();
  scores(s, memory, 0, group);
  group_wait<0>();
  hold(s);
  if (first) phase_arrive(&memory.k_empty[0]);
  softmax.add(s, scale);
  pack(p, s);
  for (int i = 1; i < steps; ++i) {
    const int stage = i % stages, before = (i - 1) % stages;
    phase_wait(&memory.k_full[stage], i / stages & 1);
    turn_wait(1 + group);
    hold(s);
    hold(o);
    group_arrive();
    scores(s, memory, stage, group);
    phase_wait(&memory.v_full[before], (i - 1) / stages & 1);
    weigh(o, p, memory, before);
    turn_give(2 - group);
    group_wait<1>();
    hold(s);
    if (first) phase_arrive(&memory.k_empty[stage]);
    softmax.add(s, scale);
    group_wait<0>();
    hold(o);
    if (first) phase_arrive(&memory.v_empty[before]);
    for (int j = 0; j < head / 2; ++j) o[j] *= softmax.again[j / 2 % 2];
    pack(p, s);
  }
  phase_wait(&memory.v_full[(steps - 1) % stages], (steps - 1) / stages & 1);
  hold(o);
  group_arrive();
  weigh(o, p, memory, (steps - 1) % stages);
  group_wait<0>();
  hold(o);
  for (int r = 0; r < 2; ++r) {
    const float inverse = softmax.inverse(r);
    __half* row = out + (query + group * 64 + threadIdx.x % 128 / 32 * 16 + lane / 4 + r * 8) * int64_t{head};
    for (int j = 0; j < head / 8; ++j) {
      *reinterpret_cast<__half2*>(row + j * 8 + lane % 4 * 2) = __floats2half2_rn(o[4 * j + 2 * r] * inverse, o[4 * j + 2 * r + 1] * inverse);
    }
  }
}

// Rows of the arrays are heads one after the other; scale: of the scores, times log2(e).
template <int head>
__device__ void attention(int queries, int keys, float scale, const TensorMap* q, const TensorMap* k, const TensorMap* v, __half* out) {
  extern __shared__ __align__(1024) unsigned char raw[];
  auto& memory = *reinterpret_cast<Memory<head>*>(raw);
  const int query = blockIdx.y * queries + blockIdx.x * tile;
  if (threadIdx.x == 0) {
    phase_init(&memory.q_full, 1);
    for (int i = 0; i < stages; ++i) {
      phase_init(&memory.k_full[i], 1);
      phase_init(&memory.v_full[i], 1);
      phase_init(&memory.k_empty[i], 2);
      phase_init(&memory.v_empty[i], 2);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  const int group = threadIdx.x / 128;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == 0) produce(memory, keys, q, k, v, query);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    consume(memory, keys, scale, out, query, group - 1);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(384, 1) attention_128(int queries, int keys, float scale, const __grid_constant__ TensorMap q,
                                                                   const __grid_constant__ TensorMap k, const __grid_constant__ TensorMap v, __half* out) {
  attention<128>(queries, keys, scale, &q, &k, &v, out);
}

extern "C" __global__ void __launch_bounds__(384, 1) attention_64(int queries, int keys, float scale, const __grid_constant__ TensorMap q,
                                                                  const __grid_constant__ TensorMap k, const __grid_constant__ TensorMap v, __half* out) {
  attention<64>(queries, keys, scale, &q, &k, &v, out);
}
