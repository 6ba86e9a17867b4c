// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A program of the driver interface, which it loads late and by a path that does not exist, as
// Python's packages do. Prints PASS, or what went wrong.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

extern "C" const char kernel_image[];
asm(".section .rodata\n.balign 16\nkernel_image: .incbin \"" KERNELS "\"\n.previous\n");

namespace {

void* library = nullptr;
int failures = 0;

template <class... Values>
int call(const char* name, Values... values) {
  using Function = int (*)(Values...);
  const auto function = reinterpret_cast<Function>(dlsym(library, name));
  return function == nullptr ? -1 : function(values...);
}
template <class... Values>
void must(const char* name, Values... values) {
  const int status = call(name, values...);
  if (status == 0) return;
  std::printf("%s: %d\n", name, status);
  ++failures;
}
void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("%s\n", what);
  ++failures;
}

struct Side {
  std::size_t x, y;
  unsigned memory;
  const void* host;
  std::uint64_t device;
  void* array;
  std::size_t pitch;
};
struct PlaneCopy {
  Side from, to;
  std::size_t width, height;
};
struct PlaneDescription {
  std::size_t width, height;
  int format;
  unsigned channels;
};
constexpr unsigned host_memory = 1, device_memory = 2, array_memory = 3;

/// The thread's contexts are a stack: what is pushed hides what is below.
void contexts(void** made) {
  void* current = nullptr;
  must("cuInit", 0U);
  must("cuCtxGetCurrent", &current);
  expect(current == nullptr, "a context before one was made");
  expect(call("cuCtxPopCurrent_v2", &current) == 201, "a context popped where there is none");
  void *primary = nullptr, *popped = nullptr;
  must("cuDevicePrimaryCtxRetain", &primary, 0);
  must("cuCtxPushCurrent_v2", primary);
  must("cuCtxCreate_v2", made, 0U, 0);
  must("cuCtxPopCurrent_v2", &popped);
  expect(popped == *made, "another context popped than was made");
  must("cuCtxGetCurrent", &current);
  expect(current == primary, "the context below did not come back");
  char uuid[16], bus[32];
  int device = -1;
  must("cuDeviceGetUuid", &uuid[0], 0);
  must("cuDeviceGetPCIBusId", &bus[0], 32, 0);
  must("cuDeviceGetByPCIBusId", &device, static_cast<const char*>(bus));
  expect(device == 0, "the device is not found by where it is on the bus");
  const char* name = nullptr;
  must("cuGetErrorName", 700, &name);
  expect(name != nullptr && std::strcmp(name, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0,
         "an error's name");
  expect(call("cuGetErrorName", 12345, &name) == 1 && name == nullptr, "a name of no error");
  must("cuCtxSetCurrent", static_cast<void*>(nullptr));
  must("cuCtxGetCurrent", &current);
  expect(current == nullptr, "a context is left on an empty stack");
  must("cuCtxPushCurrent_v2", primary);
}

/// Rows of a matrix into pitched memory and an array, and from there back.
void planes() {
  constexpr std::size_t width = 100, height = 7;
  std::vector<std::uint32_t> in(width * height), out(width * height);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint32_t>(3 * i + 1);
  std::uint64_t rows = 0;
  std::size_t pitch = 0;
  must("cuMemAllocPitch_v2", &rows, &pitch, width * 4, height, 4U);
  PlaneCopy copy{{0, 0, host_memory, in.data(), 0, nullptr, width * 4},
                 {0, 0, device_memory, nullptr, rows, nullptr, pitch},
                 width * 4,
                 height};
  must("cuMemcpy2D_v2", static_cast<const PlaneCopy*>(&copy));
  void* array = nullptr;
  const PlaneDescription wanted{width, height, 0x03, 1};  // words without sign
  must("cuArrayCreate_v2", &array, &wanted);
  copy.from = copy.to;
  copy.to = {0, 0, array_memory, nullptr, 0, array, 0};
  must("cuMemcpy2D_v2", static_cast<const PlaneCopy*>(&copy));
  PlaneDescription told{};
  must("cuArrayGetDescriptor_v2", &told, static_cast<const void*>(array));
  expect(told.width == width && told.height == height && told.format == 3 && told.channels == 1,
         "the array is described otherwise than it was made");
  copy.from = copy.to;
  copy.to = {0, 0, host_memory, out.data(), 0, nullptr, width * 4};
  must("cuMemcpy2D_v2", static_cast<const PlaneCopy*>(&copy));
  expect(in == out, "a plane came back otherwise");
  // From the second word of the third row on.
  copy.from.x = 4;
  copy.from.y = 2;
  copy.width = 8;
  copy.height = 1;
  must("cuMemcpy2D_v2", static_cast<const PlaneCopy*>(&copy));
  expect(out[0] == in[2 * width + 1] && out[1] == in[2 * width + 2], "a part of a plane");
  must("cuMemsetD2D32_v2", rows, pitch, 9U, std::size_t{2}, height);
  must("cuMemcpyDtoH_v2", static_cast<void*>(out.data()), rows + pitch, std::size_t{12});
  expect(out[0] == 9 && out[1] == 9 && out[2] == in[width + 2], "a filled part of rows");
}

/// What a linker made, launched; and what is told of the function and of pointers.
void linked() {
  void *linking = nullptr, *module = nullptr, *axpy = nullptr;
  must("cuLinkCreate_v2", 0U, static_cast<int*>(nullptr), static_cast<void**>(nullptr), &linking);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, kernel_image + 8, sizeof bytes);
  must("cuLinkAddData_v2", linking, 2, static_cast<const void*>(kernel_image),
       static_cast<std::size_t>(bytes + 16), "code", 0U, static_cast<int*>(nullptr),
       static_cast<void**>(nullptr));
  const void* image = nullptr;
  std::size_t size = 0;
  must("cuLinkComplete", linking, &image, &size);
  must("cuModuleLoadDataEx", &module, image, 0U, static_cast<int*>(nullptr),
       static_cast<void**>(nullptr));
  must("cuLinkDestroy", linking);
  must("cuModuleGetFunction", &axpy, module, "axpy");
  int grid = 0, block = 0, n = 1000;
  float a = 2;
  must("cuOccupancyMaxPotentialBlockSize", &grid, &block, axpy,
       static_cast<std::size_t (*)(int)>(nullptr), std::size_t{0}, 0);
  // An Ada SM holds 48 warps: two blocks of 768 threads.
  expect(grid == 128 * 2 && block == 768, "another block than fills an SM");
  std::vector<float> values(1000, 3.0F);
  std::uint64_t x = 0, host = 0;
  must("cuMemAlloc_v2", &x, std::size_t{4000});
  must("cuMemHostRegister_v2", static_cast<void*>(values.data()), std::size_t{4000}, 0U);
  must("cuMemHostGetDevicePointer_v2", &host, static_cast<void*>(values.data()), 0U);
  must("cuMemsetD32_v2", x, 0x3f800000U, std::size_t{1000});
  void* arguments[] = {&n, &a, &x, &host};
  struct {
    unsigned grid[3], block[3], shared;
    void* stream;
    const void* attributes;
    unsigned count;
  } const config{{4, 1, 1}, {256, 1, 1}, 0, nullptr, nullptr, 0};
  must("cuLaunchKernelEx", &config, axpy, &arguments[0], static_cast<void**>(nullptr));
  must("cuCtxSynchronize");
  int wrong = 0;
  for (const float value : values) wrong += value != 5.0F;
  expect(wrong == 0, "values differ");
  must("cuModuleUnload", module);
  expect(call("cuModuleGetFunction", &axpy, module, "axpy") == 400, "code that was unloaded");
  unsigned type = 0;
  must("cuPointerGetAttribute", static_cast<void*>(&type), 2, x);
  expect(type == device_memory, "device memory is told to be the host's");
}

