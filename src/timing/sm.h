// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "timing/units/sm_state.h"

namespace forewarp::timing {

/// One SM: its units and the stages that work on them. Time advances from issue to issue: step()
/// makes the next one happen.
class Sm {
 public:
  /// `seed` varies where the loads of this SM find their data.
  Sm(const SmMachine& machine, const TimedKernel& kernel, BlockSupply& supply, DevicePath* device,
     std::uint32_t resident, std::uint32_t seed, Recorder* recorder);

  /// Starts a block if one is left and a place is free; returns whether it did.
  bool start_block(Ticks at);

  /// When a warp may issue next; `never` when all blocks have ended.
  [[nodiscard]] Ticks next() const { return next_; }
  void step();

  /// When its last instruction has issued and its stores have left.
  [[nodiscard]] Ticks drained() const;
  [[nodiscard]] const SmState& state() const { return state_; }

 private:
  void find_next();

  SmState state_;
  Ticks next_ = never;
  std::uint32_t next_core_ = 0, last_core_ = 0;  ///< schedulers of the next step and of the last
};

}  // namespace forewarp::timing
