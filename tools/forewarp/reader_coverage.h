// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "input/reader.h"

namespace forewarp::cli {

/// How much of many inputs the readers know, per architecture: `forewarp analyze --coverage`.
class ReaderCoverage {
 public:
  void add(const std::string& file, const ReadOptions& options);

  /// A table, then everything unknown with the place where it first occurred.
  [[nodiscard]] std::string text() const;
  /// {programs, files, kernels, instructions, known, unknown_opcodes, bare_words, errors,
  /// architectures: {"52": the same, ..}, not_known: {kind: {text: count}}}
  [[nodiscard]] nlohmann::ordered_json json() const;
  [[nodiscard]] std::size_t errors() const;

 private:
  struct Counts {
    std::set<std::string> programs;
    std::size_t files = 0, kernels = 0, instructions = 0, known = 0;
    std::size_t unknown_opcodes = 0, bare_words = 0, errors = 0;
  };
  struct Met {
    std::size_t times = 0;
    std::string first;
  };
  using Tally = std::map<std::string, Met>;

  void note(const std::string& kind, const std::string& what, const std::string& place);
  void add_kernel(const Kernel& kernel, const std::string& file);
  void add_operands(const Kernel& kernel, const Instruction& instruction, const std::string& place);
  void fail(const Diagnostic& failure, std::uint32_t sm);
  [[nodiscard]] Counts total() const;
  [[nodiscard]] static nlohmann::ordered_json as_json(const Counts& counts);

  std::map<std::uint32_t, Counts> by_sm_;
  std::map<std::string, Tally> not_known_;
};

}  // namespace forewarp::cli