/// What the host writes into a variable before the module's first function is asked for.
void variables() {
  constexpr int mine[8] = {8, 7, 6, 5, 4, 3, 2, 1};
  void *module = nullptr, *function = nullptr;
  std::uint64_t table = 0, out = 0;
  std::size_t bytes = 0;
  must("cuModuleLoadData", &module, static_cast<const void*>(kernel_image));
  must("cuModuleGetGlobal_v2", &table, &bytes, module, "table");
  expect(bytes == sizeof mine, "a variable's size");
  must("cuMemcpyHtoD_v2", table, static_cast<const void*>(mine), sizeof mine);
  must("cuModuleGetFunction", &function, module, "variables");
  must("cuMemAlloc_v2", &out, std::size_t{2 * 64 * 4});
  std::uint64_t order = out + 64 * 4;
  void* arguments[] = {&out, &order};
  must("cuLaunchKernel", function, 1U, 1U, 1U, 64U, 1U, 1U, 0U, static_cast<void*>(nullptr),
       &arguments[0], static_cast<void**>(nullptr));
  int got[64];
  must("cuMemcpyDtoH_v2", static_cast<void*>(got), order, sizeof got);
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += got[i] != mine[i % 8];
  expect(wrong == 0, "a variable that the host wrote");
  must("cuModuleUnload", module);
}

