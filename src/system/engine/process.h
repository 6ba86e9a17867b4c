// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "system/description/placement.h"
#include "system/engine/flows.h"
#include "system/engine/timeline.h"

namespace forewarp::system {

class Stream;
struct Graph;

/// Data on their way to a process.
struct Message {
  std::uint32_t from = 0;  ///< rank
  std::int64_t tag = 0;    ///< below 0: of a collective
  double bytes = 0;
  double sent_at = 0;
  std::shared_ptr<Flow> flow{};  ///< null: it takes no time
};

/// What a message takes that is alone on its links.
struct MessageTime {
  double latency_s = 0, transfer_s = 0;
};

/// Which message a process waits for.
struct Expectation {
  std::optional<std::uint32_t> from;  ///< rank; nullopt: of `label`, or any
  std::string label;                  ///< of the sender; empty: any
  std::int64_t tag = 0;
};

/// A message that a process sent and may wait for.
struct Sending {
  Message message;
  std::uint32_t to = 0;
};

struct Process;

/// What a stopped process waits for, put into words only when somebody asks.
class Waiting {
 public:
  Waiting() = default;
  Waiting(const char* before, const Process* whom = nullptr, const char* after = "")
      : before_(before), after_(after), whom_(whom) {}
  [[nodiscard]] std::string text() const;

 private:
  const char *before_ = "", *after_ = "";
  const Process* whom_ = nullptr;
};

/// One process of the application.
struct Process {
  Place place;
  std::uint32_t rank = 0;
  std::uint32_t lane = 0;
  std::string name;  ///< "GPU:0"
  std::deque<Message> inbox;
  Signal arrival;                      ///< of a message that it waits for
  std::optional<Expectation> expects;  ///< while it waits for a message
  Waiting waits_for;                   ///< while it is stopped, what for
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<Graph>> graphs;
  std::vector<std::uint64_t> collectives;  ///< begun so far, by group
  std::function<std::string()> line;       ///< where in the application it is: "app.lua:12"
  double finish_s = 0;
  double energy_j = 0;
  bool ended = false;
};

}  // namespace forewarp::system
