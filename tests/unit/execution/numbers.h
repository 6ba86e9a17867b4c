// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace forewarp::tests {

/// Numbers that look random and are the same everywhere.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed = 1) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
  }
  /// In [low, high].
  int integer(int low, int high) {
    return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }

  template <class T>
  std::vector<T> reals(std::size_t count, double low, double high) {
    std::vector<T> list(count);
    for (T& x : list) x = static_cast<T>(between(low, high));
    return list;
  }
  std::vector<int> integers(std::size_t count, int low, int high) {
    std::vector<int> list(count);
    for (int& x : list) x = integer(low, high);
    return list;
  }
  /// Words of every size and sign.
  template <class T>
  std::vector<T> words(std::size_t count) {
    std::vector<T> list(count);
    for (T& x : list) {
      const std::uint64_t w = bits();
      x = static_cast<T>(static_cast<std::int64_t>(w) >> (bits() % 64));
    }
    return list;
  }

 private:
  std::uint64_t state_;
};

/// Representable floats between two; 0 for equal ones and for two NaN.
inline std::int64_t ulps(float a, float b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  if (std::isnan(a) != std::isnan(b)) return INT64_MAX;
  const auto order = [](float x) {
    const auto bits = std::bit_cast<std::int32_t>(x);
    return std::int64_t{bits < 0 ? static_cast<std::int32_t>(0x80000000U) - bits : bits};
  };
  return std::abs(order(a) - order(b));
}

inline std::int64_t ulps(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  if (std::isnan(a) || std::isnan(b) || std::signbit(a) != std::signbit(b)) return INT64_MAX;
  return std::abs(std::bit_cast<std::int64_t>(a) - std::bit_cast<std::int64_t>(b));
}

}  // namespace forewarp::tests
