// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "input/architecture_choice.h"
#include "input/toolkit/content_kind.h"
#include "input/toolkit/opencl_compiler.h"
#include "input/toolkit/toolkit.h"

namespace forewarp::input {

/// An input that needs a toolkit to become a listing.
struct ToolkitInput {
  ContentKind kind = ContentKind::other_binary;
  std::string_view bytes;
  std::filesystem::path path;       ///< empty if the bytes came from a stream
  std::optional<std::uint32_t> sm;  ///< of the GPU asked for; nullopt: any that the file has
  bool assume_isa = false;
  std::vector<std::string> compile_options = {};  ///< of source code
  std::string shown_as = "standard input";        ///< in messages, where there is no path
};

/// What has to be done with an input, determined before any program runs.
struct ListingPlan {
  ToolkitNeeds needs;
  ArchitectureChoice choice;             ///< of the code in a binary; unused for sources
  std::optional<OpenClCompiler> opencl;  ///< of OpenCL source
  std::string content;  ///< what decides the outcome, toolkit and architecture aside
};

/// Fails if no toolkit could make code of it for the architecture asked for.
Expected<ListingPlan> plan_listing(const ToolkitInput& input);

}  // namespace forewarp::input
