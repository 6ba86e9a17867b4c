// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "hardware/link_database.h"
#include "model/transfer/host_copy.h"
#include "system/description/system.h"

namespace forewarp::system {

/// How long data take over one link, whatever else is on it.
class LinkModel {
 public:
  /// Loads the link's hardware, where it has one. Refuses what the database does not know.
  static Expected<LinkModel> build(const Connection& connection, const System& system,
                                   const LinkDatabase& links);

  /// Seconds before the first byte of a message arrives; `there`: from the first end.
  [[nodiscard]] double latency_s(bool there) const;
  /// Bytes per second of one message.
  [[nodiscard]] double message_rate(bool there) const;
  /// Bytes per second of all that passes at a time.
  [[nodiscard]] double capacity(bool there) const;

  /// A copy between host and device: seconds before the link starts, and its rate from then on.
  struct Copy {
    double before_s = 0;
    double bytes_per_s = 0;
  };
  /// `side`: the host's memory, unless the link's file says another one.
  [[nodiscard]] Copy copy(bool there, HostSide side, double bytes) const;
  /// What such a copy takes from another host, as sentences; empty: nothing.
  [[nodiscard]] std::vector<std::string> assumed(bool there, HostSide side) const;

  /// Its hardware; null: the system's file states its figures.
  [[nodiscard]] const Link* hardware() const { return link_ ? &*link_ : nullptr; }

  /// What is known of the link only by assumption; empty: nothing.
  [[nodiscard]] std::string guessed() const;

 private:
  [[nodiscard]] CopyDirection direction(bool there) const;
  [[nodiscard]] HostSide side(HostSide asked) const;
  /// Whether kernels of GPUs move data over it, and its file says what they reach.
  [[nodiscard]] bool joins_gpus() const;

  Way there_, back_;
  double lanes_ = 1;
  std::optional<HostMemory> memory_;
  std::optional<Link> link_;
  std::shared_ptr<const Host> host_;  ///< at one of its ends; null: none
  bool device_first_ = false;         ///< the first end is the device
  bool at_gpu_ = false;               ///< one end is a GPU, none a host
};

}  // namespace forewarp::system