/// A name is the function that a version of CUDA has by it.
void entry_points() {
  constexpr std::uint64_t per_thread = 2;
  const auto is = [](const char* name, int version, std::uint64_t flags, const char* function) {
    void* found = nullptr;
    must("cuGetProcAddress", name, &found, version, flags);
    expect(found != nullptr && found == dlsym(library, function), function);
  };
  is("cuCtxCreate", 3020, 0, "cuCtxCreate_v2");
  is("cuCtxCreate", 11040, 0, "cuCtxCreate_v3");
  is("cuMemAlloc", 12040, 0, "cuMemAlloc_v2");
  is("cuMemAdvise", 12010, 0, "cuMemAdvise");
  is("cuMemAdvise", 12020, 0, "cuMemAdvise_v2");
  is("cuGraphGetEdges", 12020, 0, "cuGraphGetEdges");
  is("cuStreamGetCaptureInfo", 11080, 0, "cuStreamGetCaptureInfo_v2");
  is("cuGetProcAddress", 11030, 0, "cuGetProcAddress");
  is("cuStreamSynchronize", 12040, per_thread, "cuStreamSynchronize_ptsz");
  is("cuMemcpyHtoD", 12040, per_thread, "cuMemcpyHtoD_v2_ptds");
  is("cuCtxGetDevice", 12040, per_thread, "cuCtxGetDevice");
  void* found = nullptr;
  int status = 0;
  expect(call("cuGetProcAddress_v2", "cuNothing", &found, 12040, std::uint64_t{0}, &status) == 500,
         "a function of no name");
  expect(found == nullptr && status == 1, "word of a function of no name");
  void* context = nullptr;
  must("cuCtxCreate_v3", &context, static_cast<const void*>(nullptr), 0, 0U, 0);
  must("cuCtxDestroy_v2", context);
}

/// What is told of a kernel: a block of it has no more threads than its registers allow.
void described() {
  void *module = nullptr, *axpy = nullptr;
  must("cuModuleLoadData", &module, static_cast<const void*>(kernel_image));
  must("cuModuleGetFunction", &axpy, module, "axpy");
  expect(call("cuModuleLoadData", &module, static_cast<const void*>("no code")) == 200, "no code");
  const char* name = nullptr;
  std::size_t offset = 0, bytes = 0;
  must("cuFuncGetName", &name, axpy);
  expect(name != nullptr && std::strcmp(name, "axpy") == 0, "a kernel's name");
  must("cuFuncGetParamInfo", axpy, std::size_t{2}, &offset, &bytes);  // int, float, a pointer
  expect(offset == 8 && bytes == 8, "where a parameter lies");
  expect(call("cuFuncGetParamInfo", axpy, std::size_t{4}, &offset, &bytes) == 1, "no parameter");
  int threads = 0;
  must("cuFuncGetAttribute", &threads, 0, axpy);
  expect(threads == 1024, "threads of a block");
  expect(call("cuFuncGetAttribute", static_cast<int*>(nullptr), 0, axpy) == 1, "no place for it");
}

/// Memory of a stream is released in its order: the host does not wait for what comes before.
void memory_in_streams() {
  constexpr std::size_t bytes = 256U << 20U;
  constexpr int not_ready = 600;
  void *stream = nullptr, *pool = nullptr;
  std::uint64_t memory = 0, pooled = 0;
  must("cuStreamCreate", &stream, 1U);
  must("cuDeviceGetDefaultMemPool", &pool, 0);
  must("cuMemAllocAsync", &memory, bytes, stream);
  must("cuMemAllocFromPoolAsync", &pooled, bytes, pool, stream);
  must("cuMemsetD8Async", memory, static_cast<unsigned char>(1), bytes, stream);
  must("cuMemFreeAsync", memory, stream);
  must("cuMemFreeAsync", pooled, stream);
  expect(call("cuStreamQuery", stream) == not_ready, "the fill before the release goes on");
  must("cuStreamSynchronize", stream);
  expect(call("cuMemAllocAsync", &memory, std::size_t{0}, stream) == 1, "no bytes");
  must("cuStreamDestroy_v2", stream);
}

