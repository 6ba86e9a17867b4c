// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/compiled_expression.h"
#include "analysis/loops.h"

namespace forewarp::analysis {

/// The byte address of one memory operand, in the form
///   base + sum over threadIdx, blockIdx and loop iterations of coefficient * symbol
/// where base and coefficients depend only on arguments and launch extents. The form assumes that
/// 32-bit index arithmetic does not overflow; `value` does not.
struct AddressForm {
  std::uint32_t instruction = 0;
  std::uint32_t operand = 0;  ///< index into Kernel::operands
  Expression value = 0;       ///< exact
  bool affine = false;
  Expression base = 0;
  std::array<Expression, 3> thread{};  ///< x, y, z
  std::array<Expression, 3> block_index{};
  std::vector<std::pair<LoopId, Expression>> loops;
  /// Byte offset in the argument block of the pointer that the base contains exactly once.
  std::optional<std::uint32_t> pointer;
  std::string reason;  ///< if `value` is unknown: why
};

/// Splits `value`: sets affine, base, coefficients and pointer.
void make_affine(ExpressionPool& pool, AddressForm& form);

/// Addresses of the lanes of one warp: of the block's threads from first_thread on, x fastest, one
/// per entry of `out`. False if some lane's address is unknown.
[[nodiscard]] bool lane_addresses(const CompiledExpression& address, Binding binding,
                                  std::uint32_t first_thread, std::span<std::int64_t> out);

}  // namespace forewarp::analysis
