// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

namespace forewarp::base {

/// A number with its unit as a type. A plain number becomes a quantity, and a quantity a plain
/// number, by name alone. Quantities of one unit add up and have a ratio; different units meet only
/// in the functions below.
template <class Unit>
class Quantity {
 public:
  constexpr Quantity() = default;
  explicit constexpr Quantity(double value) : value_(value) {}
  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator*=(double factor) {
    value_ *= factor;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity(a.value_ + b.value_);
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(a.value_ - b.value_);
  }
  friend constexpr Quantity operator*(Quantity a, double factor) {
    return Quantity(a.value_ * factor);
  }
  friend constexpr Quantity operator*(double factor, Quantity a) {
    return Quantity(factor * a.value_);
  }
  friend constexpr Quantity operator/(Quantity a, double divisor) {
    return Quantity(a.value_ / divisor);
  }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  double value_ = 0;
};

using Cycles = Quantity<struct CycleUnit>;  ///< of the SM's clock
using Milliseconds = Quantity<struct MillisecondUnit>;
using Microseconds = Quantity<struct MicrosecondUnit>;
/// Cycles per microsecond: a clock; of n SMs together, n times theirs.
using Megahertz = Quantity<struct MegahertzUnit>;
using Bytes = Quantity<struct ByteUnit>;
using GigabytesPerSecond = Quantity<struct GigabytePerSecondUnit>;  ///< decimal
using BytesPerCycle = Quantity<struct BytePerCycleUnit>;
using Share = Quantity<struct ShareUnit>;  ///< of a whole: 1 is all of it

[[nodiscard]] constexpr Milliseconds time_of(Cycles cycles, Megahertz clock) {
  return Milliseconds(cycles.value() / (clock.value() * 1e3));
}
[[nodiscard]] constexpr Cycles cycles_in(Milliseconds time, Megahertz clock) {
  return Cycles(time.value() * clock.value() * 1e3);
}
[[nodiscard]] constexpr Milliseconds to_milliseconds(Microseconds time) {
  return Milliseconds(time.value() * 1e-3);
}

[[nodiscard]] constexpr BytesPerCycle per_cycle(GigabytesPerSecond bandwidth, Megahertz clock) {
  return BytesPerCycle(bandwidth.value() * 1e3 / clock.value());
}
[[nodiscard]] constexpr GigabytesPerSecond per_second(BytesPerCycle bandwidth, Megahertz clock) {
  return GigabytesPerSecond(bandwidth.value() * clock.value() * 1e-3);
}
[[nodiscard]] constexpr Cycles operator/(Bytes bytes, BytesPerCycle bandwidth) {
  return Cycles(bytes.value() / bandwidth.value());
}
[[nodiscard]] constexpr BytesPerCycle operator/(Bytes bytes, Cycles cycles) {
  return BytesPerCycle(bytes.value() / cycles.value());
}
[[nodiscard]] constexpr GigabytesPerSecond operator/(Bytes bytes, Milliseconds time) {
  return GigabytesPerSecond(bytes.value() / (time.value() * 1e6));
}
[[nodiscard]] constexpr GigabytesPerSecond operator*(GigabytesPerSecond bandwidth, Share share) {
  return GigabytesPerSecond(bandwidth.value() * share.value());
}
[[nodiscard]] constexpr Share share_of(Milliseconds part, Milliseconds whole) {
  return Share(part / whole);
}

}  // namespace forewarp::base
