// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/http/idle_connections.h"

#include <array>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace forewarp::serve {

namespace {
using Clock = std::chrono::steady_clock;
}

Connection::~Connection() {
  ::close(file);
}

IdleConnections::IdleConnections(Call call, std::chrono::seconds idle, std::size_t most)
    : call_(std::move(call)),
      idle_(idle),
      most_(most),
      watched_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_(::eventfd(0, EFD_CLOEXEC)) {
  epoll_event ending{};
  ending.events = EPOLLIN;
  ending.data.fd = wake_;
  ::epoll_ctl(watched_, EPOLL_CTL_ADD, wake_, &ending);
  thread_ = std::thread([this] { watch(); });
}

IdleConnections::~IdleConnections() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
  thread_.join();
  entries_.clear();
  ::close(watched_);
  ::close(wake_);
}

void IdleConnections::enter(std::shared_ptr<Connection> connection) {
  if (!connection->unread.empty()) {  // the next request came with the last one
    call_(std::move(connection));
    return;
  }
  const int file = connection->file;
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= most_) return;  // its last owner closes it
  entries_[file] = {std::move(connection), Clock::now()};
  epoll_event coming{};
  coming.events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;
  coming.data.fd = file;
  ::epoll_ctl(watched_, EPOLL_CTL_ADD, file, &coming);
}

std::shared_ptr<Connection> IdleConnections::leave(int file) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(file);
  if (found == entries_.end()) return nullptr;
  std::shared_ptr<Connection> connection = std::move(found->second.connection);
  entries_.erase(found);
  ::epoll_ctl(watched_, EPOLL_CTL_DEL, file, nullptr);
  return connection;
}

void IdleConnections::close_idle() {
  std::vector<int> idle;
  {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    for (const auto& [file, entry] : entries_) {
      if (now - entry.since > idle_) idle.push_back(file);
    }
  }
  for (const int file : idle) leave(file);
}

void IdleConnections::watch() {
  constexpr int second_ms = 1000;
  std::array<epoll_event, 64> events{};
  for (;;) {
    const int count =
        ::epoll_wait(watched_, events.data(), static_cast<int>(events.size()), second_ms);
    for (int i = 0; i < count; ++i) {
      const int file = events.at(static_cast<std::size_t>(i)).data.fd;
      if (file == wake_) return;
      if (auto connection = leave(file)) call_(std::move(connection));
    }
    close_idle();
  }
}

std::size_t IdleConnections::waiting() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace forewarp::serve
