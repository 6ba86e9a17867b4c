// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/warp/block.h"

namespace forewarp::execution {

/// The events of NoSink as one type, for code that is compiled once for all sinks.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void block_started(Block&) {}
  virtual void executed(const Warp&, std::uint32_t, LaneMask, LaneMask) {}
  virtual void branched(const Warp&, std::uint32_t, LaneMask, LaneMask) {}
  virtual void accessed(const Warp&, const MemoryAccess&) {}
  virtual void warp_ended(const Warp&) {}
  virtual void block_ended(const Block&) {}
};

/// Passes them on to a sink.
template <class Sink>
class SinkEvents : public EventSink {
 public:
  explicit SinkEvents(Sink& sink) : sink_(sink) {}
  void block_started(Block& block) override { sink_.block_started(block); }
  void executed(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask lanes) override {
    sink_.executed(warp, i, active, lanes);
  }
  void branched(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask taken) override {
    sink_.branched(warp, i, active, taken);
  }
  void accessed(const Warp& warp, const MemoryAccess& access) override {
    sink_.accessed(warp, access);
  }
  void warp_ended(const Warp& warp) override { sink_.warp_ended(warp); }
  void block_ended(const Block& block) override { sink_.block_ended(block); }

 private:
  Sink& sink_;
};

}  // namespace forewarp::execution
