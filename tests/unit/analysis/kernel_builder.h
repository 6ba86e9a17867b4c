// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compiled_expression.h"
#include "program/kernel.h"

namespace forewarp::tests::testing {

/// The kernels of a listing's text; fails the test when it cannot be read.
[[nodiscard]] std::vector<Kernel> kernels_of(const std::string& text);

/// One kernel from lines without addresses, laid out as the architecture does: instruction i stands
/// at address_at(sm, i). Lines "// param ..." may come first.
[[nodiscard]] Kernel kernel_from(std::uint32_t sm, std::span<const std::string> lines);
[[nodiscard]] Kernel kernel_from(std::uint32_t sm, std::initializer_list<std::string_view> lines);
[[nodiscard]] std::uint32_t address_at(std::uint32_t sm, std::uint32_t index);

/// tests/fixtures/listings/NAME; `kernel` chooses one of several.
[[nodiscard]] std::string fixture_text(const std::string& name);
[[nodiscard]] Kernel fixture(const std::string& name, const std::string& kernel = {});

/// Argument bytes by parameter name or argN, for evaluation. Everything set is known.
class Arguments {
 public:
  explicit Arguments(const Kernel& kernel);
  Arguments& set(std::size_t index, std::int64_t value);
  Arguments& set(std::string_view name, std::int64_t value);
  /// A binding of these arguments; valid as long as this object.
  [[nodiscard]] Binding binding() const;

 private:
  const Kernel& kernel_;
  std::vector<std::uint8_t> bytes_, known_;
};

}  // namespace forewarp::tests::testing
