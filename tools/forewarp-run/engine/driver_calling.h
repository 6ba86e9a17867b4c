// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launching.h"

namespace forewarp::cli {

/// One call of the driver interface, which has no last error.
template <class Work>
int driver_call(Work work) {
  return static_cast<int>(run_call(std::move(work)));
}

/// CUDA_ARRAY_DESCRIPTOR.
struct PlaneDescription {
  std::size_t width, height;  ///< elements
  int format;
  unsigned channels;
};

/// What was set at a function (driver_set_launches.cpp) and at a module's texture references
/// (driver_texture_references.cpp) ends with the module. The caller has the machine's lock.
void forget_set_launches(const program_run::Function* function);
void forget_texture_references(const program_run::CodeModule* module);

/// A call that is not supported: said in the report, by name.
int unsupported_driver_call(const char* name);

}  // namespace forewarp::cli
