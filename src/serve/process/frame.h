// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace forewarp::serve {

/// A message between the server and its workers: one letter for its kind, four bytes for its
/// length (least significant first), then the text.
struct Frame {
  char kind = 0;
  std::string text;
};

/// How far a message came.
enum class FrameEnd : std::uint8_t { whole, closed, late, stopped, too_long };

/// Until when a message is waited for; `stop` ends the wait early. Neither: as long as it takes.
struct Patience {
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* stop = nullptr;
};

inline constexpr std::size_t longest_frame = std::size_t{256} << 20U;  ///< bytes

/// False: nobody reads any more, or not within `patience`.
bool write_frame(int file, char kind, std::string_view text, const Patience& patience = {});

FrameEnd read_frame(int file, Frame& frame, const Patience& patience = {});

}  // namespace forewarp::serve
