// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A program whose kernels call by pointers: out of tables, by one that the host read from a
// variable, and by virtual functions of objects that a launch before has made.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "runtime.h"

extern "C" const char pointer_image[];
asm(".section .rodata\n.balign 16\npointer_image: .incbin \"" POINTERS "\"\n.previous\n");

namespace {

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = pointer_image;
  const void* more = nullptr;
};
const Wrapper wrapper;
char by_table, by_argument, make_shapes, areas, chosen;

struct Registration {
  Registration() {
    void** const handle = __cudaRegisterFatBinary(&wrapper);
    const auto kernel = [&](const char& stub, const char* name) {
      register_kernel(handle, &stub, name);
    };
    kernel(by_table, "by_table");
    kernel(by_argument, "by_argument");
    kernel(make_shapes, "make_shapes");
    kernel(areas, "areas");
    register_variable(handle, &chosen, "chosen", 8, false);
    __cudaRegisterFatBinaryEnd(handle);
  }
} const registration;

void check(int code, const char* what) {
  if (code == 0) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(code));
  std::exit(2);
}
#define CHECK(call) check(call, #call)

constexpr int count = 32;

template <class T>
T* on_device() {
  void* made = nullptr;
  CHECK(cudaMalloc(&made, count * sizeof(T)));
  return static_cast<T*>(made);
}

template <class... Arguments>
std::vector<float> launch(const char& kernel, float* out, Arguments... values) {
  void* pointers[] = {&values..., &out};
  CHECK(cudaLaunchKernel(&kernel, {1}, {count}, pointers, 0, nullptr));
  std::vector<float> got(count);
  CHECK(cudaMemcpy(got.data(), out, count * sizeof(float), to_host));
  return got;
}

}  // namespace

int main() {
  float* const out = on_device<float>();
  int* const which = on_device<int>();
  std::vector<int> order(count);
  for (int i = 0; i < count; ++i) order[i] = i * 7 % 3;
  CHECK(cudaMemcpy(which, order.data(), count * sizeof(int), to_device));
  const auto table = launch(by_table, out, which);
  void* function = nullptr;
  CHECK(cudaMemcpyFromSymbol(&function, &chosen, sizeof function, 0, to_host));
  const auto argument = launch(by_argument, out, function);
  void** const shapes = on_device<void*>();
  launch(make_shapes, out, shapes);
  const auto area = launch(areas, out, shapes);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const int first = order[i] == 0 ? i + 2 : order[i] == 1 ? i * 2 : i - 2;
    const int second = i % 2 == 0 ? i * 3 : i + 3;
    wrong += table[i] != static_cast<float>(first + second);
    wrong += argument[i] != static_cast<float>(i - 5);
    wrong += area[i] != static_cast<float>(i * i) / (i % 2 == 0 ? 2 : 1);
  }
  std::printf("%s %d values differ\n", wrong == 0 ? "PASS" : "MISS", wrong);
  return wrong == 0 ? 0 : 1;
}
