// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "base/quantities.h"
#include "binding/occupancy.h"
#include "prediction/arguments/signature.h"
#include "prediction/query.h"
#include "program/launch.h"
#include "result/result.h"

namespace forewarp::hardware {
struct Gpu;
}
namespace forewarp::analysis {
class KernelAnalysis;
}

namespace forewarp::prediction {

/// What a stage assumed and found, in that order.
struct Notes {
  std::vector<Result::Assumption> assumptions;
  std::vector<Result::Finding> findings;

  void add(const Notes& later);
};

/// A kernel with its analysis, which needs no hardware: shared by every launch on every GPU.
struct LoadedKernel {
  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const KernelAnalysis> analysis;
  std::string input;  ///< as the user named it
  std::string hash;   ///< SHA-256 of the kernel's text
  /// The whole input where it was given or came from standard input; null: its file has it.
  std::shared_ptr<const std::string> given;
};

/// Bytes of memory that it takes, for the cache.
[[nodiscard]] std::size_t kept_bytes(const LoadedKernel& code);

/// The second stage: a launch that its board accepts, with the resources of an SM that it needs.
/// Everything that can be refused without executing the kernel is refused here. Never changed.
struct Launch {
  LoadedKernel code;
  std::shared_ptr<const Gpu> gpu;

  LaunchConfig config;  ///< extents, dynamic shared memory and constants only
  BoundArguments arguments;
  BlockNeeds needs;
  Occupancy occupancy;
  Megahertz clock;
  bool clock_known = false;  ///< the clock was given, or measured on this board
  Timing timing = Timing::device;
  Microseconds added;  ///< by launching and timing, on top of the device's own time

  std::vector<std::pair<std::string, std::string>> options;  ///< in effect, for the echo
  Notes notes;
  /// Of the code's text, the board's numbers and all that was asked; files with values by their
  /// names: their content is in the trace's key.
  std::string key;
};

/// What timing adds to the device's own time: as the case gives it for its harness, else the
/// board's number.
[[nodiscard]] Microseconds added_time(const Gpu& gpu, const Query& query);

/// Without notes, key and the checks that need the whole query: for the points of a sweep.
Expected<Launch> plan_launch(const LoadedKernel& code, std::shared_ptr<const Gpu> gpu,
                             const Query& query);

/// Refuses, with one line, what the board would not accept and what the kernel has nothing of.
Expected<Launch> make_launch(const LoadedKernel& code, std::shared_ptr<const Gpu> gpu,
                             const Query& query);

}  // namespace forewarp::prediction
