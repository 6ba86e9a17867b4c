// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A program as a compiler makes it for a default stream per thread: its calls are the variants of
// that. Prints PASS, or what was answered or took another time than expected.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "runtime.h"

extern "C" {
struct Pitched {
  void* at;
  std::size_t pitch, width, height;
};
struct Extent {
  std::size_t width, height, depth;
};
int cudaLaunchKernel_ptsz(const void* host, Dim3 grid, Dim3 block, void** values,
                          std::size_t shared, void* stream);
int cudaLaunchHostFunc_ptsz(void* stream, void (*function)(void*), void* data);
int cudaMallocAsync_ptsz(void** out, std::size_t bytes, void* stream);
int cudaFreeAsync_ptsz(void* at, void* stream);
int cudaMemcpy_ptds(void* to, const void* from, std::size_t bytes, int kind);
int cudaMemcpy2D_ptds(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, int kind);
int cudaMemcpy2DAsync_ptsz(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                           std::size_t width, std::size_t height, int kind, void* stream);
int cudaMemcpyToSymbol_ptds(const void* symbol, const void* from, std::size_t bytes,
                            std::size_t offset, int kind);
int cudaMemset_ptds(void* to, int value, std::size_t bytes);
int cudaMemsetAsync_ptsz(void* to, int value, std::size_t bytes, void* stream);
int cudaMemset3D_ptds(Pitched to, int value, Extent extent);
int cudaStreamQuery_ptsz(void* stream);
int cudaStreamSynchronize_ptsz(void* stream);
int cudaStreamWaitEvent_ptsz(void* stream, void* event, unsigned flags);
int cudaEventRecord_ptsz(void* event, void* stream);
int cuStreamQuery_ptsz(void* stream);
int cuMemsetD32_v2_ptds(std::uint64_t to, unsigned value, std::size_t count);
extern const char kernel_image[];
}
asm(".section .rodata\n.balign 16\nkernel_image: .incbin \"" KERNELS "\"\n.previous\n");

namespace {

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = kernel_image;
  const void* more = nullptr;
};
const Wrapper wrapper;
char work_stub;
float factors[4];

struct Registration {
  Registration() {
    void** const handle = __cudaRegisterFatBinary(&wrapper);
    register_kernel(handle, &work_stub, "work");
    register_variable(handle, factors, "factors", sizeof factors, true);
    __cudaRegisterFatBinaryEnd(handle);
  }
} const registration;

int failures = 0;

void answers(int code, int expected, const char* what) {
  if (code == expected) return;
  std::printf("%s: %d %s, expected %d\n", what, code, cudaGetErrorString(code), expected);
  ++failures;
}
#define ANSWERS(expected, call) answers(call, expected, #call)
#define HOLDS(condition) answers((condition) ? 0 : 1, 0, #condition)

constexpr int not_ready = 600;
void* const per_thread = reinterpret_cast<void*>(std::uintptr_t{2});
float* values = nullptr;

void work(void* stream) {
  int rounds = 200000;
  void* arguments[] = {&values, &rounds};
  ANSWERS(0, cudaLaunchKernel_ptsz(&work_stub, {8}, {32}, arguments, 0, stream));
}

/// A kernel of the legacy stream, which all others wait for while the host makes its calls.
void hold() {
  int rounds = 4000000;
  void* arguments[] = {&values, &rounds};
  ANSWERS(0, cudaLaunchKernel(&work_stub, {1}, {32}, arguments, 0, nullptr));
}

struct Marked {
  void* event = nullptr;
  Marked() { ANSWERS(0, cudaEventCreate(&event)); }
  void record() const { ANSWERS(0, cudaEventRecord_ptsz(event, nullptr)); }
  [[nodiscard]] double ms_until(const Marked& end) const {
    float ms = -1;
    ANSWERS(0, cudaEventElapsedTime(&ms, event, end.event));
    return ms;
  }
};

