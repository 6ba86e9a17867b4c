// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <simgrid/s4u/Actor.hpp>

#include "system/layers.h"

namespace forewarp::system {

/// An actor that stops until somebody lets it go on, once for each time. Half the work of a
/// semaphore of SimGrid.
class Signal {
 public:
  /// Stops the calling actor.
  void wait() {
    actor_ = simgrid::s4u::Actor::self();
    simgrid::s4u::this_actor::suspend();
  }
  /// Of an actor that waits, or began to in the same round of the engine.
  void release() { actor_->resume(); }

 private:
  simgrid::s4u::Actor* actor_ = nullptr;
};

}  // namespace forewarp::system
