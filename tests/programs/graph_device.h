// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "graphs.h"
#include "runtime.h"

// What the programs about graphs share: their kernels, memory and streams, and how they say what
// does not hold. Each includes it once.
extern "C" const char kernel_image[];
asm(".section .rodata\n.balign 16\nkernel_image: .incbin \"" KERNELS "\"\n.previous\n");

namespace {

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = kernel_image;
  const void* more = nullptr;
};
const Wrapper wrapper;
char axpy, work;
float factors[4];

struct Registration {
  Registration() {
    void** const handle = __cudaRegisterFatBinary(&wrapper);
    register_kernel(handle, &axpy, "axpy");
    register_kernel(handle, &work, "work");
    register_variable(handle, factors, "factors", sizeof factors, true);
    __cudaRegisterFatBinaryEnd(handle);
  }
} const registration;

int failures = 0;
void holds(bool is, const char* text, int line) {
  if (is) return;
  std::printf("line %d: %s (last error: %s)\n", line, text, cudaGetErrorString(cudaGetLastError()));
  ++failures;
}
#define HOLDS(condition) holds(condition, #condition, __LINE__)
#define OK(call) HOLDS((call) == 0)
constexpr int unsupported = 900, invalidated = 901, merge = 902, unmatched = 903, unjoined = 904,
              isolation = 905, implicit = 906, captured_event = 907, wrong_thread = 908,
              update_failure = 910, invalid_value = 1, illegal_state = 401;

constexpr int n = 1000;

struct Device {
  float *x = nullptr, *y = nullptr;
  float* host = nullptr;  ///< pinned
  void *stream = nullptr, *other = nullptr, *event = nullptr, *second = nullptr;
  Device() {
    OK(cudaMalloc(reinterpret_cast<void**>(&x), n * 4));
    OK(cudaMalloc(reinterpret_cast<void**>(&y), n * 4));
    OK(cudaMallocHost(reinterpret_cast<void**>(&host), n * 4));
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamCreateWithFlags(&other, 1));
    OK(cudaEventCreate(&event));
    OK(cudaEventCreate(&second));
    const std::vector<float> ones(n, 1.0F);
    OK(cudaMemcpy(x, ones.data(), n * 4, to_device));
    OK(cudaMemset(y, 0, n * 4));
  }
  /// y += a x
  int add(float a, void* in) const { return add_to(y, a, in); }
  int add_to(float* to, float a, void* in) const {
    int count = n;
    const float* from = x;
    void* values[] = {&count, &a, &from, &to};
    return cudaLaunchKernel(&axpy, {4}, {256}, values, 0, in);
  }
  [[nodiscard]] float last() const {
    float value = -1;
    OK(cudaMemcpy(&value, y + n - 1, 4, to_host));
    return value;
  }
};

/// The parameters of an axpy as a node has them.
struct Axpy {
  int count = n;
  float a = 1;
  const float* x = nullptr;
  float* y = nullptr;
  void* values[4] = {&count, &a, &x, &y};
  KernelNode node{&axpy, {4}, {256}, 0, values, nullptr};
  Axpy(const Device& on, float factor) : a(factor), x(on.x), y(on.y) {}
};

void count_up(void* at) {
  ++*static_cast<int*>(at);
}

void* instantiated(void* graph) {
  void* made = nullptr;
  OK(cudaGraphInstantiate(&made, graph, nullptr, nullptr, 0));
  return made;
}
void launched(const Device& on, void* plan) {
  OK(cudaGraphLaunch(plan, on.stream));
  OK(cudaStreamSynchronize(on.stream));
}

/// Runs the parts, or the one that the command line names.
template <class Parts>
int run_parts(const Parts& parts, int argc, char** argv) {
  for (const auto& [name, part] : parts) {
    if (argc > 1 && name != std::string(argv[1])) continue;
    part();
  }
  std::printf("%s %d failures\n", failures == 0 ? "PASS" : "MISS", failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace
