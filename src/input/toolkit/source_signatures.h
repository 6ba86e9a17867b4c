// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input/toolkit/source_structures.h"

namespace forewarp::input {

/// A kernel as its source declares it. Compiled code keeps at best types, never parameter names.
struct SourceSignature {
  struct Parameter {
    std::string name;
    std::string type;  ///< "int", "float*"; without const, volatile and __restrict__
  };
  std::string kernel;
  std::vector<Parameter> parameters;
  bool is_template = false;
};

/// All `__global__` functions of a source text. Macros are not expanded.
[[nodiscard]] std::vector<SourceSignature> signatures_in(std::string_view source);

/// The listing with a line "// param INDEX NAME TYPE" before each kernel for every parameter in its
/// signature, and for a known structure a line "// field INDEX NAME TYPE OFFSET" per field,
/// with the bytes of a field that is no number. Overloads are told apart by number and types of
/// parameters; a kernel with no matching declaration, or several, is left unchanged.
[[nodiscard]] std::string with_parameter_lines(std::string_view listing,
                                               const std::vector<SourceSignature>& signatures,
                                               const SourceStructures& structures = {});

}  // namespace forewarp::input
