// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Calls with arguments that CUDA documents as wrong, and what is told of streams, limits and
// memory. None of them may end the program. Prints PASS, or what was answered instead.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sys/mman.h>
#include <vector>

#include "runtime.h"

extern "C" {
int cudaHostAlloc(void** out, std::size_t bytes, unsigned flags);
int cudaHostGetFlags(unsigned* flags, void* host);
int cudaHostRegister(void* at, std::size_t bytes, unsigned flags);
int cudaHostUnregister(void* at);
int cudaFreeAsync(void* at, void* stream);
int cudaGetSymbolAddress(void** out, const void* symbol);
int cudaDeviceReset();
int cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data);
int cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                 std::size_t width, std::size_t height, int kind);
int cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height);
int cudaLaunchCooperativeKernel(const void* host, Dim3 grid, Dim3 block, void** values,
                                std::size_t shared, void* stream);
int cudaFuncSetAttribute(const void* host, int attribute, int value);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host, int threads,
                                                  std::size_t shared);
int cudaDeviceGetAttribute(int* value, int attribute, int device);
int cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
int cudaStreamCreateWithPriority(void** out, unsigned flags, int priority);
int cudaStreamGetPriority(void* stream, int* priority);
int cudaStreamGetFlags(void* stream, unsigned* flags);
int cudaStreamSetAttribute(void* stream, int attribute, const void* value);
int cudaStreamGetAttribute(void* stream, int attribute, void* value);
int cudaStreamCopyAttributes(void* to, void* from);
int cudaCtxResetPersistingL2Cache();
int cudaDeviceEnablePeerAccess(int peer, unsigned flags);
int cudaDeviceDisablePeerAccess(int peer);
int cudaDeviceGetP2PAttribute(int* value, int attribute, int from, int to);
int cudaDeviceSetLimit(int limit, std::size_t value);
int cudaDeviceGetLimit(std::size_t* value, int limit);
int cudaMemAdvise(const void* at, std::size_t bytes, int advice, int device);
int cudaMemPrefetchAsync(const void* at, std::size_t bytes, int device, void* stream);
int cudaMemRangeGetAttribute(void* out, std::size_t bytes, int attribute, const void* at,
                             std::size_t length);
int cudaCreateTextureObject(unsigned long long* out, const void* resource, const void* reading,
                            const void* view);
int cudaDestroyTextureObject(unsigned long long object);
int cudaGetTextureObjectResourceDesc(void* out, unsigned long long object);
int cudaGetTextureObjectTextureDesc(void* out, unsigned long long object);
int cudaGetTextureObjectResourceViewDesc(void* out, unsigned long long object);
int cudaGetDevice(int* device);
int cudaDriverGetVersion(int* version);
int cudaDeviceCanAccessPeer(int* can, int device, int peer);
int cudaMemGetInfo(std::size_t* free, std::size_t* total);
int cudaHostRegister(void* at, std::size_t bytes, unsigned flags);
int cudaHostGetDevicePointer(void** out, void* host, unsigned flags);
int cudaGetSymbolAddress(void** out, const void* symbol);
int cudaFuncGetName(const char** name, const void* host);
int cudaStreamGetId(void* stream, unsigned long long* id);
int cudaMallocArray(void** out, const void* format, std::size_t width, std::size_t height,
                    unsigned flags);
int cudaMemcpyToArray(void* array, std::size_t x, std::size_t y, const void* from,
                      std::size_t bytes, int kind);
int cudaMemcpyFromArray(void* to, const void* array, std::size_t x, std::size_t y,
                        std::size_t bytes, int kind);
int cudaMemcpy2DArrayToArray(void* to, std::size_t to_x, std::size_t to_y, const void* from,
                             std::size_t from_x, std::size_t from_y, std::size_t width,
                             std::size_t height, int kind);
int cudaGraphCreate(void** graph, unsigned flags);
int cudaGraphAddNode(void** out, void* graph, void* const* after, std::size_t count, void* from);
int cudaGraphInstantiateWithParams(void** out, void* graph, void* how);
int cudaGraphExecGetFlags(void* plan, unsigned long long* flags);
const char* cudaGetErrorName(int code);
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
char empty_stub, scan_stub;
float factors[4];

