// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "analysis/kernel_analysis.h"
#include "hardware/gpu.h"
#include "program/kernel.h"

namespace forewarp::binding {

/// A kernel with some instructions removed or replaced, as the compiler would have scheduled it:
/// dependences on a removed instruction move to its replacement. A removed instruction keeps its
/// index until the launch is edited (LaunchEdit::dropped).
class CodeEdit {
 public:
  CodeEdit(const KernelAnalysis& analysis, const Gpu& gpu);

  [[nodiscard]] Kernel& kernel() { return kernel_; }
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }
  /// One past the last instruction of the block that this one is in.
  [[nodiscard]] std::uint32_t block_end(std::uint32_t index) const;
  [[nodiscard]] bool drops(std::uint32_t index) const { return dropped_[index]; }

  void drop(std::uint32_t index) { dropped_[index] = true; }
  /// Waiters of `gone` in its block wait for `instead`.
  void wait_for(std::uint32_t instead, std::uint32_t gone);
  /// Another operation of fixed latency on the same operands, without modifiers of type. What the
  /// compiler kept in memory because it is as wide as a double stands in the instruction.
  void replace(std::uint32_t index, std::string_view mnemonic);
  /// A conversion between types that became one: its readers read what it read, or what made its
  /// source makes its result. A move where neither can be, as for what outlives its block.
  void forward(std::uint32_t index);

  /// Ends the edit; what was dropped afterwards.
  [[nodiscard]] std::shared_ptr<const Kernel> take();
  [[nodiscard]] const std::vector<bool>& dropped() const { return dropped_; }

 private:
  [[nodiscard]] std::uint32_t block_begin(std::uint32_t index) const;
  bool make_there(std::uint32_t index, std::uint16_t source, std::uint16_t made);
  void keep_waits();
  void space_replaced();

  const KernelAnalysis& analysis_;
  const Gpu& gpu_;
  Kernel kernel_;
  std::vector<bool> dropped_, replaced_;
};

}  // namespace forewarp::binding
