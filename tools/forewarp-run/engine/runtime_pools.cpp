// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: memory pools. All of them share the device's memory, and give back at
// once what is freed; attributes are kept and have no effect.
#include <cstdint>
#include <map>

#include "cuda_types.h"
#include "engine.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

/// The first three attributes, which allow reuse, are set at first.
struct Pool {
  std::map<int, std::uint64_t> attributes{{1, 1}, {2, 1}, {3, 1}};
};

Pool& default_pool() {
  static Pool* const only = new Pool;  // never destroyed: threads may call after main()
  return *only;
}

/// The first three attributes are of type int, the others of 64 bits.
constexpr int first_wide_attribute = 4;

}  // namespace

FOREWARP_EXPORT int cudaDeviceGetDefaultMemPool(void** pool, int /*device*/) {
  return runtime_call([&](Machine& /*machine*/) {
    *pool = &default_pool();
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaDeviceGetMemPool(void** pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
FOREWARP_EXPORT int cudaDeviceSetMemPool(int /*device*/, void* /*pool*/) {
  return runtime_call([](Machine& /*machine*/) { return Status::success; });
}
FOREWARP_EXPORT int cudaMemPoolCreate(void** pool, const void* /*properties*/) {
  return runtime_call([&](Machine& /*machine*/) {
    *pool = new Pool;  // NOLINT: destroyed by cudaMemPoolDestroy
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaMemPoolDestroy(void* pool) {
  return runtime_call([&](Machine& /*machine*/) {
    if (pool == nullptr) return Status::invalid_value;
    if (pool != &default_pool()) delete static_cast<Pool*>(pool);  // NOLINT
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaMemPoolSetAttribute(void* pool, int attribute, const void* value) {
  return runtime_call([&](Machine& /*machine*/) {
    if (pool == nullptr || value == nullptr) return Status::invalid_value;
    const bool wide = attribute >= first_wide_attribute;
    static_cast<Pool*>(pool)->attributes[attribute] =
        wide ? *static_cast<const std::uint64_t*>(value)
             : *static_cast<const std::uint32_t*>(value);
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaMemPoolGetAttribute(void* pool, int attribute, void* value) {
  return runtime_call([&](Machine& /*machine*/) {
    if (pool == nullptr || value == nullptr) return Status::invalid_value;
    const std::uint64_t kept = static_cast<Pool*>(pool)->attributes[attribute];
    if (attribute >= first_wide_attribute) {
      *static_cast<std::uint64_t*>(value) = kept;
    } else {
      *static_cast<std::uint32_t*>(value) = static_cast<std::uint32_t>(kept);
    }
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaMemPoolTrimTo(void* /*pool*/, std::size_t /*bytes*/) {
  return runtime_call([](Machine& /*machine*/) { return Status::success; });
}
FOREWARP_EXPORT int cudaMemPoolSetAccess(void* /*pool*/, const void* /*descriptions*/,
                                         std::size_t /*count*/) {
  return runtime_call([](Machine& /*machine*/) { return Status::success; });
}
FOREWARP_EXPORT int cudaMemPoolGetAccess(int* flags, void* /*pool*/, const void* /*place*/) {
  constexpr int read_and_write = 3;  // cudaMemAccessFlagsProtReadWrite
  if (flags == nullptr) return static_cast<int>(Status::invalid_value);
  *flags = read_and_write;
  return 0;
}

FOREWARP_EXPORT int cuDeviceGetDefaultMemPool(void** pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
FOREWARP_EXPORT int cuDeviceGetMemPool(void** pool, int device) {
  return cudaDeviceGetMemPool(pool, device);
}
FOREWARP_EXPORT int cuDeviceSetMemPool(int device, void* pool) {
  return cudaDeviceSetMemPool(device, pool);
}
FOREWARP_EXPORT int cuMemPoolCreate(void** pool, const void* properties) {
  return cudaMemPoolCreate(pool, properties);
}
FOREWARP_EXPORT int cuMemPoolDestroy(void* pool) {
  return cudaMemPoolDestroy(pool);
}
FOREWARP_EXPORT int cuMemPoolSetAttribute(void* pool, int attribute, const void* value) {
  return cudaMemPoolSetAttribute(pool, attribute, value);
}
FOREWARP_EXPORT int cuMemPoolGetAttribute(void* pool, int attribute, void* value) {
  return cudaMemPoolGetAttribute(pool, attribute, value);
}
FOREWARP_EXPORT int cuMemPoolTrimTo(void* pool, std::size_t bytes) {
  return cudaMemPoolTrimTo(pool, bytes);
}
FOREWARP_EXPORT int cuMemPoolSetAccess(void* pool, const void* descriptions, std::size_t count) {
  return cudaMemPoolSetAccess(pool, descriptions, count);
}
FOREWARP_EXPORT int cuMemPoolGetAccess(int* flags, void* pool, const void* place) {
  return cudaMemPoolGetAccess(flags, pool, place);
}
