// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "number_types.h"

namespace forewarp::cli {
namespace {

template <class T>
const T& element(const void* array, std::uint64_t index) {
  return static_cast<const T*>(array)[index];
}
template <class T>
T& element(void* array, std::uint64_t index) {
  return static_cast<T*>(array)[index];
}

}  // namespace

std::complex<double> number_at(const void* array, NumberType type, std::uint64_t index) {
  switch (type) {
    case NumberType::f32:
      return element<float>(array, index);
    case NumberType::f64:
      return element<double>(array, index);
    case NumberType::f16:
      return float_of(element<Half>(array, index));
    case NumberType::bf16:
      return float_of(element<Bfloat>(array, index));
    case NumberType::i8:
      return element<std::int8_t>(array, index);
    case NumberType::i32:
      return element<std::int32_t>(array, index);
    case NumberType::c32:
      return element<std::complex<float>>(array, index);
    case NumberType::c64:
      return element<std::complex<double>>(array, index);
  }
  return 0;
}

void put_number(void* array, NumberType type, std::uint64_t index, std::complex<double> value) {
  switch (type) {
    case NumberType::f32:
      element<float>(array, index) = static_cast<float>(value.real());
      return;
    case NumberType::f64:
      element<double>(array, index) = value.real();
      return;
    case NumberType::f16:
      element<Half>(array, index) = half_of(static_cast<float>(value.real()));
      return;
    case NumberType::bf16:
      element<Bfloat>(array, index) = bfloat_of(static_cast<float>(value.real()));
      return;
    case NumberType::i8:
      element<std::int8_t>(array, index) = static_cast<std::int8_t>(value.real());
      return;
    case NumberType::i32:
      element<std::int32_t>(array, index) =
          static_cast<std::int32_t>(static_cast<std::int64_t>(value.real()));
      return;
    case NumberType::c32:
      element<std::complex<float>>(array, index) = std::complex<float>(value);
      return;
    case NumberType::c64:
      element<std::complex<double>>(array, index) = value;
      return;
  }
}

}  // namespace forewarp::cli
