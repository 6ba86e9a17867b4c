// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "command_line.h"

namespace forewarp::cli {

/// What `forewarp serve` is asked for, as written.
struct ServeAsked {
  std::uint32_t port = 8642;
  std::string listen, store;
  std::uint32_t workers = 0;       ///< 0: one per core
  std::uint32_t memory_mb = 4096;  ///< of one worker
  bool unsafe_compile = false, worker = false;
};

Command serve_command(const std::function<Expected<int>(const ServeAsked&)>& serve);

}  // namespace forewarp::cli
