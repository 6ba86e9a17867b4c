// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "program_run/settings.h"

namespace forewarp::cli {

/// A program as far as its start depends on what it is.
struct HostProgram {
  std::filesystem::path path;
  bool fixed_path = false;  ///< it names the folders of its libraries before LD_LIBRARY_PATH
};

/// Finds a program as a shell does. Refuses one that carries CUDA's runtime in itself, and says how
/// it is linked otherwise.
Expected<HostProgram> host_program(const std::string& name);

/// Folder and files of the substitutes for CUDA's libraries.
struct Substitutes {
  std::filesystem::path folder, clock, loading;
  std::vector<std::filesystem::path> libraries;
};
[[nodiscard]] Substitutes substitutes_beside(const std::filesystem::path& program);

using Environment = std::vector<std::pair<std::string, std::string>>;

/// What is set for the program, beside what is set already.
[[nodiscard]] Environment environment_of(const program_run::Settings& settings,
                                         const Substitutes& substitutes,
                                         const HostProgram& program);

/// Runs a command that builds the program, with nvcc told to link the shared runtime.
Expected<void> build_program(const std::string& command);

}  // namespace forewarp::cli
