// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "input/reader.h"
#include "input/sass/kernel_builder.h"
#include "input/sass/kernel_facts.h"
#include "input/sass/line_cursor.h"

namespace forewarp::input {

/// Reads assembly for asfermi, one kernel at a time: directives (`!Kernel NAME` .. `!EndKernel`,
/// `!Param`, `!Shared`, `!Local`, `!RegCount`, `!Label`, `!Arch`, `!Machine`), instructions that
/// end with a line or a semicolon, and both kinds of comments. Text without `!Kernel` is one kernel
/// with the name of the file. Errors name file, line and column.
class AsfermiReader : public KernelStream {
 public:
  explicit AsfermiReader(InputSource source);

  Expected<std::optional<Kernel>> next() override;

 private:
  /// A statement and its position, for messages.
  struct Statement {
    std::string_view text;
    std::size_t column = 0;
  };
  using Fault = std::optional<Diagnostic>;

  [[nodiscard]] Fault check_text() const;
  Fault read_line(std::string_view line);
  Fault read_directive(const Statement& statement);
  Fault read_instruction(const Statement& statement);
  Fault begin_kernel(const Statement& statement, std::string_view name);
  Fault add_label(const Statement& statement, std::string_view name);
  Fault add_parameters(const Statement& statement, std::string_view arguments);
  Fault set_size(const Statement& statement, std::string_view name, std::string_view value);
  Fault set_target(const Statement& statement, std::string_view name, std::string_view value);
  void start(std::string name);
  Expected<std::optional<Kernel>> finish();
  Expected<std::optional<Kernel>> finish_at_end();
  [[nodiscard]] Fault check_kernel(const Kernel& kernel) const;
  [[nodiscard]] Diagnostic fault(std::size_t column, std::string found, std::string expected) const;

  InputSource source_;
  LineCursor lines_;
  std::optional<KernelBuilder> builder_;
  KernelFacts facts_;                 ///< of the open kernel
  std::uint32_t parameter_end_ = 0;   ///< bytes of its parameters so far
  std::set<std::string> labels_;      ///< of the open kernel; the builder refers to them
  std::vector<std::size_t> columns_;  ///< by instruction: its first column
  std::uint32_t sm_;
  std::size_t kernels_ = 0;
  bool stated_ = false;    ///< the open kernel has a `!Kernel` line
  bool complete_ = false;  ///< `!EndKernel` was read
  bool started_ = false;
  bool in_comment_ = false;
};

}  // namespace forewarp::input
