// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "base/expected.h"
#include "serve/http/guard.h"
#include "serve/http/message.h"

namespace forewarp::serve {

struct ServerLimits {
  std::size_t threads = 160;         ///< requests and event streams at one time
  std::size_t streams = 96;          ///< of them event streams
  std::size_t connections = 2048;    ///< open at one time; a further one is closed
  std::chrono::seconds idle{60};     ///< a connection without a request
  std::chrono::seconds request{10};  ///< from a request's first byte to its last
};

/// HTTP/1.1. A connection takes a thread only from a request's first byte to the end of its answer:
/// idle ones wait together in one thread.
class HttpServer {
 public:
  HttpServer(GuardRules rules, HttpHandler handler, const ServerLimits& limits = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// The port that it listens on; port 0 of the rules: a free one.
  Expected<int> bind();
  /// Serves until stop(), which another thread calls.
  void run();
  void stop();

 private:
  class Front;
  std::unique_ptr<Front> front_;
};

}  // namespace forewarp::serve
