// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: memory pools. All of them share the device's memory, and give back at
// once what is freed; attributes are kept and have no effect.
#include <cstdint>
#include <map>

#include "cuda_types.h"
#include "engine.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

extern "C" int cudaMallocAsync(void** out, std::size_t bytes, void* stream);
extern "C" int cudaFreeAsync(void* pointer, void* stream);

namespace {

struct Pool {
  std::map<int, std::uint64_t> attributes;
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
FOREWARP_EXPORT int cudaMallocAsync_ptsz(void** out, std::size_t bytes, void* stream) {
  return cudaMallocAsync(out, bytes, stream);
}
FOREWARP_EXPORT int cudaFreeAsync_ptsz(void* pointer, void* stream) {
  return cudaFreeAsync(pointer, stream);
}
