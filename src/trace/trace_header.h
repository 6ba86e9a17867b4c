// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "execution/grid/sampling.h"
#include "result/result.h"

namespace forewarp::trace {

/// The content of trace.json: the launch, the code, and which blocks the trace has. Keys:
/// docs/trace.md; those of kernel, gpu, launch, findings and assumptions are the same as in a
/// result.
struct TraceHeader {
  static constexpr std::string_view schema = "forewarp.trace/1";
  static constexpr std::string_view file_name = "trace.json";

  struct Code {
    std::uint32_t address = 0;
    std::string text, instruction_class;
    bool operator==(const Code&) const = default;
  };
  struct Buffer {
    std::string name;
    std::uint64_t address = 0, bytes = 0;
    bool operator==(const Buffer&) const = default;
  };

  std::string written_as;          ///< name of the format of `files`
  bool complete = false;           ///< whether it was written to its end
  std::vector<std::string> files;  ///< beside trace.json
  std::string tool_version;
  Result::KernelFacts kernel;
  Result::GpuFacts gpu;
  Result::LaunchFacts launch;
  std::uint64_t of_blocks = 0;    ///< in the grid
  std::uint64_t held_blocks = 0;  ///< chosen for the trace
  std::vector<Stratum> strata;    ///< if not all: which, and how many they stand for
  std::uint64_t warps = 0;        ///< of these blocks; 0 until it is complete, as all counts
  std::uint64_t recorded = 0;     ///< warp instructions of these blocks
  double estimated = 0;           ///< warp instructions of the whole grid
  double relative_error = 0;      ///< of the estimate, 95 %
  std::vector<Buffer> buffers;
  std::vector<Code> code;  ///< by instruction index
  std::vector<Result::Finding> findings;
  std::vector<Result::Assumption> assumptions;

  /// Whether the trace has every block of the grid.
  [[nodiscard]] bool whole_grid() const { return of_blocks == held_blocks; }
  void choose(const SamplePlan& plan);
};

[[nodiscard]] std::string to_json(const TraceHeader& header);

/// Ignores unknown keys. Fails with the place in `file`.
Expected<TraceHeader> trace_header_from_json(std::string_view text, const std::string& file);

}  // namespace forewarp::trace
