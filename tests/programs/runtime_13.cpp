// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A program as CUDA 13 builds them: it loads libcudart.so.13, its stubs launch by handles, and the
// properties of a device have no clocks.
#include <cstdio>
#include <cstring>

#include "runtime.h"

extern "C" const char kernel_image[];
asm(".section .rodata\n.balign 16\nkernel_image: .incbin \"" KERNELS "\"\n.previous\n");

extern "C" {
struct Properties {
  char name[256];
  char uuid[16], luid[8];
  unsigned mask;
  std::size_t memory, shared;
  int registers, warp;
  std::size_t pitch;
  int threads, block[3], grid[3];
  std::size_t constant;
  int major, minor;
  char rest[1024];
};
int cudaGetDeviceProperties(Properties* out, int device);
int cudaRuntimeGetVersion(int* version);
int __cudaGetKernel(void** kernel, const void* host);
int __cudaLaunchKernel(void* kernel, Dim3 grid, Dim3 block, void** values, std::size_t shared,
                       void* stream);
}

namespace {
struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = kernel_image;
  const void* more = nullptr;
};
const Wrapper wrapper;
char stub;
}  // namespace

int main() {
  void** const handle = __cudaRegisterFatBinary(&wrapper);
  register_kernel(handle, &stub, "axpy");
  __cudaRegisterFatBinaryEnd(handle);
  Properties properties;
  int version = 0, n = 1000, wrong = 0;
  if (cudaGetDeviceProperties(&properties, 0) != 0 || cudaRuntimeGetVersion(&version) != 0)
    return 2;
  wrong += version < 13000 || properties.warp != 32 || properties.threads != 1024;
  wrong += properties.constant != 65536 || properties.major != 8 || properties.minor != 9;
  float a = 2, host[1000];
  void *x = nullptr, *kernel = nullptr;
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  if (cudaMalloc(&x, sizeof host) != 0 || cudaMemcpy(x, host, sizeof host, to_device) != 0)
    return 2;
  void* arguments[] = {&n, &a, &x, &x};
  if (__cudaGetKernel(&kernel, &stub) != 0) return 2;
  if (__cudaLaunchKernel(kernel, {4}, {256}, arguments, 0, nullptr) != 0) return 2;
  if (cudaMemcpy(host, x, sizeof host, to_host) != 0) return 2;
  for (int i = 0; i < n; ++i) wrong += host[i] != 3 * static_cast<float>(i);
  std::printf("%s CUDA %d on %s, %d.%d: %d values differ\n", wrong == 0 ? "PASS" : "MISS", version,
              properties.name, properties.major, properties.minor, wrong);
  return wrong == 0 ? 0 : 1;
}
