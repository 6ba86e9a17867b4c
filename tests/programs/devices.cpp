// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A program with several devices: each has its own variables of a module, but for managed ones,
// which all share. Prints PASS, or what went wrong.
#include <cstdio>
#include <cstring>

#include "runtime.h"

extern "C" {
int cudaGetSymbolAddress(void** out, const void* symbol);
void __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name, int ext,
                              std::size_t bytes, int constant, int global);
char __cudaInitModule(void** handle);
int cuModuleLoadData(void** out, const void* image);
int cuModuleGetFunction(void** out, void* module, const char* name);
int cuModuleGetGlobal_v2(void** out, std::size_t* bytes, void* module, const char* name);
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void* stream, void** values, void** extra);
int cuMemcpyDtoH_v2(void* to, const void* from, std::size_t bytes);
int cuMemcpyHtoD_v2(void* to, const void* from, std::size_t bytes);
extern const char kernel_image[], managed_image[];
}
asm(".section .rodata\n.balign 16\nkernel_image: .incbin \"" KERNELS
    "\"\n.balign 16\nmanaged_image: .incbin \"" MANAGED "\"\n.previous\n");

namespace {

constexpr int devices = 2, lanes = 8, invalid_handle = 400;

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  const void* more = nullptr;
};
const Wrapper kernels{.data = kernel_image}, shared{.data = managed_image};
char variables_stub, raise_flag, take_input;
float factors[4];
int table[lanes], counter;
void *flag_place = nullptr, *input_place = nullptr;  // as host code that nvcc makes has them
void** shared_handle = nullptr;

struct Registration {
  Registration() {
    void** const handle = __cudaRegisterFatBinary(&kernels);
    register_kernel(handle, &variables_stub, "variables");
    register_variable(handle, factors, "factors", sizeof factors, true);
    register_variable(handle, table, "table", sizeof table, false);
    register_variable(handle, &counter, "counter", sizeof counter, false);
    __cudaRegisterFatBinaryEnd(handle);
    shared_handle = __cudaRegisterFatBinary(&shared);
    register_kernel(shared_handle, &raise_flag, "raise_flag");
    register_kernel(shared_handle, &take_input, "take_input");
    const auto managed = [](void** place, const char* name) {
      __cudaRegisterManagedVar(shared_handle, place, const_cast<char*>(name), name, 0, sizeof(int),
                               0, 0);
    };
    managed(&flag_place, "flag");
    managed(&input_place, "input");
    __cudaRegisterFatBinaryEnd(shared_handle);
  }
} const registration;

int failures = 0;

void answers(int code, int expected, const char* what) {
  if (code == expected) return;
  std::printf("%s: %d, expected %d\n", what, code, expected);
  ++failures;
}
#define MUST(call) answers(call, 0, #call)
#define HOLDS(condition) answers((condition) ? 0 : 1, 0, #condition)

constexpr float first_factors[4] = {1, 2, 3, 4};
constexpr int first_table[lanes] = {3, 1, 4, 1, 5, 9, 2, 6};

/// The current device's variables are these.
void has(const float (&expected)[4], const int (&entries)[lanes], int count) {
  float got[4];
  int order[lanes], counted = -1;
  MUST(cudaMemcpyFromSymbol(got, factors, sizeof got, 0, to_host));
  MUST(cudaMemcpyFromSymbol(order, table, sizeof order, 0, to_host));
  MUST(cudaMemcpyFromSymbol(&counted, &counter, sizeof counted, 0, to_host));
  HOLDS(std::memcmp(got, expected, sizeof got) == 0);
  HOLDS(std::memcmp(order, entries, sizeof order) == 0);
  answers(counted, count, "counter");
}

/// What a device is given.
struct Given {
  float factors[4];
  int table[lanes];
};
const Given given[devices] = {{{2, 3, 5, 7}, {1, 2, 3, 4, 5, 6, 7, 8}},
                              {{9, 8, 7, 6}, {8, 7, 6, 5, 4, 3, 2, 1}}};

/// Kernels read what their device was given, though their arguments are equal.
void own_values() {
  void *out = nullptr, *order = nullptr;
  MUST(cudaMallocManaged(&out, lanes * sizeof(float), 1));
  MUST(cudaMallocManaged(&order, lanes * sizeof(int), 1));
  void* pointers[] = {&out, &order};
  for (int device = 0; device < devices; ++device) {
    MUST(cudaSetDevice(device));
    has(first_factors, first_table, 0);
    MUST(cudaMemcpyToSymbol(factors, given[device].factors, sizeof factors, 0, to_device));
    MUST(cudaMemcpyToSymbol(table, given[device].table, sizeof table, 0, to_device));
  }
  for (int round = 1; round <= 2; ++round) {
    for (int device = 0; device < devices; ++device) {
      MUST(cudaSetDevice(device));
      MUST(cudaLaunchKernel(&variables_stub, {1}, {lanes}, pointers, 0, nullptr));
      MUST(cudaDeviceSynchronize());
      for (int i = 0; i < lanes; ++i) {
        HOLDS(static_cast<float*>(out)[i] == given[device].factors[i % 4] * static_cast<float>(i));
        HOLDS(static_cast<int*>(order)[i] == given[device].table[i]);
      }
      has(given[device].factors, given[device].table, round * lanes);
    }
  }
}

