// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/tensor_map_bytes.h"

#include <cstring>
#include <string_view>

namespace forewarp::execution {
namespace {

constexpr std::string_view mark = "tensormap of";

}  // namespace

std::array<std::uint8_t, TensorMap::bytes> tensor_map_bytes(std::uint32_t number) {
  std::array<std::uint8_t, TensorMap::bytes> bytes{};
  std::memcpy(bytes.data(), mark.data(), mark.size());
  std::memcpy(bytes.data() + mark.size(), &number, sizeof number);
  return bytes;
}

std::optional<std::uint32_t> tensor_map_number(std::span<const std::uint8_t, 16> bytes) {
  if (std::memcmp(bytes.data(), mark.data(), mark.size()) != 0) return std::nullopt;
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + mark.size(), sizeof number);
  return number;
}

}  // namespace forewarp::execution