/// Each thread's stream is its own, and in order; the legacy stream waits for all of them.
void times() {
  const Marked begin, one, two, other, legacy;
  work(nullptr);  // the first launch loads the code
  ANSWERS(0, cudaDeviceSynchronize());
  hold();
  begin.record();
  work(nullptr);
  one.record();
  work(per_thread);
  two.record();
  std::thread([&] {
    work(nullptr);
    other.record();
  }).join();
  ANSWERS(not_ready, cudaStreamQuery_ptsz(nullptr));
  ANSWERS(not_ready, cuStreamQuery_ptsz(nullptr));
  ANSWERS(0, cudaEventRecord(legacy.event, nullptr));
  ANSWERS(0, cudaDeviceSynchronize());
  ANSWERS(0, cudaStreamQuery_ptsz(nullptr));
  const double each = begin.ms_until(one);
  const auto passes = [&](const Marked& end, double times) {
    return std::fabs(begin.ms_until(end) - times * each) < 0.1 * each;
  };
  HOLDS(passes(two, 2));
  HOLDS(passes(other, 1));
  HOLDS(passes(legacy, 2));
}

/// The order of two threads' streams by an event.
void waits() {
  const Marked begin, one, behind;
  hold();
  begin.record();
  work(nullptr);
  one.record();
  std::thread([&] {
    ANSWERS(0, cudaStreamWaitEvent_ptsz(nullptr, one.event, 0));
    work(nullptr);
    behind.record();
  }).join();
  ANSWERS(0, cudaDeviceSynchronize());
  const double each = begin.ms_until(one);
  HOLDS(std::fabs(begin.ms_until(behind) - 2 * each) < 0.1 * each);
}

void copies() {
  unsigned char in[64], out[64] = {};
  for (unsigned i = 0; i < sizeof in; ++i) in[i] = static_cast<unsigned char>(i);
  void* made = nullptr;
  ANSWERS(0, cudaMallocAsync_ptsz(&made, 64, nullptr));
  ANSWERS(0, cudaMemset_ptds(made, 1, 64));
  ANSWERS(0, cudaMemsetAsync_ptsz(made, 2, 32, nullptr));
  ANSWERS(0, cuMemsetD32_v2_ptds(reinterpret_cast<std::uint64_t>(made), 0x03030303, 4));
  ANSWERS(0, cudaMemcpy_ptds(out, made, 64, to_host));
  HOLDS(out[0] == 3 && out[16] == 2 && out[32] == 1);
  ANSWERS(0, cudaMemcpy2D_ptds(made, 8, in, 16, 8, 4, to_device));
  ANSWERS(0, cudaMemcpy2DAsync_ptsz(out, 8, made, 8, 8, 4, to_host, nullptr));
  ANSWERS(0, cudaStreamSynchronize_ptsz(nullptr));
  HOLDS(out[8] == 16 && out[31] == 55);
  ANSWERS(0, cudaMemset3D_ptds({made, 16, 16, 2}, 9, {16, 2, 2}));
  ANSWERS(0, cudaMemcpyToSymbol_ptds(factors, in, 16, 0, to_device));
  ANSWERS(0, cudaMemcpyFromSymbol(out, factors, 16, 0, to_host));
  HOLDS(out[15] == 15);
  ANSWERS(0, cudaFreeAsync_ptsz(made, nullptr));
  int called = 0;
  const auto count = [](void* data) { ++*static_cast<int*>(data); };
  ANSWERS(0, cudaLaunchHostFunc_ptsz(nullptr, count, &called));
  ANSWERS(0, cudaStreamSynchronize_ptsz(nullptr));
  HOLDS(called == 1);
}

}  // namespace

int main() {
  void* made = nullptr;
  ANSWERS(0, cudaMalloc(&made, 8 * 32 * sizeof(float)));
  values = static_cast<float*>(made);
  times();
  waits();
  copies();
  ANSWERS(400, cudaStreamDestroy(per_thread));
  std::printf("%s %d answers differ\n", failures == 0 ? "PASS" : "MISS", failures);
  return failures == 0 ? 0 : 1;
}
