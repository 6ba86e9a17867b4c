// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// As much of CUDA's runtime interface as the programs here call, so that any C++ compiler takes
/// them.
extern "C" {
struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};
int cudaMalloc(void** out, std::size_t bytes);
int cudaMallocHost(void** out, std::size_t bytes);
int cudaMallocManaged(void** out, std::size_t bytes, unsigned flags);
int cudaFree(void* at);
int cudaFreeHost(void* at);
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind);
int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* stream);
int cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes);
int cudaMemset(void* to, int value, std::size_t bytes);
int cudaMemsetAsync(void* to, int value, std::size_t bytes, void* stream);
int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                       int kind);
int cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                         int kind);
int cudaLaunchKernel(const void* host, Dim3 grid, Dim3 block, void** values, std::size_t shared,
                     void* stream);
struct LaunchAttribute {
  int id = 0, pad = 0;
  unsigned value[16] = {};
};
struct LaunchConfiguration {
  Dim3 grid, block;
  std::size_t shared = 0;
  void* stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned count = 0;
};
int cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* host, void** values);
int cudaGetFuncBySymbol(void** out, const void* host);
int cuLaunchKernelEx(const LaunchConfiguration* configuration, void* function, void** values,
                     void** extra);
int cudaStreamCreate(void** out);
int cudaStreamCreateWithFlags(void** out, unsigned flags);
int cudaStreamDestroy(void* stream);
int cudaStreamSynchronize(void* stream);
int cudaStreamWaitEvent(void* stream, void* event, unsigned flags);
int cudaStreamBeginCapture(void* stream, int mode);
int cudaStreamEndCapture(void* stream, void** graph);
int cudaGraphInstantiate(void** out, void* graph, void** node, char* log, std::size_t bytes);
int cudaGraphLaunch(void* graph, void* stream);
int cudaEventCreate(void** out);
int cudaEventRecord(void* event, void* stream);
int cudaEventSynchronize(void* event);
int cudaEventElapsedTime(float* ms, void* begin, void* end);
int cudaDeviceSynchronize();
int cudaGetDeviceCount(int* count);
int cudaSetDevice(int device);
int cudaDeviceReset();
int cudaGetLastError();
const char* cudaGetErrorString(int code);
int cudaGLSetGLDevice(int device);
void** __cudaRegisterFatBinary(const void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, const void* host, char* device, const char* name,
                            int threads, void* tid, void* bid, void* block, void* grid, int* warp);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int ext,
                       std::size_t bytes, int constant, int global);
}

// As nvcc's host code calls them: the code is looked up by the first of the two names.
inline void register_kernel(void** handle, const void* stub, const char* name) {
  __cudaRegisterFunction(handle, stub, const_cast<char*>(name), name, -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
}
inline void register_variable(void** handle, void* host, const char* name, std::size_t bytes,
                              bool constant) {
  __cudaRegisterVar(handle, static_cast<char*>(host), const_cast<char*>(name), name, 0, bytes,
                    constant ? 1 : 0, 0);
}
constexpr int to_device = 1, to_host = 2, by_address = 4;
