// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <sys/types.h>

#include "serve/http/idle_connections.h"

namespace forewarp::serve {

/// Reads and writes a connection for one request: the whole request has to come before a deadline,
/// however slowly its bytes drip.
class SocketStream {
 public:
  SocketStream(Connection& connection, std::chrono::seconds most)
      : connection_(connection), until_(std::chrono::steady_clock::now() + most) {}

  [[nodiscard]] bool is_readable() const;
  [[nodiscard]] bool is_writable() const;
  ssize_t read(char* into, std::size_t size);
  ssize_t write(const char* bytes, std::size_t size);
  [[nodiscard]] bool late() const { return late_; }
  /// Whether the other side has closed, be it only for what it sends: that it still waits for the
  /// answer cannot be told from that it does not.
  [[nodiscard]] bool left() const;

  /// Tells the other side that nothing more comes, and lets it say what it still has to say for a
  /// moment: else it would lose the answer.
  void part();

 private:
  Connection& connection_;
  std::chrono::steady_clock::time_point until_;
  bool late_ = false;
};

}  // namespace forewarp::serve
