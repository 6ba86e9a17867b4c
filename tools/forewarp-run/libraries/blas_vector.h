// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "blas_handle.h"
#include "number_types.h"

namespace forewarp::cli {

/// Elements of a vector, `step` apart; with a negative step the first one lies at the end.
struct BlasVector {
  const void* at = nullptr;
  NumberType type = NumberType::f32;
  long long count = 0;
  int step = 1;

  [[nodiscard]] std::complex<double> operator[](long long i) const {
    return number_at(at, type, place(i));
  }
  void put(long long i, std::complex<double> value) const {
    put_number(const_cast<void*>(at), type, place(i), value);  // NOLINT: a result
  }
  [[nodiscard]] std::uint64_t bytes() const {
    if (count <= 0) return 0;
    return (static_cast<std::uint64_t>(count - 1) * apart() + 1) * bytes_of(type);
  }
  /// Elements one by one, as far as memory moves them.
  [[nodiscard]] model::Pieces pieces() const {
    const auto size = static_cast<double>(bytes_of(type));
    return {static_cast<double>(std::max(count, 0LL)), size, static_cast<double>(apart()) * size};
  }
  /// The element's bytes, for copies that keep them whatever they mean.
  [[nodiscard]] std::byte* element(long long i) const {
    auto* const first = static_cast<std::byte*>(const_cast<void*>(at));  // NOLINT: a result
    return first + place(i) * bytes_of(type);
  }

 private:
  [[nodiscard]] std::uint64_t apart() const {
    return static_cast<std::uint64_t>(step < 0 ? -static_cast<long long>(step) : step);
  }
  [[nodiscard]] std::uint64_t place(long long i) const {
    return static_cast<std::uint64_t>(step >= 0 ? i * step : (i - count + 1) * step);
  }
};

/// A matrix whose columns are `rows_apart` elements apart.
struct BlasMatrix {
  const void* at = nullptr;
  NumberType type = NumberType::f32;
  int rows = 0, columns = 0, rows_apart = 0;

  [[nodiscard]] std::uint64_t place(int row, int column) const {
    return static_cast<std::uint64_t>(column) * static_cast<std::uint64_t>(rows_apart) +
           static_cast<std::uint64_t>(row);
  }
  [[nodiscard]] std::complex<double> get(int row, int column) const {
    return number_at(at, type, place(row, column));
  }
  void put(int row, int column, std::complex<double> value) const {
    put_number(const_cast<void*>(at), type, place(row, column), value);  // NOLINT: a result
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return rows == 0 || columns == 0 ? 0 : (place(rows - 1, columns - 1) + 1) * bytes_of(type);
  }
  /// Columns, as memory moves them.
  [[nodiscard]] model::Pieces pieces() const {
    const auto size = static_cast<double>(bytes_of(type));
    return {static_cast<double>(columns), rows * size, rows_apart * size};
  }
};

/// A call that reads and writes vectors and matrices once.
struct VectorCall {
  std::string function, shape;
  std::vector<program_run::LibraryUse> uses;
  std::vector<model::Pieces> moved;  ///< read and written
  bool sums = false;                 ///< what blocks found is brought together by a second kernel
  void* result = nullptr;            ///< of the host or the device by the pointer mode; null: none
  std::uint64_t result_bytes = 0;
  std::function<void()> compute;

  void reads(const char* name, const BlasVector& v) { use(name, v, false); }
  void writes(const char* name, const BlasVector& v) { use(name, v, true); }
  void reads(const char* name, const BlasMatrix& m) { use(name, m, false); }
  void writes(const char* name, const BlasMatrix& m) { use(name, m, true); }

 private:
  template <class T>
  void use(const char* name, const T& what, bool written) {
    uses.push_back({name, address_of(what.at), what.bytes(), written});
    moved.push_back(what.pieces());
  }
};

/// Does it in the handle's stream; the status that cuBLAS returns.
int do_vector(void* handle, VectorCall call);

/// What a call returns before its sizes are looked at: no handle, or a scalar that is missing;
/// nothing: neither.
std::optional<int> refused(void* handle, std::initializer_list<const void*> scalars = {});

/// A scalar as it is when the call is done, on the device, or was when it was made.
std::function<std::complex<double>()> scalar_of(void* handle, const void* at, NumberType type);
/// Whether a scalar on the host is 0: what it multiplies need not be there.
bool is_zero(void* handle, const void* at, NumberType type);

}  // namespace forewarp::cli
