// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/expected.h"

namespace forewarp::trace {

/// Bytes that are read once, from the front.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Puts at most `room` next bytes at `to` and returns their number; 0 at the end. Fails if the
  /// source is damaged.
  Expected<std::size_t> read(char* to, std::size_t room) { return do_read(to, room); }

 private:
  virtual Expected<std::size_t> do_read(char* to, std::size_t room) = 0;
};

/// Bytes in memory, which must outlive it.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : rest_(text) {}

 private:
  Expected<std::size_t> do_read(char* to, std::size_t room) override {
    const std::size_t count = rest_.copy(to, room);
    rest_.remove_prefix(count);
    return count;
  }

  std::string_view rest_;
};

}  // namespace forewarp::trace
