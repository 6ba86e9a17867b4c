// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Both interfaces: functions of the driver interface by name, version and kind of default stream.
#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <string>
#include <string_view>

#include "driver_calling.h"
#include "per_thread.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

constexpr int runtime_version = 11080;   // of the runtime interface, as cudaRuntimeGetVersion
constexpr std::uint64_t per_thread = 2;  // CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
constexpr int not_found = 1;             // CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND

/// Functions that a program gets by the plain name only if it asks for this version of CUDA or a
/// later one: before, the name was another function's, which is here too.
struct Version {
  std::string_view function;
  int since;
};
constexpr std::array<Version, 19> versions{{{"cuCtxCreate_v3", 11040},
                                            {"cuDeviceGetUuid_v2", 11040},
                                            {"cuGetProcAddress_v2", 12000},
                                            {"cuGraphAddDependencies_v2", 12030},
                                            {"cuGraphAddKernelNode_v2", 12000},
                                            {"cuGraphAddNode_v2", 12030},
                                            {"cuGraphExecKernelNodeSetParams_v2", 12000},
                                            {"cuGraphExecUpdate_v2", 12000},
                                            {"cuGraphGetEdges_v2", 12030},
                                            {"cuGraphKernelNodeSetParams_v2", 12000},
                                            {"cuGraphNodeGetDependencies_v2", 12030},
                                            {"cuGraphNodeGetDependentNodes_v2", 12030},
                                            {"cuGraphRemoveDependencies_v2", 12030},
                                            {"cuMemAdvise_v2", 12020},
                                            {"cuMemPrefetchAsync_v2", 12020},
                                            {"cuStreamGetCaptureInfo_v2", 11030},
                                            {"cuStreamGetCaptureInfo_v3", 12030},
                                            {"cuStreamUpdateCaptureDependencies_v2", 12030},
                                            {"cuTexRefSetAddress2D_v3", 4010}}};

int since(std::string_view function) {
  const auto* known = std::find_if(versions.begin(), versions.end(),
                                   [&](const Version& each) { return each.function == function; });
  return known == versions.end() ? 0 : known->since;
}

/// The newest function of a name that a version of CUDA has; null: there is none.
void* entry_point(const std::string& name, int version, bool own_default) {
  for (const char* const number : {"_v3", "_v2", ""}) {
    const std::string function = name + number;
    if (since(function) > version) continue;
    for (const char* const variant : {"_ptsz", "_ptds", ""}) {
      if (!own_default && *variant != 0) continue;
      void* const found = ::dlsym(RTLD_DEFAULT, (function + variant).c_str());
      if (found != nullptr) return found;
    }
  }
  return nullptr;
}

}  // namespace

FOREWARP_EXPORT int cuGetProcAddress(const char* name, void** out, int version,
                                     std::uint64_t flags) {
  if (name == nullptr || out == nullptr) return static_cast<int>(Status::invalid_value);
  *out = entry_point(name, version, flags == per_thread);
  return static_cast<int>(*out == nullptr ? Status::no_symbol : Status::success);
}
FOREWARP_EXPORT int cuGetProcAddress_v2(const char* name, void** out, int version,
                                        std::uint64_t flags, int* found) {
  const int failed = cuGetProcAddress(name, out, version, flags);
  if (found != nullptr) *found = failed == 0 ? 0 : not_found;
  return failed;
}
FOREWARP_EXPORT int cudaGetDriverEntryPointByVersion(const char* name, void** out, unsigned version,
                                                     unsigned long long flags, int* found) {
  const bool own_default = thread_state().own_default && flags == 0;
  const int failed = cuGetProcAddress_v2(name, out, static_cast<int>(version),
                                         own_default ? per_thread : flags, found);
  // Who asks for word of it gets it there.
  return found != nullptr && failed == static_cast<int>(Status::no_symbol) ? 0 : failed;
}
FOREWARP_EXPORT int cudaGetDriverEntryPoint(const char* name, void** out,
                                            unsigned long long flags) {
  return cudaGetDriverEntryPointByVersion(name, out, runtime_version, flags, nullptr);
}

PER_THREAD(cudaGetDriverEntryPoint, _ptsz, 3)
PER_THREAD(cudaGetDriverEntryPointByVersion, _ptsz, 5)
