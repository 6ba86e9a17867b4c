// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/http/socket_stream.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>

namespace forewarp::serve {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds longest_write(20);  // that a reader may leave us waiting
constexpr std::size_t part_size = 16384;

bool ready(int file, short what, std::chrono::milliseconds wait) {
  pollfd waiting{file, what, 0};
  for (;;) {
    const int found = ::poll(&waiting, 1, static_cast<int>(std::max(wait.count(), 0L)));
    if (found >= 0 || errno != EINTR) return found > 0;
  }
}

}  // namespace

bool SocketStream::is_readable() const {
  return !connection_.unread.empty() || ready(connection_.file, POLLIN, {});
}

bool SocketStream::is_writable() const {
  pollfd state{connection_.file, POLLOUT, 0};
  if (::poll(&state, 1, 0) < 0) return false;
  return (state.revents & (POLLERR | POLLHUP)) == 0;
}

bool SocketStream::left() const {
  pollfd state{connection_.file, POLLRDHUP, 0};
  return connection_.unread.empty() && ::poll(&state, 1, 0) > 0;
}

ssize_t SocketStream::read(char* into, std::size_t size) {
  if (connection_.unread.empty()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now());
    if (left.count() <= 0 || !ready(connection_.file, POLLIN, left)) {
      late_ = true;
      return -1;
    }
    std::array<char, part_size> part;
    const ssize_t count = ::recv(connection_.file, part.data(), part.size(), 0);
    if (count <= 0) return count;
    connection_.unread.assign(part.data(), static_cast<std::size_t>(count));
  } else if (Clock::now() > until_) {
    late_ = true;
    return -1;
  }
  const std::size_t count = std::min(size, connection_.unread.size());
  std::memcpy(into, connection_.unread.data(), count);
  connection_.unread.erase(0, count);
  return static_cast<ssize_t>(count);
}

ssize_t SocketStream::write(const char* bytes, std::size_t size) {
  for (;;) {
    if (!ready(connection_.file, POLLOUT, longest_write)) return -1;
    const ssize_t count = ::send(connection_.file, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0 || (errno != EAGAIN && errno != EINTR)) return count;
  }
}

void SocketStream::part() {
  constexpr std::chrono::milliseconds moment(300);
  const auto until = Clock::now() + moment;
  ::shutdown(connection_.file, SHUT_WR);
  std::array<char, part_size> nowhere;
  while (Clock::now() < until) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (!ready(connection_.file, POLLIN, left)) break;
    if (::recv(connection_.file, nowhere.data(), nowhere.size(), 0) <= 0) break;
  }
}

}  // namespace forewarp::serve
