// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A driver without a GPU, to rehearse the measuring: launches take a microsecond a block by its own
// clock. With STUB_DRIVER_LAUNCHES=N the process dies at the N-th launch, as if the machine had
// been taken away.
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace {
double now_ms = 0;
double captured_ms = -1;  // of a graph that is being made
long launches = 0;
}  // namespace

extern "C" {
int cuInit(unsigned) {
  return 0;
}
int cuDeviceGet(int* device, int) {
  return *device = 0;
}
int cuDeviceGetName(char* name, int, int) {
  return std::strcpy(name, "Stub GPU") == nullptr;
}
int cuDeviceGetPCIBusId(char* bus, int, int) {
  return std::strcpy(bus, "0000:00:00.0") == nullptr;
}
int cuDeviceGetAttribute(int* value, int which, int) {
  // 10 SMs of capability 8.0 at 1 GHz; memory, L2 and threads of an SM as the K40 of Sanchez 2017,
  // Table 4.
  constexpr int answers[][2] = {{16, 10},      {75, 8},   {76, 0},       {13, 1000000}, {10, 32},
                                {36, 3004000}, {37, 384}, {38, 1572864}, {39, 2048}};
  *value = 0;
  for (const auto& [attribute, answer] : answers) {
    if (attribute == which) *value = answer;
  }
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  return *context = &now_ms, 0;
}
int cuCtxSetCurrent(void*) {
  return 0;
}
int cuModuleLoadData(void** module, const void*) {
  return *module = &launches, 0;
}
int cuModuleGetFunction(void** kernel, void*, const char* name) {
  *kernel = &now_ms;
  return std::strstr(name, "absent") != nullptr ? 500 : 0;
}
int cuFuncSetAttribute(void*, int, int) {
  return 0;
}
int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  *address = 4096;
  return bytes > (std::size_t{1} << 33) ? 2 : 0;
}
int cuMemFree_v2(unsigned long long) {
  return 0;
}
int cuMemsetD8_v2(unsigned long long, unsigned char, std::size_t) {
  return 0;
}
int cuMemcpyHtoD_v2(unsigned long long, const void*, std::size_t) {
  return 0;
}
int cuMemcpyDtoH_v2(void* to, unsigned long long,
                    std::size_t bytes) {  // every window takes 17 cycles
  for (std::size_t i = 0; i < bytes / sizeof(unsigned); ++i) static_cast<unsigned*>(to)[i] = 17;
  return 0;
}
int cuCtxSynchronize() {
  return 0;
}
int cuDriverGetVersion(int* version) {
  return *version = 12040, 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  return *bytes = std::size_t{1} << 33, 0;
}
int cuEventCreate(void** event, unsigned) {
  return *event = new double(0), 0;
}
int cuEventRecord(void* event, void*) {
  return *static_cast<double*>(event) = now_ms, 0;
}
int cuEventSynchronize(void*) {
  return 0;
}
int cuEventElapsedTime(float* time, void* from, void* to) {
  *time = static_cast<float>(*static_cast<double*>(to) - *static_cast<double*>(from));
  return 0;
}
int cuLaunchKernel(void*, unsigned x, unsigned y, unsigned z, unsigned, unsigned, unsigned,
                   unsigned, void*, void**, void**) {
  const char* most = std::getenv("STUB_DRIVER_LAUNCHES");
  if (most != nullptr && ++launches >= std::atol(most)) _exit(9);
  (captured_ms >= 0 ? captured_ms : now_ms) += 1e-3 * x * y * z;
  return 0;
}
int cuStreamCreate(void** stream, unsigned) {
  return *stream = &launches, 0;
}
int cuStreamSynchronize(void*) {
  return 0;
}
int cuStreamBeginCapture_v2(void*, int) {
  return captured_ms = 0, 0;
}
int cuStreamEndCapture(void*, void** graph) {
  *graph = new double(captured_ms);
  return captured_ms = -1, 0;
}
int cuGraphInstantiateWithFlags(void** ready, void* graph, unsigned long long) {
  return *ready = graph, 0;
}
int cuGraphLaunch(void* ready, void*) {
  return now_ms += *static_cast<double*>(ready), 0;
}
int cuGraphExecDestroy(void*) {
  return 0;
}
int cuGraphDestroy(void*) {
  return 0;
}
int cuMemAllocHost_v2(void** memory, std::size_t bytes) {
  return *memory = std::malloc(bytes), 0;
}
int cuMemFreeHost(void* memory) {
  return std::free(memory), 0;
}
int cuMemcpyDtoD_v2(unsigned long long, unsigned long long, std::size_t) {
  return 0;
}
int cuDeviceGetCount(int* count) {
  return *count = 1, 0;
}
}
