// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/link.h"
#include "program/launch.h"

namespace forewarp::request {

/// What a time includes: as a profiler, a pair of events, or the host would report it.
enum class Timing : std::uint8_t { device, event, stream, graph, host };

/// State of the caches when the kernel starts.
enum class Repeat : std::uint8_t { cold, warm };

/// The clock that a prediction is made for. `megahertz` is used only with `stated`, and with `load`
/// during the search (0: the boost clock, where the search begins).
struct ClockChoice {
  enum class Kind : std::uint8_t { sustained, base, boost, stated, load };
  Kind kind = Kind::sustained;
  double megahertz = 0;
};

[[nodiscard]] std::string_view timing_name(Timing timing);
[[nodiscard]] std::string_view repeat_name(Repeat repeat);
[[nodiscard]] std::optional<Timing> timing_named(std::string_view name);
[[nodiscard]] std::optional<Repeat> repeat_named(std::string_view name);

/// A copy between host and device that belongs to a launch, as written.
struct CopyRequest {
  std::uint64_t bytes = 0;
  std::string same;  ///< name or index of the argument whose buffer is copied; empty: `bytes` are
  CopyDirection direction = CopyDirection::to_device;
  HostMemory memory = HostMemory::pageable;
  bool operator==(const CopyRequest&) const = default;
};

/// One launch to predict: a line of a cases file, or a launch file (then without input, gpu and
/// what was measured). Paths are already relative to the working directory.
struct Case {
  std::string id;
  std::string input;                  ///< path of the code; empty: not given
  std::string kernel;                 ///< plain or mangled name; empty: the only one
  std::string gpu;                    ///< id, marketing name or path; empty: not given
  LaunchConfig launch;                ///< grid or block with x = 0: not given
  bool has_dynamic_shared = false;    ///< it was given, even if as 0
  std::uint32_t resident_blocks = 0;  ///< per SM, by unused dynamic shared memory; 0: what fits
  std::vector<std::string> compile_options;  ///< for an input that is source code
  std::string link;                          ///< id or name; empty: the host link of the GPU's file
  std::vector<CopyRequest> copies;           ///< before and after the kernel, one after the other
  std::optional<ClockChoice> clock;
  std::optional<Timing> timing;
  std::optional<Repeat> repeat;
  std::optional<double> overhead_us;  ///< added by the harness; nullopt: by the board and `timing`
  std::optional<double> measured_ms;  ///< measured on a real board
  std::optional<double> spread;       ///< of the measurement, relative to measured_ms
  std::string group;                  ///< cases that are judged together
  std::optional<double> count;        ///< number of launches, for totals over many cases

  [[nodiscard]] bool has_grid() const { return launch.grid[0] != 0; }
  [[nodiscard]] bool has_block() const { return launch.block[0] != 0; }
};

}  // namespace forewarp::request
