// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: what its errors are called.
#include <algorithm>
#include <array>

#include "driver_calling.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

struct ErrorName {
  int code;
  const char* name;
};
constexpr std::array<ErrorName, 32> error_names{{
    {0, "CUDA_SUCCESS"},
    {1, "CUDA_ERROR_INVALID_VALUE"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY"},
    {3, "CUDA_ERROR_NOT_INITIALIZED"},
    {4, "CUDA_ERROR_DEINITIALIZED"},
    {100, "CUDA_ERROR_NO_DEVICE"},
    {101, "CUDA_ERROR_INVALID_DEVICE"},
    {200, "CUDA_ERROR_INVALID_IMAGE"},
    {201, "CUDA_ERROR_INVALID_CONTEXT"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    {218, "CUDA_ERROR_INVALID_PTX"},
    {301, "CUDA_ERROR_FILE_NOT_FOUND"},
    {400, "CUDA_ERROR_INVALID_HANDLE"},
    {500, "CUDA_ERROR_NOT_FOUND"},
    {600, "CUDA_ERROR_NOT_READY"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
    {704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED"},
    {705, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED"},
    {710, "CUDA_ERROR_ASSERT"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
    {719, "CUDA_ERROR_LAUNCH_FAILED"},
    {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
    {801, "CUDA_ERROR_NOT_SUPPORTED"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
    {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
    {912, "CUDA_ERROR_INVALID_CLUSTER_SIZE"},
    {999, "CUDA_ERROR_UNKNOWN"},
}};

const char* name_of(int code) {
  const auto* known = std::find_if(error_names.begin(), error_names.end(),
                                   [&](const ErrorName& each) { return each.code == code; });
  return known == error_names.end() ? nullptr : known->name;
}

}  // namespace

FOREWARP_EXPORT int cuGetErrorName(int code, const char** name) {
  if (name == nullptr) return static_cast<int>(Status::invalid_value);
  *name = name_of(code);
  return static_cast<int>(*name == nullptr ? Status::invalid_value : Status::success);
}
FOREWARP_EXPORT int cuGetErrorString(int code, const char** text) {
  if (text == nullptr) return static_cast<int>(Status::invalid_value);
  *text = name_of(code) == nullptr ? nullptr : cudaGetErrorString(code);
  return static_cast<int>(*text == nullptr ? Status::invalid_value : Status::success);
}
