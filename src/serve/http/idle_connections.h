// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace forewarp::serve {

/// An open connection: its socket, and what was read of it and not used yet.
struct Connection {
  explicit Connection(int opened) : file(opened) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();
  int file;
  std::string unread;
};

/// Connections that nobody is busy with, watched by one thread.
class IdleConnections {
 public:
  using Call = std::function<void(std::shared_ptr<Connection>)>;

  /// `call` is told of a connection whose next request begins.
  IdleConnections(Call call, std::chrono::seconds idle, std::size_t most);
  ~IdleConnections();
  IdleConnections(const IdleConnections&) = delete;
  IdleConnections& operator=(const IdleConnections&) = delete;

  void enter(std::shared_ptr<Connection> connection);
  [[nodiscard]] std::size_t waiting() const;

 private:
  struct Entry {
    std::shared_ptr<Connection> connection;
    std::chrono::steady_clock::time_point since;
  };
  void watch();
  void close_idle();
  std::shared_ptr<Connection> leave(int file);

  Call call_;
  const std::chrono::seconds idle_;
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::map<int, Entry> entries_;
  int watched_ = -1, wake_ = -1;
  std::thread thread_;
};

}  // namespace forewarp::serve
