// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A program that shares variables with its kernels, without a call in between: launches that are
// equal but for what the host stored there are others.
#include <cstdio>
#include <cstdlib>

#include "runtime.h"

extern "C" {
void __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name, int ext,
                              std::size_t bytes, int constant, int global);
char __cudaInitModule(void** handle);
}

extern "C" const char managed_image[];
asm(".section .rodata\n.balign 16\nmanaged_image: .incbin \"" MANAGED "\"\n.previous\n");

namespace {

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = managed_image;
  const void* more = nullptr;
};
const Wrapper wrapper;
char raise_flag, take_input;
void *flag_place = nullptr, *input_place = nullptr;  // as host code that nvcc makes has them
void** handle = nullptr;

struct Registration {
  Registration() {
    handle = __cudaRegisterFatBinary(&wrapper);
    register_kernel(handle, &raise_flag, "raise_flag");
    register_kernel(handle, &take_input, "take_input");
    const auto variable = [](void** place, const char* name) {
      __cudaRegisterManagedVar(handle, place, const_cast<char*>(name), name, 0, sizeof(int), 0, 0);
    };
    variable(&flag_place, "flag");
    variable(&input_place, "input");
    __cudaRegisterFatBinaryEnd(handle);
  }
} const registration;

void check(int code, const char* what) {
  if (code == 0) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(code));
  std::exit(2);
}
#define CHECK(call) check(call, #call)

}  // namespace

int main() {
  constexpr int rounds = 5;
  __cudaInitModule(handle);
  int& flag = *static_cast<int*>(flag_place);
  int& input = *static_cast<int*>(input_place);
  int wrong = input != 3;
  void* out = nullptr;
  CHECK(cudaMalloc(&out, sizeof(int)));
  void* pointers[] = {&out};
  for (int round = 0; round < rounds; ++round) {
    flag = 0;
    CHECK(cudaLaunchKernel(&raise_flag, {1}, {1}, nullptr, 0, nullptr));
    CHECK(cudaDeviceSynchronize());
    wrong += flag != 1;
    input = 7 * (round / 2);
    CHECK(cudaLaunchKernel(&take_input, {1}, {1}, pointers, 0, nullptr));
    int got = -1;
    CHECK(cudaMemcpy(&got, out, sizeof got, to_host));
    wrong += got != input;
  }
  std::printf("%s %d values differ\n", wrong == 0 ? "PASS" : "MISS", wrong);
  return wrong == 0 ? 0 : 1;
}
