// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "request/text/value_cursor.h"

namespace forewarp::measured {

/// One argument of a tuned kernel as the tuning schema describes it.
struct TunedArgument {
  enum class Memory { scalar, vector, symbol, local };
  std::string name;
  Memory memory = Memory::scalar;
  bool constant_too = false;  ///< a parameter that the program also writes to a __constant__
  std::string type;           ///< as the file writes it: "float", "int32", "half2"
  std::string count;          ///< elements; an expression
  std::string type_bytes;     ///< of one element where the type does not say; an expression
  std::string fill, value;    ///< "Constant", "Random" ..; value is an expression
  std::string source;         ///< file of a binary content
  std::uint64_t seed = 1;
};

/// What is tuned and how it is launched (the community's schema, input part): one kernel, sizes
/// and arguments. Sizes are Python expressions over the tuning parameters.
struct TuningProblem {
  ValueOrigin origin;
  std::string name, kernel, source, language, device;
  std::vector<std::string> compile_options;
  std::vector<std::string> problem_size;
  std::array<std::optional<std::vector<std::string>>, 3> grid_divisors;  ///< unset: not given
  std::array<std::string, 3> local, global;                              ///< empty: not given
  bool global_counts_blocks = false;  ///< the size type says blocks, not threads
  std::string dynamic_shared;
  std::vector<TunedArgument> arguments;
  std::map<std::string, double> numbers;  ///< names that expressions know besides
};

/// Refused: no JSON object with a KernelSpecification, another language than CUDA, a value of the
/// wrong kind.
Expected<TuningProblem> parse_tuning_problem(std::string_view json,
                                             const std::filesystem::path& file);

}  // namespace forewarp::measured
