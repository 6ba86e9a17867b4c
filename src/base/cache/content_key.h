// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace forewarp::base {

/// A key made of the bytes of plain values, one after the other.
class KeyBytes {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T> KeyBytes& add(const T& value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  KeyBytes& add_text(std::string_view text) {
    add(text.size());
    text_ += text;
    return *this;
  }
  KeyBytes& add_bytes(const std::vector<std::uint8_t>& bytes) {
    return add_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// A short key of `content` for caches and journals: equal content has an equal key.
[[nodiscard]] std::string content_key(std::string_view content);

/// A key of the running program and of every file of a data folder: another build, or other
/// hardware numbers, has another key.
[[nodiscard]] std::string program_key(const std::filesystem::path& data_folder);

}  // namespace forewarp::base