struct Registration {
  Registration() {
    void** const handle = __cudaRegisterFatBinary(&wrapper);
    register_kernel(handle, &empty_stub, "empty");
    register_kernel(handle, &scan_stub, "scan");
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

constexpr int invalid_value = 1, invalid_pitch = 12, invalid_direction = 21,
              unsupported_limit = 215, peer_unsupported = 217, invalid_device = 101,
              invalid_handle = 400, not_ready = 600, already_enabled = 704, not_enabled = 705,
              not_registered = 713, too_large = 720;
constexpr int on_host = 0, on_device = 3;

void* nowhere() {
  return reinterpret_cast<void*>(std::uintptr_t{0x10});
}

/// Addresses that nothing lies at, of both kinds and both sides.
void addresses() {
  void *memory = nullptr, *freed = nullptr;
  ANSWERS(0, cudaMalloc(&memory, 4096));
  ANSWERS(0, cudaMalloc(&freed, 4096));
  ANSWERS(0, cudaFree(freed));
  std::vector<char> host(8192);
  for (const int kind : {to_device, on_device, by_address}) {
    ANSWERS(invalid_value, cudaMemcpy(nowhere(), memory, 4, kind));
    ANSWERS(invalid_value, cudaMemcpy(freed, host.data(), 4, kind));
    ANSWERS(invalid_value, cudaMemcpy(memory, nowhere(), 4, kind));
  }
  ANSWERS(invalid_value, cudaMemcpy(host.data(), freed, 4, to_host));
  ANSWERS(invalid_value, cudaMemcpy(nowhere(), memory, 4, to_host));
  ANSWERS(invalid_value, cudaMemcpyAsync(nowhere(), memory, 4, to_host, nullptr));
  ANSWERS(invalid_value, cudaMemcpy(memory, host.data(), 4097, to_device));
  ANSWERS(invalid_value, cudaMemset(nowhere(), 0, 4));
  ANSWERS(invalid_value, cudaMemset(freed, 0, 4));
  ANSWERS(invalid_value, cudaMemset(memory, 0, 4097));
  ANSWERS(invalid_value, cudaMemset(host.data(), 0, 4));
  ANSWERS(invalid_value, cudaMemcpyToSymbol(factors, nowhere(), 16, 0, to_device));
  // Pages of the host that cannot be written, and that end.
  constexpr std::size_t page = 4096;
  auto* const pages = static_cast<char*>(
      mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + page, page, PROT_READ);
  mprotect(pages + 2 * page, page, PROT_NONE);
  ANSWERS(0, cudaMemcpy(memory, pages + page, page, to_device));
  ANSWERS(invalid_value, cudaMemcpy(pages + page, memory, page, to_host));
  ANSWERS(invalid_value, cudaMemcpy(memory, pages + page + 1, page, to_device));
  ANSWERS(invalid_value, cudaMemcpy2D(memory, 1, pages + page, page, 1, 2, to_device));
  ANSWERS(0, cudaMemcpy2D(memory, 1, pages, page, 1, 2, to_device));
  // The last byte of a page, and all of a large piece.
  pages[page - 1] = 7;
  char back = 0;
  ANSWERS(0, cudaMemcpy(memory, pages + page - 1, 1, to_device));
  ANSWERS(0, cudaMemcpy(&back, memory, 1, to_host));
  HOLDS(back == 7);
  void* large = nullptr;
  std::vector<char> much(9 << 20, 3), got(9 << 20);
  ANSWERS(0, cudaMalloc(&large, much.size()));
  ANSWERS(0, cudaMemcpy(large, much.data(), much.size(), to_device));
  ANSWERS(0, cudaMemcpy(got.data(), large, much.size(), to_host));
  HOLDS(much == got);
}

/// Directions that the addresses contradict, and none.
void directions() {
  void *memory = nullptr, *pinned = nullptr, *managed = nullptr;
  char host[64] = {}, other[64] = {};
  ANSWERS(0, cudaMalloc(&memory, 64));
  ANSWERS(0, cudaMallocHost(&pinned, 64));
  ANSWERS(0, cudaMallocManaged(&managed, 64, 1));
  ANSWERS(invalid_value, cudaMemcpy(host, memory, 4, to_device));
  ANSWERS(invalid_value, cudaMemcpy(memory, host, 4, to_host));
  ANSWERS(invalid_value, cudaMemcpy(host, other, 4, on_device));
  ANSWERS(invalid_value, cudaMemcpy(host, other, 4, to_device));
  ANSWERS(0, cudaMemcpy(host, other, 4, on_host));
  for (const int none : {5, 17, -1}) ANSWERS(invalid_direction, cudaMemcpy(memory, host, 4, none));
  ANSWERS(invalid_direction, cudaMemcpyToSymbol(factors, host, 16, 0, to_host));
  ANSWERS(invalid_direction, cudaMemcpyFromSymbol(host, factors, 16, 0, to_device));
  ANSWERS(0, cudaMemcpyFromSymbol(memory, factors, 16, 0, on_device));
  // Pinned and managed memory is both sides'.
  for (const int kind : {on_host, to_device, to_host, on_device, by_address})
    ANSWERS(0, cudaMemcpy(pinned, managed, 64, kind));
  ANSWERS(invalid_device, cudaMemcpyPeer(memory, 0, memory, 7, 4));
  ANSWERS(invalid_pitch, cudaMemcpy2D(memory, 8, host, 16, 9, 2, to_device));
  ANSWERS(invalid_pitch, cudaMemcpy2D(memory, 16, host, 8, 9, 2, to_device));
  ANSWERS(0, cudaMemcpy2D(memory, 9, host, 16, 9, 2, to_device));
  ANSWERS(invalid_value, cudaMemset2D(memory, 8, 0, 9, 2));
}

/// More blocks together than are resident, and more shared memory than was allowed.
void launches() {
  int blocks = 0, sms = 0, length = 0;
  void* line = nullptr;
  ANSWERS(0, cudaMalloc(&line, 4096));
  void* values[] = {&length, &line};
  ANSWERS(0, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &empty_stub, 64, 0));
  ANSWERS(0, cudaDeviceGetAttribute(&sms, 16, 0));
  const auto resident = static_cast<unsigned>(blocks * sms);
  ANSWERS(0, cudaLaunchCooperativeKernel(&empty_stub, {resident}, {64}, nullptr, 0, nullptr));
  ANSWERS(too_large,
          cudaLaunchCooperativeKernel(&empty_stub, {resident + 1}, {64}, nullptr, 0, nullptr));
  ANSWERS(0, cudaLaunchKernel(&scan_stub, {1}, {32}, values, 48 << 10, nullptr));
  ANSWERS(invalid_value, cudaLaunchKernel(&scan_stub, {1}, {32}, values, (48 << 10) + 1, nullptr));
  ANSWERS(0, cudaFuncSetAttribute(&scan_stub, 8, 64 << 10));
  ANSWERS(0, cudaLaunchKernel(&scan_stub, {1}, {32}, values, 64 << 10, nullptr));
  ANSWERS(invalid_value, cudaLaunchKernel(&scan_stub, {1}, {32}, values, (64 << 10) + 1, nullptr));
  ANSWERS(0, cudaFuncSetAttribute(&scan_stub, 8, 0));
  ANSWERS(invalid_value, cudaLaunchKernel(&scan_stub, {1}, {32}, values, 128, nullptr));
  ANSWERS(0, cudaDeviceSynchronize());
}

void streams() {
  int least = 1, greatest = 1, priority = 1;
  unsigned flags = 9;
  void *stream = nullptr, *plain = nullptr;
  ANSWERS(0, cudaDeviceGetStreamPriorityRange(&least, &greatest));
  HOLDS(least == 0 && greatest == -5);  // of an Ada board
  ANSWERS(0, cudaStreamCreateWithPriority(&stream, 1, -99));
  ANSWERS(0, cudaStreamGetPriority(stream, &priority));
  ANSWERS(0, cudaStreamGetFlags(stream, &flags));
  HOLDS(priority == greatest && flags == 1);
  ANSWERS(0, cudaStreamCreate(&plain));
  ANSWERS(0, cudaStreamGetPriority(plain, &priority));
  ANSWERS(0, cudaStreamGetFlags(plain, &flags));
  HOLDS(priority == 0 && flags == 0);
  ANSWERS(invalid_value, cudaStreamCreateWithPriority(&plain, 2, 0));
  // A window of persisting lines is a hint.
  char window[64] = {1, 2, 3}, told[64] = {};
  ANSWERS(0, cudaStreamSetAttribute(stream, 1, window));
  ANSWERS(0, cudaStreamCopyAttributes(plain, stream));
  ANSWERS(0, cudaStreamGetAttribute(plain, 1, told));
  HOLDS(std::memcmp(window, told, sizeof told) == 0);
  ANSWERS(invalid_value, cudaStreamSetAttribute(stream, 0, window));
  ANSWERS(0, cudaCtxResetPersistingL2Cache());
  ANSWERS(0, cudaStreamDestroy(stream));
  ANSWERS(invalid_handle, cudaStreamGetFlags(stream, &flags));
}

/// Of the two boards that the program sees.
void peers() {
  int value = 0;
  ANSWERS(peer_unsupported, cudaDeviceEnablePeerAccess(0, 0));
  ANSWERS(not_enabled, cudaDeviceDisablePeerAccess(1));
  ANSWERS(0, cudaDeviceEnablePeerAccess(1, 0));
  ANSWERS(already_enabled, cudaDeviceEnablePeerAccess(1, 0));
  ANSWERS(0, cudaDeviceDisablePeerAccess(1));
  ANSWERS(invalid_device, cudaDeviceEnablePeerAccess(2, 0));
  ANSWERS(0, cudaDeviceGetP2PAttribute(&value, 2, 0, 1));
  HOLDS(value == 1);
  ANSWERS(invalid_value, cudaDeviceGetP2PAttribute(&value, 5, 0, 1));
  ANSWERS(invalid_device, cudaDeviceGetP2PAttribute(&value, 2, 0, 0));
}

/// Each call frees only what its own kind of calls made.
void frees() {
  void *memory = nullptr, *managed = nullptr, *pinned = nullptr, *variable = nullptr;
  static char own[4096];
  ANSWERS(0, cudaMalloc(&memory, 64));
  ANSWERS(0, cudaMallocManaged(&managed, 64, 1));
  ANSWERS(0, cudaMallocHost(&pinned, 64));
  ANSWERS(0, cudaHostRegister(own, sizeof own, 0));
  ANSWERS(0, cudaGetSymbolAddress(&variable, factors));
  for (void* const other : {pinned, variable, static_cast<void*>(own), nowhere()}) {
    ANSWERS(invalid_value, cudaFree(other));
    ANSWERS(invalid_value, cudaFreeAsync(other, nullptr));
  }
  for (void* const other : {memory, managed, variable, static_cast<void*>(own), nowhere()})
    ANSWERS(invalid_value, cudaFreeHost(other));
  for (void* const other : {memory, managed, variable, pinned, nowhere()})
    ANSWERS(not_registered, cudaHostUnregister(other));
  static_cast<char*>(pinned)[63] = 1;  // still there
  ANSWERS(0, cudaMemcpy(variable, pinned, 16, to_device));
  ANSWERS(0, cudaFree(memory));
  ANSWERS(0, cudaFree(managed));
  ANSWERS(0, cudaFreeHost(pinned));
  ANSWERS(0, cudaHostUnregister(own));
  ANSWERS(invalid_value, cudaFree(memory));
  ANSWERS(invalid_value, cudaFreeHost(pinned));
  ANSWERS(not_registered, cudaHostUnregister(own));
}

/// A reset is one device's.
void resets() {
  void *first = nullptr, *second = nullptr;
  char host[64] = {5}, back[64] = {};
  ANSWERS(0, cudaMalloc(&first, 64));
  ANSWERS(0, cudaMemcpy(first, host, 64, to_device));
  ANSWERS(0, cudaMemcpyToSymbol(factors, host, 16, 0, to_device));
  ANSWERS(0, cudaSetDevice(1));
  ANSWERS(0, cudaMalloc(&second, 64));
  ANSWERS(0, cudaDeviceEnablePeerAccess(0, 0));
  ANSWERS(0, cudaDeviceReset());
  ANSWERS(invalid_value, cudaMemset(second, 0, 64));
  ANSWERS(0, cudaDeviceEnablePeerAccess(0, 0));
  ANSWERS(0, cudaSetDevice(0));
  ANSWERS(0, cudaMemcpy(back, first, 64, to_host));
  HOLDS(back[0] == 5);
  ANSWERS(0, cudaMemcpyFromSymbol(back + 1, factors, 16, 0, to_host));
  HOLDS(back[1] == 5);
  ANSWERS(0, cudaDeviceReset());
  ANSWERS(invalid_value, cudaMemset(first, 0, 64));
  ANSWERS(0, cudaSetDevice(1));
  ANSWERS(0, cudaDeviceEnablePeerAccess(0, 0));  // which ended with the other's reset
  ANSWERS(0, cudaDeviceDisablePeerAccess(0));
  ANSWERS(0, cudaSetDevice(0));
}

/// What goes into a stream of the device that is not the current one.
void other_devices() {
  void *stream = nullptr, *event = nullptr, *own = nullptr, *memory = nullptr;
  char host[64] = {};
  float ms = 0;
  ANSWERS(0, cudaEventCreate(&own));
  ANSWERS(0, cudaMalloc(&memory, 64));
  ANSWERS(0, cudaSetDevice(1));
  ANSWERS(0, cudaStreamCreate(&stream));
  ANSWERS(0, cudaEventCreate(&event));
  ANSWERS(0, cudaLaunchKernel(&empty_stub, {1}, {32}, nullptr, 0, stream));
  ANSWERS(invalid_handle, cudaEventRecord(own, nullptr));
  ANSWERS(0, cudaSetDevice(0));
  ANSWERS(invalid_handle, cudaLaunchKernel(&empty_stub, {1}, {32}, nullptr, 0, stream));
  ANSWERS(invalid_handle, cudaEventRecord(own, stream));
  ANSWERS(invalid_handle, cudaEventRecord(event, nullptr));
  ANSWERS(0, cudaEventRecord(event, stream));
  ANSWERS(0, cudaEventRecord(own, nullptr));
  ANSWERS(0, cudaStreamWaitEvent(nullptr, event, 0));
  ANSWERS(0, cudaStreamWaitEvent(stream, own, 0));
  ANSWERS(0, cudaEventSynchronize(event));
  ANSWERS(invalid_handle, cudaEventElapsedTime(&ms, own, event));
  ANSWERS(0, cudaMemcpyAsync(memory, host, 64, to_device, stream));
  ANSWERS(0, cudaMemsetAsync(memory, 0, 64, stream));
  ANSWERS(0, cudaLaunchHostFunc(
                 stream, [](void*) {}, nullptr));
  ANSWERS(0, cudaStreamSynchronize(stream));
  ANSWERS(0, cudaStreamDestroy(stream));
}

void limits() {
  std::size_t value = 0;
  ANSWERS(0, cudaDeviceSetLimit(0, 4096));
  ANSWERS(0, cudaDeviceGetLimit(&value, 0));
  HOLDS(value == 4096);
  ANSWERS(0, cudaDeviceSetLimit(2, 16 << 20));
  ANSWERS(0, cudaDeviceGetLimit(&value, 2));
  HOLDS(value == 16 << 20);
  ANSWERS(0, cudaDeviceGetLimit(&value, 7));
  ANSWERS(unsupported_limit, cudaDeviceSetLimit(7, 1));
  ANSWERS(invalid_value, cudaDeviceSetLimit(-1, 1));
  ANSWERS(invalid_value, cudaDeviceSetLimit(5, 129));
  void* host = nullptr;
  unsigned flags = 0;
  ANSWERS(0, cudaHostAlloc(&host, 64, 4));  // write-combined
  ANSWERS(0, cudaHostGetFlags(&flags, host));
  HOLDS(flags == (4 | 2));  // and mapped
  ANSWERS(invalid_value, cudaHostGetFlags(&flags, &value));
}

/// Advice about halves of managed memory, and about all of it.
void ranges() {
  constexpr std::size_t half = 1 << 20;
  constexpr int host = -1, none = -2;
  void *made = nullptr, *memory = nullptr;
  ANSWERS(0, cudaMallocManaged(&made, 2 * half, 1));
  ANSWERS(0, cudaMalloc(&memory, half));
  auto* const managed = static_cast<char*>(made);
  int value = 9;
  const auto of = [&](int attribute, const void* at, std::size_t bytes) {
    ANSWERS(0, cudaMemRangeGetAttribute(&value, 4, attribute, at, bytes));
    return value;
  };
  HOLDS(of(1, managed, 2 * half) == 0 && of(2, managed, half) == none);
  ANSWERS(0, cudaMemAdvise(managed, half, 3, 0));
  HOLDS(of(2, managed, half) == 0 && of(2, managed, 2 * half) == none);
  ANSWERS(0, cudaMemAdvise(managed + half, half, 3, 0));
  HOLDS(of(2, managed, 2 * half) == 0);
  ANSWERS(0, cudaMemAdvise(managed, 2 * half, 1, 0));
  ANSWERS(0, cudaMemAdvise(managed, 1, 2, 0));
  HOLDS(of(1, managed, 2 * half) == 0 && of(1, managed + half, half) == 1);
  ANSWERS(0, cudaMemPrefetchAsync(managed, 2 * half, host, nullptr));
  HOLDS(of(4, managed, 2 * half) == host);
  int users[3] = {};
  ANSWERS(0, cudaMemAdvise(managed, half, 5, 0));
  ANSWERS(0, cudaMemRangeGetAttribute(users, sizeof users, 3, managed, half));
  HOLDS(users[0] == 0 && users[1] == none && users[2] == none);
  ANSWERS(invalid_value, cudaMemAdvise(memory, half, 1, 0));
  ANSWERS(invalid_value, cudaMemAdvise(managed, 2 * half + 1, 1, 0));
  ANSWERS(invalid_device, cudaMemAdvise(managed, half, 3, 7));
  ANSWERS(invalid_value, cudaMemPrefetchAsync(memory, half, 0, nullptr));
  ANSWERS(0, cudaFree(managed));
  ANSWERS(invalid_value, cudaMemRangeGetAttribute(&value, 4, 1, managed, half));
}

/// A texture object is described as it was made.
void textures() {
  void* memory = nullptr;
  ANSWERS(0, cudaMalloc(&memory, 256));
  struct {
    int kind = 2;  // linear
    int pad = 0;
    void* at = nullptr;
    int bits[4] = {32, 0, 0, 0};
    int format = 2;
    int gap = 0;
    std::size_t bytes = 256;
    char rest[16] = {};
  } resource, told;
  static_assert(sizeof resource == 64);
  resource.at = memory;
  told.bytes = 0;
  int reading[17] = {1, 1, 1}, read[17] = {};
  char view[48] = {};
  unsigned long long object = 0;
  ANSWERS(0, cudaCreateTextureObject(&object, &resource, reading, nullptr));
  ANSWERS(0, cudaGetTextureObjectResourceDesc(&told, object));
  ANSWERS(0, cudaGetTextureObjectTextureDesc(read, object));
  HOLDS(std::memcmp(&told, &resource, sizeof told) == 0);
  HOLDS(std::memcmp(read, reading, sizeof read) == 0);
  ANSWERS(0, cudaGetTextureObjectResourceViewDesc(view, object));
  ANSWERS(0, cudaDestroyTextureObject(object));
  ANSWERS(invalid_value, cudaGetTextureObjectResourceDesc(&told, object));
}

/// Nowhere to write to, memory of no size, and an event whose work goes on.
void nothing() {
  std::size_t bytes = 0;
  void* made = nullptr;
  char host[64];
  ANSWERS(invalid_value, cudaGetDevice(nullptr));
  ANSWERS(invalid_value, cudaDriverGetVersion(nullptr));
  ANSWERS(invalid_value, cudaDeviceCanAccessPeer(nullptr, 0, 1));
  ANSWERS(invalid_value, cudaMemGetInfo(nullptr, &bytes));
  ANSWERS(invalid_value, cudaHostGetDevicePointer(nullptr, host, 0));
  ANSWERS(invalid_value, cudaGetSymbolAddress(nullptr, factors));
  ANSWERS(invalid_value, cudaMallocManaged(&made, 0, 1));
  ANSWERS(invalid_value, cudaMallocManaged(&made, 64, 0));
  ANSWERS(invalid_value, cudaHostRegister(nullptr, 64, 0));
  ANSWERS(invalid_value, cudaHostRegister(host, 0, 0));
  HOLDS(std::strcmp(cudaGetErrorName(unsupported_limit), "cudaErrorUnsupportedLimit") == 0);
  void *begin = nullptr, *end = nullptr, *line = nullptr;
  int length = 0;
  float ms = 0;
  void* values[] = {&length, &line};
  ANSWERS(0, cudaMalloc(&line, 4096));
  ANSWERS(0, cudaEventCreate(&begin));
  ANSWERS(0, cudaEventCreate(&end));
  ANSWERS(0, cudaEventRecord(begin, nullptr));
  for (int i = 0; i < 1000; ++i)
    ANSWERS(0, cudaLaunchKernel(&scan_stub, {1}, {32}, values, 0, nullptr));
  ANSWERS(0, cudaEventRecord(end, nullptr));
  ANSWERS(not_ready, cudaEventElapsedTime(&ms, begin, end));
  ANSWERS(0, cudaEventSynchronize(end));
  ANSWERS(0, cudaEventElapsedTime(&ms, begin, end));
}

/// What is told of kernels and streams, and a graph that is described as a whole.
void told() {
  const char* name = nullptr;
  unsigned long long one = 0, other = 0, flags = 0;
  void *stream = nullptr, *graph = nullptr, *plan = nullptr, *node = nullptr, *memory = nullptr;
  ANSWERS(0, cudaFuncGetName(&name, &scan_stub));
  HOLDS(name != nullptr && std::strcmp(name, "scan") == 0);
  ANSWERS(0, cudaStreamCreate(&stream));
  ANSWERS(0, cudaStreamGetId(stream, &one));
  ANSWERS(0, cudaStreamGetId(nullptr, &other));
  HOLDS(one != other);
  ANSWERS(0, cudaMalloc(&memory, 64));
  ANSWERS(0, cudaMemset(memory, 0, 64));
  struct {
    int kind = 2, reserved[3] = {};
    void* to = nullptr;
    std::size_t pitch = 0;
    unsigned value = 7, element = 1;
    std::size_t width = 64, height = 1;
    char rest[200] = {};
  } fill;
  static_assert(sizeof fill == 256);
  fill.to = memory;
  struct {
    unsigned long long flags = 1;
    void *stream = nullptr, *node = nullptr;
    int result = 9;
  } how;
  how.node = memory;
  char back = 0;
  ANSWERS(0, cudaGraphCreate(&graph, 0));
  ANSWERS(0, cudaGraphAddNode(&node, graph, nullptr, 0, &fill));
  ANSWERS(0, cudaGraphInstantiateWithParams(&plan, graph, &how));
  HOLDS(how.result == 0 && how.node == nullptr);
  ANSWERS(0, cudaGraphExecGetFlags(plan, &flags));
  HOLDS(flags == 1);
  ANSWERS(0, cudaGraphLaunch(plan, nullptr));
  ANSWERS(0, cudaMemcpy(&back, memory, 1, to_host));
  HOLDS(back == 7);
}

/// Bytes that begin and end within rows of an array, and rows that it does not have.
void lines() {
  const int format[5] = {32, 0, 0, 0, 2};
  constexpr std::size_t row = 40;
  void *array = nullptr, *second = nullptr;
  std::vector<float> in(25), out(25);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  ANSWERS(0, cudaMallocArray(&array, format, 10, 4, 0));
  ANSWERS(0, cudaMallocArray(&second, format, 10, 4, 0));
  ANSWERS(0, cudaMemcpyToArray(array, 8, 0, in.data(), 100, to_device));
  ANSWERS(0, cudaMemcpyFromArray(out.data(), array, 8, 0, 100, to_host));
  HOLDS(in == out);
  ANSWERS(0, cudaMemcpyFromArray(out.data(), array, 0, 2, 28, to_host));
  HOLDS(out[0] == 18 && out[6] == 24);
  ANSWERS(invalid_value, cudaMemcpyToArray(array, 0, 2, in.data(), 100, to_device));
  ANSWERS(invalid_value, cudaMemcpyToArray(array, row, 0, in.data(), 4, to_device));
  ANSWERS(0, cudaMemcpy2DArrayToArray(second, 0, 0, array, 0, 1, row, 2, on_device));
  ANSWERS(0, cudaMemcpyFromArray(out.data(), second, 0, 0, 80, to_host));
  HOLDS(out[0] == 8 && out[16] == 24);
}

}  // namespace

int main() {
  addresses();
  directions();
  launches();
  streams();
  peers();
  frees();
  resets();
  other_devices();
  limits();
  ranges();
  textures();
  nothing();
  told();
  lines();
  std::printf("%s %d answers differ\n", failures == 0 ? "PASS" : "MISS", failures);
  return failures == 0 ? 0 : 1;
}
