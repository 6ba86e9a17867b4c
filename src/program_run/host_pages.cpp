// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/host_pages.h"

#include <array>
#include <cerrno>
#include <sys/uio.h>
#include <unistd.h>

namespace forewarp::program_run {
namespace {

constexpr std::uint64_t page = 4096;     // of x86-64
constexpr std::size_t at_a_time = 1024;  // pieces that one call of the system takes (IOV_MAX)

}  // namespace

bool HostPages::add(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || !good_) return good_;
  if (address + bytes < address) return good_ = false;
  const std::uint64_t last = (address + bytes - 1) / page;
  for (std::uint64_t at = address / page; at <= last && good_; ++at) {
    if (at == last_page_ && at != 0) continue;
    last_page_ = at;
    places_.push_back(at == address / page ? address : at * page);
    if (places_.size() == at_a_time) ask();
  }
  return good_;
}

bool HostPages::finish() {
  if (good_ && !places_.empty()) ask();
  return good_;
}

void HostPages::ask() {
  std::array<char, at_a_time> bytes;    // NOLINT: filled by the call
  std::array<iovec, at_a_time> places;  // NOLINT
  const std::size_t count = places_.size();
  for (std::size_t i = 0; i < count; ++i)
    places[i] = {reinterpret_cast<void*>(places_[i]), 1};  // NOLINT: an address of this process
  places_.clear();
  const iovec own{bytes.data(), count};
  const auto lacks = [&](ssize_t done) {
    if (done >= 0) return static_cast<std::size_t>(done) < count;
    return errno == EFAULT;
  };
  good_ = !lacks(::process_vm_readv(::getpid(), &own, 1, places.data(), count, 0));
  // What is to be written gets the bytes that it has.
  if (good_ && use_ == Use::written)
    good_ = !lacks(::process_vm_writev(::getpid(), &own, 1, places.data(), count, 0));
}

}  // namespace forewarp::program_run
