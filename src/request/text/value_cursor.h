// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "request/text/plain_value.h"

namespace forewarp::request {

/// The file that a value comes from.
struct ValueOrigin {
  std::string file;                 ///< as the user named it, for messages
  std::size_t line = 0;             ///< line of a one-line case; 0: the values have their lines
  std::filesystem::path directory;  ///< where relative paths start
};

/// A value with its path in the file ("args[1].content"), which is spelled out only for messages.
/// Cursors live on the reader's stack: a child refers to its parent.
class ValueCursor {
 public:
  ValueCursor(const PlainValue& value, const ValueOrigin& origin)
      : value_(value), origin_(origin) {}

  [[nodiscard]] ValueCursor item(std::size_t index) const;
  [[nodiscard]] const PlainValue& value() const { return value_; }
  [[nodiscard]] const ValueOrigin& origin() const { return origin_; }
  [[nodiscard]] std::string path() const;

  /// "FILE:LINE: 'args[1]' is <value>; expected ..."
  [[nodiscard]] Diagnostic wrong(std::string_view expected) const;
  /// "FILE:LINE: <found>; expected ..; way out", with the caller's texts.
  [[nodiscard]] Diagnostic refuse(std::string found, std::string expected = {},
                                  std::string way_out = {}) const;
  /// Another reader's diagnostic about this value, with this place and key.
  [[nodiscard]] Diagnostic placed(Diagnostic diagnostic) const;
  /// The message that this table's key `index` is none of `names`; suggests the closest one.
  [[nodiscard]] Diagnostic unknown_key(std::size_t index,
                                       const std::vector<std::string>& names) const;

  /// A path of the file as the process can open it: resolved against the origin's directory.
  [[nodiscard]] std::string resolved(std::string_view path_in_file) const;

 private:
  ValueCursor(const PlainValue& value, const ValueCursor& parent, std::size_t index)
      : value_(value), origin_(parent.origin_), parent_(&parent), index_(index) {}

  const PlainValue& value_;
  const ValueOrigin& origin_;
  const ValueCursor* parent_ = nullptr;
  std::size_t index_ = 0;  ///< index among the parent's items
};

}  // namespace forewarp::request
