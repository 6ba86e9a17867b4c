// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// cuBLAS: handles and what they keep.
#include "blas_handle.h"

#include <map>
#include <memory>

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace forewarp::cli {
namespace {

constexpr int blas_version = 111103;  // of toolkit 11.8

struct BlasHandles {
  std::mutex lock;
  std::map<void*, std::unique_ptr<BlasHandle>> known;
};
BlasHandles& blas_handles() {
  static auto* const only = new BlasHandles;  // never destroyed, as threads may call after main()
  return *only;
}

template <class Work>
int with_blas_handle(void* handle, Work work) {
  BlasHandle* const known = blas_handle(handle);
  if (known == nullptr) return blas::not_initialized;
  return work(*known);
}

/// Takes or gives one of a handle's settings.
template <class T>
int set_blas(void* handle, T BlasHandle::*field, T value) {
  return with_blas_handle(handle, [&](BlasHandle& known) {
    known.*field = value;
    return blas::success;
  });
}
template <class T, class Out>
int get_blas(void* handle, T BlasHandle::*field, Out* out) {
  return with_blas_handle(handle, [&](BlasHandle& known) {
    if (out == nullptr) return blas::invalid_value;
    *out = static_cast<Out>(known.*field);
    return blas::success;
  });
}

}  // namespace

BlasHandle* blas_handle(void* handle) {
  const std::lock_guard lock(blas_handles().lock);
  const auto found = blas_handles().known.find(handle);
  return found == blas_handles().known.end() ? nullptr : found->second.get();
}

}  // namespace forewarp::cli

FOREWARP_EXPORT int cublasCreate_v2(void** out) {
  if (out == nullptr) return blas::invalid_value;
  const Status there = run_call([](Machine& machine) { return machine.fault(); });
  if (there != Status::success) return blas::not_initialized;
  auto made = std::make_unique<BlasHandle>();
  *out = made.get();
  const std::lock_guard lock(blas_handles().lock);
  blas_handles().known.emplace(*out, std::move(made));
  return blas::success;
}
FOREWARP_EXPORT int cublasDestroy_v2(void* handle) {
  const std::lock_guard lock(blas_handles().lock);
  return blas_handles().known.erase(handle) != 0 ? blas::success : blas::not_initialized;
}
FOREWARP_EXPORT int cublasSetStream_v2(void* handle, void* stream) {
  return with_blas_handle(handle, [&](BlasHandle& known) {
    known.stream_handle = stream;
    known.stream = stream_of(stream);
    return blas::success;
  });
}
FOREWARP_EXPORT int cublasGetStream_v2(void* handle, void** out) {
  return get_blas(handle, &BlasHandle::stream_handle, out);
}
FOREWARP_EXPORT int cublasSetPointerMode_v2(void* handle, int mode) {
  return set_blas(handle, &BlasHandle::results_on_device, mode == 1);
}
FOREWARP_EXPORT int cublasGetPointerMode_v2(void* handle, int* out) {
  return get_blas(handle, &BlasHandle::results_on_device, out);
}
FOREWARP_EXPORT int cublasSetMathMode(void* handle, int mode) {
  return set_blas(handle, &BlasHandle::math, mode);
}
FOREWARP_EXPORT int cublasGetMathMode(void* handle, int* out) {
  return get_blas(handle, &BlasHandle::math, out);
}
FOREWARP_EXPORT int cublasSetAtomicsMode(void* handle, int mode) {
  return set_blas(handle, &BlasHandle::atomics, mode);
}
FOREWARP_EXPORT int cublasGetAtomicsMode(void* handle, int* out) {
  return get_blas(handle, &BlasHandle::atomics, out);
}
FOREWARP_EXPORT int cublasSetWorkspace_v2(void* handle, void* /*workspace*/,
                                          std::size_t /*bytes*/) {
  return with_blas_handle(handle, [](BlasHandle& /*known*/) { return blas::success; });
}
FOREWARP_EXPORT int cublasGetVersion_v2(void* /*handle*/, int* version) {
  if (version == nullptr) return blas::invalid_value;
  *version = blas_version;
  return blas::success;
}
FOREWARP_EXPORT std::size_t cublasLtGetVersion() {
  return blas_version;
}
FOREWARP_EXPORT std::size_t cublasGetCudartVersion() {
  constexpr std::size_t of_toolkit_11_8 = 11080;
  return of_toolkit_11_8;
}
FOREWARP_EXPORT std::size_t cublasLtGetCudartVersion() {
  return cublasGetCudartVersion();
}
FOREWARP_EXPORT const char* cublasGetStatusName(int status) {
  switch (status) {
    case blas::success:
      return "CUBLAS_STATUS_SUCCESS";
    case blas::not_initialized:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case blas::invalid_value:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case blas::execution_failed:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case blas::not_supported:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
  }
}
FOREWARP_EXPORT const char* cublasGetStatusString(int status) {
  switch (status) {
    case blas::success:
      return "success";
    case blas::not_initialized:
      return "the library was not initialized";
    case blas::invalid_value:
      return "an unsupported value or parameter was passed to the function";
    case blas::execution_failed:
      return "the GPU program failed to execute";
    case blas::not_supported:
      return "the functionality requested is not supported";
    default:
      return "an internal operation failed";
  }
}
FOREWARP_EXPORT const char* cublasLtGetStatusName(int status) {
  return cublasGetStatusName(status);
}
FOREWARP_EXPORT const char* cublasLtGetStatusString(int status) {
  return cublasGetStatusString(status);
}
