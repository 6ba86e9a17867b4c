// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace forewarp::cli {

/// Messages between the processes of one command: a kind and bytes. The first process is rank 0.
struct Message {
  enum Kind : int { request, chunk, wait, done, ended, failed, leaving };
  Kind kind = request;
  std::string bytes;
};

class Channel {
 public:
  virtual ~Channel() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int count() const = 0;
  virtual void send(int to, const Message& message) = 0;
  /// Of rank 0: the next message of anybody, if one is there; else a sender below 0.
  virtual std::pair<int, Message> poll() = 0;
  /// Of the other ranks: what rank 0 says next, waited for.
  virtual Message wait_for_first() = 0;
};

/// Of a process that mpirun began with others; null: of none. Signals are those of the caller.
std::unique_ptr<Channel> open_mpi_channel();

}  // namespace forewarp::cli
