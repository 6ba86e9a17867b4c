// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_images.h"

#include <system_error>

#include "base/file.h"

#ifdef FOREWARP_GPU_KERNELS
#include "embedded/kernel_table.h"
#endif

namespace forewarp::cli {

KernelImages images_inside() {
  KernelImages all;
#ifdef FOREWARP_GPU_KERNELS
  for (const auto& [name, begin, end] : kernel_table) all.emplace(name, std::string(begin, end));
#endif
  return all;
}

std::string toolkit_inside() {
#ifdef FOREWARP_GPU_KERNELS
  return static_cast<const char*>(kernel_toolkit);
#else
  return "none";
#endif
}

Expected<KernelImages> images_in(const std::filesystem::path& folder) {
  KernelImages all;
  std::error_code fault;
  for (const auto& entry : std::filesystem::directory_iterator(folder, fault)) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() != ".fatbin" && file.extension() != ".cubin") continue;
    auto bytes = read_file(file);
    if (!bytes) return std::move(bytes).error();
    all[file.stem().string()] = *std::move(bytes);
  }
  if (all.empty()) {
    return Diagnostic{folder.string(), fault ? fault.message() : "has no compiled kernels",
                      "NAME.fatbin or NAME.cubin", ""};
  }
  return all;
}

}  // namespace forewarp::cli