/// Arguments that the interface documents as wrong.
void refused() {
  constexpr std::size_t page = 4096;
  void *module = nullptr, *scan = nullptr, *empty = nullptr;
  std::uint64_t memory = 0;
  std::vector<char> host(page);
  const auto bytes = [&](std::size_t count) { return count; };
  must("cuMemAlloc_v2", &memory, page);
  expect(call("cuMemcpyHtoD_v2", std::uint64_t{16}, static_cast<const void*>(host.data()),
              bytes(4)) == 1,
         "a copy to no address");
  expect(call("cuMemcpyHtoD_v2", memory, reinterpret_cast<const void*>(std::uintptr_t{16}),
              bytes(4)) == 1,
         "a copy from no address");
  expect(
      call("cuMemcpyDtoH_v2", reinterpret_cast<void*>(std::uintptr_t{16}), memory, bytes(4)) == 1,
      "a copy to no address of the host");
  expect(
      call("cuMemcpyDtoD_v2", memory, reinterpret_cast<std::uint64_t>(host.data()), bytes(4)) == 1,
      "the host's memory as a board's");
  expect(call("cuMemcpyDtoD_v2", memory, memory + page, bytes(4)) == 1, "a copy from outside");
  expect(call("cuMemsetD8_v2", std::uint64_t{16}, static_cast<unsigned char>(0), bytes(4)) == 1,
         "a fill of no address");
  PlaneCopy copy{{0, 0, host_memory, host.data(), 0, nullptr, 8},
                 {0, 0, device_memory, nullptr, memory, nullptr, 16},
                 9,
                 2};
  expect(call("cuMemcpy2D_v2", static_cast<const PlaneCopy*>(&copy)) == 1, "rows beyond a pitch");
  must("cuModuleLoadData", &module, static_cast<const void*>(kernel_image));
  must("cuModuleGetFunction", &scan, module, "scan");
  must("cuModuleGetFunction", &empty, module, "empty");
  int blocks = 0, sms = 0, none = 0;
  must("cuOccupancyMaxActiveBlocksPerMultiprocessor", &blocks, empty, 64, bytes(0));
  must("cuDeviceGetAttribute", &sms, 16, 0);
  void* const stream = nullptr;
  const auto together = [&](int count) {
    return call("cuLaunchCooperativeKernel", empty, static_cast<unsigned>(count), 1U, 1U, 64U, 1U,
                1U, 0U, stream, static_cast<void**>(nullptr));
  };
  expect(together(blocks * sms) == 0, "as many blocks as are resident");
  expect(together(blocks * sms + 1) == 720, "more blocks than are resident");
  void* values[] = {&none, &memory};
  const auto shared = [&](unsigned count) {
    return call("cuLaunchKernel", scan, 1U, 1U, 1U, 32U, 1U, 1U, count, stream, &values[0],
                static_cast<void**>(nullptr));
  };
  expect(shared(49152) == 0 && shared(49153) == 1, "dynamic shared memory that was not allowed");
  must("cuFuncSetAttribute", scan, 8, 65536);
  expect(shared(65536) == 0 && shared(65537) == 1, "dynamic shared memory that was allowed");
  must("cuCtxSynchronize");
  int least = 1, greatest = 1;
  must("cuCtxGetStreamPriorityRange", &least, &greatest);
  expect(least == 0 && greatest < 0, "the range of priorities");
  std::size_t limit = 0;
  must("cuCtxSetLimit", 0, bytes(2048));
  must("cuCtxGetLimit", &limit, 0);
  expect(limit == 2048 && call("cuCtxGetLimit", &limit, 99) == 1, "limits");
}

}  // namespace

int main() {
  library = dlopen("/nowhere/lib64/libcuda.so.1", RTLD_NOW);
  void* const runtime = dlopen("/nowhere/lib64/libcudart.so.11.8.89", RTLD_NOW);
  if (library == nullptr || runtime == nullptr) return std::printf("not loaded\n"), 2;
  expect(dlopen("/nowhere/libcudart.so.10.2", RTLD_NOW) == nullptr, "a version that nobody has");
  void* context = nullptr;
  contexts(&context);
  planes();
  linked();
  variables();
  entry_points();
  described();
  memory_in_streams();
  refused();
  expect(call("cuGraphicsMapResources") == 801, "a call that is not supported");
  std::printf("%s %d failures\n", failures == 0 ? "PASS" : "MISS", failures);
  return failures == 0 ? 0 : 1;
}
