// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/expected.h"
#include "trace/bytes/byte_reader.h"
#include "trace/trace_header.h"
#include "trace/warp_decoder.h"

namespace forewarp::trace {

/// Reads a trace of Forewarp's own format from front to back, holding one instruction at a time:
///   while (next_block()) while (next_warp()) while (next(event)) ..
/// Asking for the next warp or block skips the rest of the current one.
class TraceReader {
 public:
  /// Fails if the folder has no complete trace of this format.
  static Expected<TraceReader> open(const std::filesystem::path& folder);
  /// `place` names the source in messages.
  TraceReader(TraceHeader header, std::unique_ptr<ByteSource> stream, const std::string& place);

  [[nodiscard]] const TraceHeader& header() const { return header_; }

  /// Goes to the next block; false at the end of the trace.
  Expected<bool> next_block();
  /// Goes to the next warp; false at the end of the block.
  Expected<bool> next_warp();
  /// Reads the next instruction; false at the end of the warp.
  Expected<bool> next(TraceEvent& event) { return warp_.next(event); }

  [[nodiscard]] std::uint64_t block() const { return block_; }  ///< linear number
  [[nodiscard]] std::uint64_t warp() const { return next_warp_ - 1; }
  [[nodiscard]] std::uint64_t warp_instructions() const { return instructions_; }

 private:
  Expected<void> begin();
  Expected<void> pass_over();

  TraceHeader header_;
  std::unique_ptr<ByteSource> stream_;
  std::unique_ptr<ByteReader> bytes_;
  bool begun_ = false, ended_ = false;
  std::uint64_t blocks_ = 0, block_ = 0;
  std::uint64_t warps_ = 0, next_warp_ = 0;  ///< of the block
  std::uint64_t instructions_ = 0;           ///< of the warp
  std::uint64_t warp_end_ = 0;               ///< in bytes taken
  WarpDecoder warp_;
};

}  // namespace forewarp::trace
