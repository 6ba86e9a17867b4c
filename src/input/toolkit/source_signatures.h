// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input/toolkit/source_structures.h"

namespace forewarp::input {

/// A kernel as its source declares it; compiled code keeps types at best, never the names.
struct SourceSignature {
  struct Parameter {
    std::string name;
    std::string type;  ///< "int", "float*"; without const, volatile and __restrict__
  };
  std::string kernel;
  std::vector<Parameter> parameters;
  bool is_template = false;
};

/// Every `__global__` function of a source text. Macros are not expanded.
[[nodiscard]] std::vector<SourceSignature> signatures_in(std::string_view source);

/// The listing with a line "// param INDEX NAME TYPE" before each kernel for every parameter that a
/// signature names, and for a known structure a line "// field INDEX NAME TYPE OFFSET" per field.
/// Overloads are told apart by the number and the types of their parameters; a kernel of which that
/// leaves several declarations, or none, is left as it is.
[[nodiscard]] std::string with_parameter_lines(std::string_view listing,
                                               const std::vector<SourceSignature>& signatures,
                                               const std::vector<SourceStructure>& structures = {});

}  // namespace forewarp::input
