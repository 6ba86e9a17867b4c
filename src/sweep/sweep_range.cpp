// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/sweep_range.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "request/text/refusal.h"

namespace forewarp::sweep {

namespace {

constexpr std::string_view forms = "FROM:TO:STEP or FROM:TO:*FACTOR";

/// A sum of steps has digits that nobody wrote (0.30000000000000004): twelve are kept, so that
/// the value used is the value shown.
double rounded(double value) {
  std::array<char, 40> digits{};
  const auto [end, code] = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                         std::chars_format::general, 12);
  double result = value;
  if (code == std::errc{}) std::from_chars(digits.data(), end, result);
  return result;
}

}  // namespace

Expected<SweepRange> SweepRange::parse(std::string_view range, std::string_view option) {
  const auto parts = split(range, ':');
  if (parts.size() != 3) return refusal("--sweep", option, "is no range", forms);
  SweepRange result;
  std::string_view step = trim(parts[2]);
  result.geometric_ = step.starts_with('*');
  if (result.geometric_) step.remove_prefix(1);
  const std::array<std::string_view, 3> texts{trim(parts[0]), trim(parts[1]), step};
  const std::array<double*, 3> numbers{&result.from_, &result.to_, &result.step_};
  const std::array<std::int64_t*, 3> integers{&result.whole_from_, &result.whole_to_,
                                              &result.whole_step_};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto integer = parse_integer(texts[i]);
    const auto number = integer ? static_cast<double>(*integer) : parse_number(texts[i]);
    if (!number || !std::isfinite(*number)) return refusal("--sweep", option, "is no range", forms);
    *numbers[i] = *number;
    *integers[i] = integer.value_or(0);
    // Larger integers are not exact as double, and their differences could overflow.
    constexpr double exact = 9007199254740992.0;  // 2^53
    result.whole_ = result.whole_ && integer.has_value() && std::fabs(*number) <= exact;
  }
  if (!result.ends()) {
    return refusal("--sweep", option, "never reaches its end",
                   result.geometric_ ? "FROM above 0, TO not below FROM and a factor above 1"
                                     : "a step from FROM towards TO");
  }
  constexpr double most_steps = 1e15;  // far above any sweep, far below what wraps
  if (!(result.steps() < most_steps)) {
    return refusal("--sweep", option, "has too many values", "a larger step");
  }
  result.count_ = result.whole_steps() + 1;
  return result;
}

bool SweepRange::ends() const {
  if (geometric_) return step_ > 1 && from_ > 0 && to_ >= from_;
  return step_ != 0 && (to_ >= from_) == (step_ > 0 || to_ == from_);
}

double SweepRange::steps() const {
  return geometric_ ? std::log(to_ / from_) / std::log(step_) : (to_ - from_) / step_;
}

std::uint64_t SweepRange::whole_steps() const {
  // A step that misses the end only by rounding still counts.
  constexpr double slack = 1e-9;
  if (!whole_) return static_cast<std::uint64_t>(std::floor(steps() + slack));
  if (!geometric_) return static_cast<std::uint64_t>((whole_to_ - whole_from_) / whole_step_);
  std::uint64_t steps = 0;
  for (std::int64_t value = whole_from_; value <= whole_to_ / whole_step_; value *= whole_step_) {
    ++steps;
  }
  return steps;
}

SweepRange::Number SweepRange::at(std::uint64_t index) const {
  if (!geometric_) {
    if (whole_) return whole_from_ + whole_step_ * static_cast<std::int64_t>(index);
    return rounded(from_ + step_ * static_cast<double>(index));
  }
  if (!whole_) return rounded(from_ * std::pow(step_, static_cast<double>(index)));
  std::int64_t value = whole_from_;
  for (std::uint64_t i = 0; i < index; ++i) value *= whole_step_;
  return value;
}

}  // namespace forewarp::sweep
