// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "base/expected.h"
#include "input/toolkit/compiler.h"

namespace forewarp::input {

/// clang with the OpenCL library for NVIDIA's GPUs (libclc); the vendor's compiler makes other
/// code.
struct OpenClCompiler {
  std::filesystem::path clang, library;
  std::string identity;  ///< changes when one of them is exchanged
};

/// The environment's CLANG, or the newest clang on PATH whose libclc is there. Says what is missing
/// and how to get it.
Expected<OpenClCompiler> find_opencl_compiler();

/// To PTX, which ptxas then takes: `job.cubin` is the file that is written. Lines of the source are
/// kept.
Expected<void> compile_opencl(const OpenClCompiler& compiler, const CompileJob& job);

}  // namespace forewarp::input
