// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/reader.h"
#include "input/sass/fact_reader.h"
#include "input/sass/function_index.h"
#include "input/sass/kernel_builder.h"
#include "input/sass/kernel_module.h"
#include "input/sass/line_cursor.h"

namespace forewarp::input {

/// Reads listings, one kernel at a time and in one pass: the text of cuobjdump -sass (sm_35 to
/// sm_90 and similar), of nvdisasm with and without -hex, or written by hand (docs/listing.md).
/// Functions of the same compiled file that a kernel calls follow its code, as a loader lays it
/// out. Unknown opcodes, modifiers and operands are kept and counted. Errors name file, line and
/// column: text without code, binary or empty input, a listing cut off inside an instruction.
class SassReader : public KernelStream {
 public:
  /// `companion`: text of -res-usage, ptxas -v or -elf for the listing's kernels; the listing may
  /// also contain it, before a kernel or after the last one.
  explicit SassReader(InputSource source, std::string_view companion = {});

  Expected<std::optional<Kernel>> next() override;

 private:
  enum class Step : std::uint8_t { go_on, kernel_complete };

  [[nodiscard]] std::optional<Diagnostic> check_text() const;
  Expected<Step> read_line(std::string_view line);
  Expected<Step> read_instruction(std::string_view line, std::string_view whole_line);
  Expected<Step> read_word_line(std::string_view line, std::string_view whole_line);
  Expected<Step> read_other(std::string_view line);
  void read_marker(std::string_view line);
  void start(std::string_view mangled);
  [[nodiscard]] bool has_code() const { return builder_ && !builder_->empty(); }
  Expected<std::optional<Kernel>> finish();
  Expected<std::vector<PlacedFunction>> add_called_functions();
  std::optional<Diagnostic> add_function(LineCursor at, PlacedFunction& function);
  Expected<std::optional<Kernel>> finish_at_end();
  [[nodiscard]] Diagnostic fault(const InstructionFault& fault, std::string_view line,
                                 std::string_view whole_line) const;

  InputSource source_;
  LineCursor lines_;
  FactStore facts_;
  FactReader fact_reader_;
  std::optional<KernelBuilder> builder_;
  std::vector<std::string_view> early_labels_;  ///< before the first line of the next kernel
  std::string header_name_;                     ///< for the next kernel without a name of its own
  std::size_t kernel_begin_ = 0;
  LineCursor file_;                         ///< its next line is the first of the compiled file
  std::optional<FunctionIndex> functions_;  ///< of that file, once a kernel needs one
  std::size_t kernels_ = 0;
  bool started_ = false;
  bool marker_open_ = false;  ///< the previous marker was of inlined code: its callers follow
};

}  // namespace forewarp::input
