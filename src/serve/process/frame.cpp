// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/process/frame.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace forewarp::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t head_size = 5;
constexpr unsigned byte_bits = 8;
constexpr std::chrono::milliseconds slice(20);  // between looks at `stop`

/// Whether the file can be read or written before the patience is over.
FrameEnd ready(int file, short what, const Patience& patience) {
  for (;;) {
    if (patience.stop != nullptr && *patience.stop) return FrameEnd::stopped;
    const auto now = Clock::now();
    if (now >= patience.until) return FrameEnd::late;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(patience.until - now);
    const auto wait = patience.stop != nullptr ? std::min(left, slice)
                                               : std::min(left, std::chrono::milliseconds(60'000));
    pollfd waiting{file, what, 0};
    const int found = ::poll(&waiting, 1, static_cast<int>(wait.count()));
    if (found > 0) return FrameEnd::whole;
    if (found < 0 && errno != EINTR) return FrameEnd::closed;
  }
}

FrameEnd read_bytes(int file, char* into, std::size_t size, const Patience& patience) {
  while (size > 0) {
    if (const FrameEnd state = ready(file, POLLIN, patience); state != FrameEnd::whole) {
      return state;
    }
    const ssize_t count = ::read(file, into, size);
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) return FrameEnd::closed;
    if (count < 0) continue;
    into += count;
    size -= static_cast<std::size_t>(count);
  }
  return FrameEnd::whole;
}

bool write_bytes(int file, std::string_view bytes, const Patience& patience) {
  while (!bytes.empty()) {
    if (ready(file, POLLOUT, patience) != FrameEnd::whole) return false;
    const ssize_t count = ::write(file, bytes.data(), std::min(bytes.size(), std::size_t{4096}));
    if (count < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

bool write_frame(int file, char kind, std::string_view text, const Patience& patience) {
  std::array<char, head_size> head{kind};
  for (unsigned i = 1; i < head_size; ++i) {
    head[i] = static_cast<char>((text.size() >> (byte_bits * (i - 1))) & 0xffU);
  }
  return text.size() <= longest_frame && write_bytes(file, {head.data(), head.size()}, patience) &&
         write_bytes(file, text, patience);
}

FrameEnd read_frame(int file, Frame& frame, const Patience& patience) {
  std::array<char, head_size> head{};
  if (const FrameEnd state = read_bytes(file, head.data(), head.size(), patience);
      state != FrameEnd::whole) {
    return state;
  }
  std::size_t size = 0;
  for (unsigned i = 1; i < head_size; ++i) {
    size |= std::size_t{static_cast<unsigned char>(head[i])} << (byte_bits * (i - 1));
  }
  if (size > longest_frame) return FrameEnd::too_long;
  frame.kind = head[0];
  frame.text.resize(size);
  return read_bytes(file, frame.text.data(), size, patience);
}

}  // namespace forewarp::serve
