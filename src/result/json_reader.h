// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/diagnostic.h"
#include "result/json_token.h"
#include "result/result_fields.h"

namespace forewarp::result {

/// Walks result_fields over a parsed document. The first value of a wrong type stops the reading of
/// its part and is kept as the failure, with its place as a JSON pointer.
class JsonReader {
 public:
  using Json = nlohmann::ordered_json;
  static constexpr bool reads = true;

  explicit JsonReader(const Json& document) : node_(&document) {}

  [[nodiscard]] const std::optional<Diagnostic>& failure() const { return failure_; }

  template <typename T>
  void operator()(std::string_view key, T& member) {
    if (!node_->is_object()) return refuse("an object");
    if (const auto found = node_->find(key); found != node_->end()) {
      step(std::string(key), *found, member);
    }
  }

  void large(std::string_view key, Result::Execution& member) { (*this)(key, member); }

  template <typename T>
  void large(std::string_view key, std::vector<T>& member) {
    (*this)(key, member);
  }

 private:
  template <typename T>
  void step(const std::string& key, const Json& child, T& member) {
    if (failure_) return;
    const Json* parent = std::exchange(node_, &child);
    const std::size_t length = path_.size();
    path_ += '/' + key;
    read(member);
    path_.resize(length);
    node_ = parent;
  }

  void refuse(std::string_view expected) {
    if (failure_) return;
    failure_ = Diagnostic{path_.empty() ? "/" : path_, "found " + std::string(node_->type_name()),
                          std::string(expected), ""};
  }

  void read(std::string& text) {
    if (!node_->is_string()) return refuse("a string");
    text = node_->get_ref<const std::string&>();
  }
  void read(bool& flag) {
    if (!node_->is_boolean()) return refuse("true or false");
    flag = node_->get<bool>();
  }
  void read(double& number) {
    if (node_->is_null()) {
      number = std::numeric_limits<double>::quiet_NaN();
    } else if (node_->is_number()) {
      number = node_->get<double>();
    } else {
      refuse("a number or null");
    }
  }
  template <std::integral T>
  void read(T& number) {
    const bool fits =
        node_->is_number_unsigned()
            ? std::in_range<T>(node_->get<std::uint64_t>())
            : node_->is_number_integer() && std::in_range<T>(node_->get<std::int64_t>());
    if (!fits) return refuse("a whole number of 32 bits");
    number = node_->get<T>();
  }
  /// The line, as what was found: a document has no more of a diagnostic.
  void read(std::optional<Diagnostic>& failure) {
    if (node_->is_null()) {
      failure.reset();
    } else {
      read(failure.emplace().found);
    }
  }
  void read(std::optional<std::string>& text) {
    if (node_->is_null()) {
      text.reset();
    } else {
      read(text.emplace());
    }
  }

  void read(std::vector<std::pair<std::string, std::string>>& texts) {
    if (!node_->is_object()) return refuse("an object");
    texts.clear();
    for (const auto& [key, child] : node_->items()) {
      std::string& text = texts.emplace_back(key, "").second;
      if (child.is_number_float()) {
        append_json_number(text, child.template get<double>());
      } else if (child.is_number()) {
        text = child.dump();
      } else {
        step(key, child, text);
      }
    }
  }
  void read(std::vector<std::pair<std::string, double>>& numbers) {
    if (!node_->is_object()) return refuse("an object");
    numbers.clear();
    for (const auto& [key, child] : node_->items()) {
      step(key, child, numbers.emplace_back(key, 0).second);
    }
  }
  void read(std::map<std::string, double>& numbers) {
    if (!node_->is_object()) return refuse("an object");
    numbers.clear();
    for (const auto& [key, child] : node_->items()) step(key, child, numbers[key]);
  }

  void read(std::pair<std::uint32_t, std::uint32_t>& pair) {
    std::array<std::uint32_t, 2> both{};
    read(both);
    pair = {both[0], both[1]};
  }
  template <typename T, std::size_t N>
  void read(std::array<T, N>& elements) {
    if (!node_->is_array() || node_->size() != N) {
      return refuse("an array of " + std::to_string(N));
    }
    for (std::size_t i = 0; i < N; ++i) step(std::to_string(i), (*node_)[i], elements[i]);
  }
  template <typename T>
  void read(std::vector<T>& elements) {
    if (!node_->is_array()) return refuse("an array");
    elements.assign(node_->size(), T{});
    for (std::size_t i = 0; i < elements.size(); ++i) {
      step(std::to_string(i), (*node_)[i], elements[i]);
    }
  }

  template <typename T>
  requires requires(JsonReader& r, T& t) { result_fields::fields(r, t); }
  void read(T& record) {
    if (!node_->is_object()) return refuse("an object");
    result_fields::fields(*this, record);
  }

  const Json* node_;
  std::string path_;
  std::optional<Diagnostic> failure_;
};

}  // namespace forewarp::result
