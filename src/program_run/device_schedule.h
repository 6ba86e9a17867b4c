// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "program_run/virtual_clock.h"

namespace forewarp::program_run {

/// A stream's handle; the program's own streams count from first_stream on.
using StreamId = std::uint64_t;
inline constexpr StreamId legacy_stream = 0;
inline constexpr StreamId first_stream = 16;

/// When something on a device began and ended.
struct Interval {
  Nanoseconds begin = 0, end = 0;
};

/// What executes a piece of work.
enum class Engine : std::uint8_t { compute, copy_in, copy_out, none };

/// One device's work in time. Work of a stream is in order; the legacy default stream and the
/// blocking streams wait for each other. A copy engine does one copy at a time, the first that is
/// ready; kernels run together as long as their shares of the device fit.
class DeviceSchedule {
 public:
  struct Work {
    StreamId stream = legacy_stream;
    Engine engine = Engine::none;
    Nanoseconds issued = 0;  ///< when it can begin at the earliest: the host's call, and its way
    Nanoseconds gap = 0;     ///< behind the work before it in its stream
    Nanoseconds duration = 0;
    double share = 1;              ///< of the device, by a kernel: 0..1
    bool early = false;            ///< has no gap behind work that lets the next begin
    bool lets_next_begin = false;  ///< .. before it has ended
    /// Nothing will be issued before this any more: threads of a host are not equally far.
    Nanoseconds past = std::numeric_limits<Nanoseconds>::max();
  };

  /// Places work behind all that was placed before in its stream.
  Interval place(const Work& work);
  /// The same of work whose stream does not matter: it begins at `earliest` or when its engine is
  /// free.
  Interval occupy(const Work& work, Nanoseconds earliest);
  /// When the next work of a stream may begin.
  [[nodiscard]] Nanoseconds ready(StreamId stream);
  /// The stream's work so far ends at this moment, or later: it may be an event that it waits for.
  void advance(StreamId stream, Nanoseconds end);

  /// A stream of the program; `blocking`: it waits for the legacy default stream and the reverse.
  void add_stream(StreamId stream, bool blocking);
  void remove_stream(StreamId stream);
  [[nodiscard]] bool has_stream(StreamId stream) const;
  [[nodiscard]] bool is_blocking(StreamId stream) const;

  /// When all work of a stream so far ends; of the legacy stream, with what it waits for.
  [[nodiscard]] Nanoseconds end_of(StreamId stream) const;
  /// When all work so far ends.
  [[nodiscard]] Nanoseconds end() const { return end_; }

 private:
  struct Stream {
    bool blocking = true;
    Nanoseconds end = 0;
    bool lets_next_begin = false;  ///< its last work does
  };
  /// What an engine is taken by, from a moment to another.
  struct Running {
    Interval when;
    double share = 0;
  };
  using Queue = std::vector<Running>;
  [[nodiscard]] static Nanoseconds place_in(const Queue& queue, Nanoseconds earliest,
                                            const Work& work);
  static void join_closest(Queue& queue);

  std::map<StreamId, Stream> streams_{{legacy_stream, {}}};
  Nanoseconds legacy_end_ = 0;    ///< of the work of the legacy stream
  Nanoseconds blocking_end_ = 0;  ///< of the work of all blocking streams
  Nanoseconds end_ = 0;
  std::array<Queue, 3> queues_;  ///< by engine: what later work may run beside, or has to wait for
};

}  // namespace forewarp::program_run
