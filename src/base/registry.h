// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"

namespace forewarp::base {

/// Named built-ins of one kind (models, readers, views), filled from an explicit list in that
/// folder's builtin.cpp. T must have `std::string_view name() const`. An unknown name is answered
/// with the existing ones.
template <typename T>
class Registry {
 public:
  explicit Registry(std::string kind) : kind_(std::move(kind)) {}

  /// A list that holds a name twice is wrong: it ends with a sentence that says so, at the first
  /// use of the list.
  void add(std::unique_ptr<T> entry) {
    for (const auto& other : entries_) {
      if (other->name() != entry->name()) continue;
      const Diagnostic twice{kind_, "'" + std::string(entry->name()) + "' is registered twice", "",
                             ""};
      misused("a list of built-ins", &twice);
    }
    entries_.push_back(std::move(entry));
  }

  Expected<const T*> find(std::string_view name) const {
    for (const auto& entry : entries_) {
      if (entry->name() == name) return static_cast<const T*>(entry.get());
    }
    return Diagnostic{kind_, "no " + kind_ + " is named '" + std::string(name) + "'", names(), ""};
  }

  [[nodiscard]] const std::vector<std::unique_ptr<T>>& entries() const { return entries_; }

  /// The valid names, for messages and help: "a, b, c".
  [[nodiscard]] std::string names() const {
    std::string list;
    for (const auto& entry : entries_) {
      if (!list.empty()) list += ", ";
      list += entry->name();
    }
    return list;
  }

 private:
  std::string kind_;
  std::vector<std::unique_ptr<T>> entries_;
};

}  // namespace forewarp::base