/// Addresses differ, and are memory of their devices.
void addresses() {
  void* at[devices];
  for (int device = 0; device < devices; ++device) {
    MUST(cudaSetDevice(device));
    MUST(cudaGetSymbolAddress(&at[device], table));
    void* again = nullptr;
    MUST(cudaGetSymbolAddress(&again, table));
    HOLDS(again == at[device]);
  }
  HOLDS(at[0] != at[1]);
  int order[lanes];
  MUST(cudaMemcpy(order, at[0], sizeof order, to_host));  // while the other one is current
  HOLDS(std::memcmp(order, given[0].table, sizeof order) == 0);
  MUST(cudaMemcpyPeer(at[1], 1, at[0], 0, sizeof order));
  has(given[1].factors, given[0].table, 2 * lanes);
  MUST(cudaMemcpyToSymbol(table, given[1].table, sizeof table, 0, to_device));
}

/// A managed variable is one for the host and all devices.
void managed() {
  __cudaInitModule(shared_handle);
  int& flag = *static_cast<int*>(flag_place);
  int& input = *static_cast<int*>(input_place);
  HOLDS(input == 3);
  for (int device = devices - 1; device >= 0; --device) {
    MUST(cudaSetDevice(device));
    void *at = nullptr, *out = nullptr;
    MUST(cudaGetSymbolAddress(&at, &input_place));
    HOLDS(at == input_place);
    MUST(cudaMalloc(&out, sizeof(int)));
    void* pointers[] = {&out};
    flag = 0;
    input = 40 + device;
    int got = -1;
    MUST(cudaLaunchKernel(&raise_flag, {1}, {1}, nullptr, 0, nullptr));
    MUST(cudaLaunchKernel(&take_input, {1}, {1}, pointers, 0, nullptr));
    MUST(cudaMemcpy(&got, out, sizeof got, to_host));
    HOLDS(flag == 1);
    answers(got, 40 + device, "input");
  }
}

/// What a device loses by a reset is its own.
void resets() {
  int& input = *static_cast<int*>(input_place);
  for (int device = devices - 1; device >= 0; --device) {
    input = 50;
    MUST(cudaSetDevice(device));
    MUST(cudaDeviceReset());
    has(first_factors, first_table, 0);
    if (device == 0) continue;  // whose memory has the managed ones
    HOLDS(input == 50);
    MUST(cudaSetDevice(0));
    has(given[0].factors, given[0].table, 2 * lanes);
  }
}

/// A module of the driver interface is the device's that was current when it was loaded.
void driver_modules() {
  void *modules[devices], *functions[devices], *at[devices], *out[devices], *order[devices];
  std::size_t bytes = 0;
  for (int device = 0; device < devices; ++device) {
    MUST(cudaSetDevice(device));
    MUST(cudaMalloc(&out[device], lanes * sizeof(float)));
    MUST(cudaMalloc(&order[device], lanes * sizeof(int)));
    MUST(cuModuleLoadData(&modules[device], kernel_image));
  }
  for (int device = 0; device < devices; ++device) {  // whichever is current
    MUST(cuModuleGetFunction(&functions[device], modules[device], "variables"));
    MUST(cuModuleGetGlobal_v2(&at[device], &bytes, modules[device], "table"));
    MUST(cuMemcpyHtoD_v2(at[device], given[device].table, bytes));
  }
  HOLDS(at[0] != at[1] && bytes == sizeof table);
  for (int device = 0; device < devices; ++device) {
    MUST(cudaSetDevice(device));
    void* pointers[] = {&out[device], &order[device]};
    const auto launch = [&](int of) {
      return cuLaunchKernel(functions[of], 1, 1, 1, lanes, 1, 1, 0, nullptr, pointers, nullptr);
    };
    MUST(launch(device));
    answers(launch(1 - device), invalid_handle, "a function of the other device");
    int got[lanes];
    MUST(cuMemcpyDtoH_v2(got, order[device], sizeof got));
    HOLDS(std::memcmp(got, given[device].table, sizeof got) == 0);
  }
}

}  // namespace

int main() {
  int count = 0;
  MUST(cudaGetDeviceCount(&count));
  if (count < devices) return 2;
  own_values();
  addresses();
  managed();
  resets();
  driver_modules();
  std::printf("%s %d answers differ\n", failures == 0 ? "PASS" : "MISS", failures);
  return failures == 0 ? 0 : 1;
}
