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
#include "input/sass/kernel_builder.h"
#include "input/sass/line_cursor.h"

namespace forewarp::input {

/// Reads the text of cuobjdump -sass (sm_35 to sm_90 and what resembles it), of nvdisasm with and
/// without -hex, and listings written by hand (docs/listing.md), one kernel at a time and in one
/// pass. Unknown opcodes, modifiers and operands are kept and counted. A fault names file, line and
/// column: text without any code, binary or empty input, a listing cut off inside an instruction.
class SassReader : public KernelStream {
 public:
  /// `companion`: text of -res-usage, ptxas -v or -elf for the kernels of the listing; the same
  /// text may also stand in the listing before a kernel or after the last one.
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
  Expected<std::optional<Kernel>> finish_at_end();
  [[nodiscard]] Diagnostic fault(const InstructionFault& fault, std::string_view line,
                                 std::string_view whole_line) const;

  InputSource source_;
  LineCursor lines_;
  FactStore facts_;
  FactReader fact_reader_;
  std::optional<KernelBuilder> builder_;
  std::vector<std::string_view> early_labels_;  ///< before the first line of the next kernel
  std::string header_name_;                     ///< of the bare kernel that comes next
  std::size_t kernel_begin_ = 0;
  std::size_t kernels_ = 0;
  bool started_ = false;
  bool marker_open_ = false;  ///< the marker before was an inlined line: its callers follow
};

}  // namespace forewarp::input
