// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_copies.h"

#include <functional>
#include <string>

#include "cuda_timer.h"

namespace forewarp::cli {
namespace {

using Address = unsigned long long;

/// The ends of a copy, which are freed in the end.
class Ends {
 public:
  explicit Ends(const OpenedLibrary& driver) : driver_(driver) {}
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  ~Ends() {
    if (pinned_ != nullptr) driver_.call("cuMemFreeHost", pinned_);
    for (const Address address : {here_, there_}) {
      if (address != 0) driver_.call("cuMemFree_v2", address);
    }
  }

  Expected<void> prepare(const CopyTest& copy, int device, std::size_t bytes) {
    const auto got = [&](int code) {
      return code == 0 ? Expected<void>()
                       : driver_fault("no memory for " + std::to_string(bytes) + " bytes", code);
    };
    if (auto fine = got(driver_.call("cuMemAlloc_v2", &here_, bytes)); !fine) return fine;
    if (copy.way == CopyTest::Way::on_device) {
      return got(driver_.call("cuMemAlloc_v2", &there_, bytes));
    }
    if (copy.way == CopyTest::Way::to_peer) return prepare_peer(device, bytes);
    if (copy.memory == HostMemory::pinned) {
      return got(driver_.call("cuMemAllocHost_v2", &pinned_, bytes));
    }
    pages_.assign(bytes, 0);  // touched, so that no page is made while it is timed
    return {};
  }

  int run(const CopyTest& copy, std::size_t bytes) {
    void* host = pinned_ != nullptr ? pinned_ : pages_.data();
    const void* from = host;
    switch (copy.way) {
      case CopyTest::Way::to_device:
        return driver_.call("cuMemcpyHtoD_v2", here_, from, bytes);
      case CopyTest::Way::to_host:
        return driver_.call("cuMemcpyDtoH_v2", host, here_, bytes);
      case CopyTest::Way::on_device:
        return driver_.call("cuMemcpyDtoD_v2", there_, here_, bytes);
      case CopyTest::Way::to_peer:
        return driver_.call("cuMemcpyPeer", there_, peer_, here_, own_, bytes);
    }
    return -1;
  }

 private:
  /// Memory of the next GPU, and a way there past the host where the driver allows one.
  Expected<void> prepare_peer(int device, std::size_t bytes) {
    int count = 0, other = 0;
    driver_.call("cuDeviceGetCount", &count);
    if (count < 2) {
      return Diagnostic{"copy", "there is one GPU", "a second one beside it", ""};
    }
    constexpr unsigned plain = 0;
    int code = driver_.call("cuDeviceGet", &other, (device + 1) % count);
    if (code == 0) code = driver_.call("cuCtxGetCurrent", &own_);
    if (code == 0) code = driver_.call("cuDevicePrimaryCtxRetain", &peer_, other);
    if (code == 0) code = driver_.call("cuCtxSetCurrent", peer_);
    if (code == 0) code = driver_.call("cuMemAlloc_v2", &there_, bytes);
    driver_.call("cuCtxSetCurrent", own_);
    if (code == 0) driver_.call("cuCtxEnablePeerAccess", peer_, plain);
    return code == 0 ? Expected<void>() : driver_fault("the next GPU", code);
  }

  const OpenedLibrary& driver_;
  Address here_ = 0, there_ = 0;
  void *pinned_ = nullptr, *own_ = nullptr, *peer_ = nullptr;
  std::vector<char> pages_;
};

}  // namespace

Expected<std::vector<double>> copy_times(const OpenedLibrary& driver, int device,
                                         const CopyTest& copy, std::uint64_t bytes,
                                         std::uint32_t times) {
  Ends ends(driver);
  if (auto ready = ends.prepare(copy, device, bytes); !ready) return ready.error();
  std::vector<double> all;
  for (std::uint32_t i = 0; i <= times; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    int code = ends.run(copy, bytes);
    if (code == 0) code = driver.call("cuCtxSynchronize");
    if (code != 0) return driver_fault("a copy", code);
    if (i > 0) all.push_back(microseconds_since(begun));
  }
  return all;
}

}  // namespace forewarp::cli
