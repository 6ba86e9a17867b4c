// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/text/value_cursor.h"

#include <utility>

#include "base/text.h"

namespace forewarp::request {

ValueCursor ValueCursor::item(std::size_t index) const {
  return {value_.items[index], *this, index};
}

std::string ValueCursor::path() const {
  if (parent_ == nullptr) return {};
  std::string text = parent_->path();
  if (parent_->value_.kind == PlainValue::Kind::list) {
    return text + '[' + std::to_string(index_) + ']';
  }
  if (!text.empty()) text += '.';
  return text + parent_->value_.keys[index_];
}

Diagnostic ValueCursor::wrong(std::string_view expected) const {
  const std::string name = path();
  const std::string subject = name.empty() ? "it" : "'" + name + "'";
  return refuse(subject + " is " + value_.described(), std::string(expected));
}

Diagnostic ValueCursor::refuse(std::string found, std::string expected, std::string way_out) const {
  const bool one_line = origin_.line != 0;
  return {place_in_file(origin_.file, one_line ? origin_.line : value_.line,
                        one_line ? 0 : value_.column),
          std::move(found), std::move(expected), std::move(way_out)};
}

Diagnostic ValueCursor::placed(Diagnostic diagnostic) const {
  return refuse("'" + path() + "': " + diagnostic.found, std::move(diagnostic.expected),
                std::move(diagnostic.way_out));
}

Diagnostic ValueCursor::unknown_key(std::size_t index,
                                    const std::vector<std::string>& names) const {
  const auto nearest = closest(value_.keys[index], names);
  return item(index).refuse("'" + item(index).path() + "' is not a key here", join(names, ", "),
                            nearest ? "did you mean '" + *nearest + "'?" : "");
}

std::string ValueCursor::resolved(std::string_view path_in_file) const {
  const std::filesystem::path path(path_in_file);
  if (origin_.directory.empty()) return path.string();
  return (origin_.directory / path).lexically_normal().string();
}

}  // namespace forewarp::request
