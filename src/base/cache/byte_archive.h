// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace forewarp::base {

/// Values as bytes, in the layout of this build: for this program's caches, no exchange format.
/// One overload of `field(archive, T&)` both writes and reads a T, so that the two cannot differ.
/// An archive is a class derived from one of these two; overloads beside it are found by its name.
class BytePacker {
 public:
  static constexpr bool unpacks = false;
  void bytes(void* from, std::size_t size) { out_.append(static_cast<const char*>(from), size); }
  [[nodiscard]] bool good() const { return true; }
  void refuse() {}
  void enter() {}
  void leave() {}
  /// Writes how many elements follow, each of at least `least` bytes.
  std::size_t count(std::size_t size, std::size_t /*least*/) {
    auto number = static_cast<std::uint64_t>(size);
    bytes(&number, sizeof number);
    return size;
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Allocates at most a few times the size of what it reads, whatever that holds.
class ByteUnpacker {
 public:
  static constexpr bool unpacks = true;
  explicit ByteUnpacker(std::string_view in) : in_(in) {}
  void bytes(void* to, std::size_t size) {
    if (size > in_.size()) {
      good_ = false;
      in_ = {};
      return;
    }
    if (size != 0) std::memcpy(to, in_.data(), size);  // an empty vector has no address
    in_.remove_prefix(size);
  }
  [[nodiscard]] bool good() const { return good_; }
  void refuse() { good_ = false; }
  /// Limits the depth of recursive types, so that no input overflows the stack.
  void enter() {
    constexpr int deepest = 200;
    if (++depth_ > deepest) good_ = false;
  }
  void leave() { --depth_; }
  [[nodiscard]] bool ended() const { return good_ && in_.empty(); }
  std::size_t count(std::size_t /*size*/, std::size_t least) {
    std::uint64_t number = 0;
    bytes(&number, sizeof number);
    if (number > in_.size() / least) good_ = false;
    return good_ ? static_cast<std::size_t>(number) : 0;
  }

 private:
  std::string_view in_;
  int depth_ = 0;
  bool good_ = true;
};

template <class A, class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void field(A& archive, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    std::uint8_t byte = value ? 1 : 0;
    archive.bytes(&byte, 1);
    value = byte != 0;
  } else {
    archive.bytes(&value, sizeof value);
  }
}

template <class A>
void field(A& archive, std::string& text) {
  text.resize(archive.count(text.size(), 1));
  archive.bytes(text.data(), text.size());
}

template <class A, class T, class U>
void field(A& archive, std::pair<T, U>& both);
template <class A, class T, std::size_t N>
void field(A& archive, std::array<T, N>& values);
template <class A, class T>
void field(A& archive, std::optional<T>& value);
template <class A, class T>
void field(A& archive, std::vector<T>& values);
template <class A, class K, class V>
void field(A& archive, std::map<K, V>& values);

template <class A, class... T>
void fields(A& archive, T&... values) {
  (field(archive, values), ...);
}

template <class A, class T, class U>
void field(A& archive, std::pair<T, U>& both) {
  field(archive, both.first);
  field(archive, both.second);
}

template <class A, class T, std::size_t N>
void field(A& archive, std::array<T, N>& values) {
  for (T& value : values) field(archive, value);
}

template <class A, class T>
void field(A& archive, std::optional<T>& value) {
  bool present = value.has_value();
  field(archive, present);
  if (A::unpacks && present) value.emplace();
  if (present) field(archive, *value);
}

template <class A, class T>
void field(A& archive, std::vector<T>& values) {
  constexpr std::size_t least = std::min(sizeof(T), sizeof(std::uint64_t));
  values.resize(archive.count(values.size(), least));
  for (T& value : values) {
    if (archive.good()) field(archive, value);
  }
}

template <class A, class K, class V>
void field(A& archive, std::map<K, V>& values) {
  std::size_t left = archive.count(values.size(), std::min(sizeof(K), sizeof(std::uint64_t)));
  if constexpr (A::unpacks) {
    for (; left > 0 && archive.good(); --left) {
      K key{};
      field(archive, key);
      field(archive, values[key]);
    }
  } else {
    for (auto& [key, value] : values) {
      K copy = key;
      field(archive, copy);
      field(archive, value);
    }
  }
}

}  // namespace forewarp::base
