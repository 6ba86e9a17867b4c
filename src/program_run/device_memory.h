// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/expected.h"
#include "execution/storage/execution_input.h"

namespace forewarp::program_run {

enum class MemoryKind : std::uint8_t { device, pinned, managed, registered, module };

/// What a program advised of managed memory, or where it prefetched it to.
struct RangeAdvice {
  enum class Kind : std::uint8_t { read_mostly, preferred, accessed_by, prefetched };
  std::uint64_t begin = 0, end = 0;
  Kind kind = Kind::read_mostly;
  std::int32_t device = 0;  ///< -1: the host
  bool set = true;          ///< false: no longer
};

struct Allocation {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  std::uint32_t device = 0;
  std::uint64_t content = 0;        ///< see DeviceMemory::content_of
  std::uint32_t flags = 0;          ///< as the program gave them
  bool host_writes = false;         ///< without a call, whenever the program likes
  std::vector<RangeAdvice> advice;  ///< oldest first
};

/// All memory that kernels may touch. An address on a device is an address of this process, so that
/// a copy is a copy of bytes; memory that nothing touched takes no host memory. Each device has a
/// range as large as the board's memory.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Adds a device with so many bytes. Fails where the process may not reserve addresses.
  Expected<void> add_device(std::uint64_t bytes);

  /// Zero: out of memory, as the board would say. `bytes` 0 is not an allocation.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes, MemoryKind kind, std::uint32_t device);
  /// Host memory that the program owns, from now on visible to kernels. False: it overlaps another.
  bool adopt(std::uint64_t address, std::uint64_t bytes, MemoryKind kind, std::uint32_t device = 0);
  /// False: nothing begins at this address.
  bool release(std::uint64_t address);
  /// Ends all allocations.
  void release_all();
  /// Those of a device, but for one kind.
  void release_all_but(MemoryKind kind, std::uint32_t device);

  /// The allocation that contains an address; null: none does.
  [[nodiscard]] const Allocation* find(std::uint64_t address) const;
  /// The host writes the allocation at an address without a call.
  void set_host_writes(std::uint64_t address);
  /// Keeps the flags of the allocation at an address.
  void set_flags(std::uint64_t address, std::uint32_t flags);
  /// Keeps advice of the allocation that it begins in.
  void advise(const RangeAdvice& advice);
  /// Whether the address is a board's, allocated or not.
  [[nodiscard]] bool is_device_address(std::uint64_t address) const;
  /// A number that stands for what is in an allocation: equal numbers, equal bytes. Of memory that
  /// the host writes itself, it is made from the bytes at each call.
  [[nodiscard]] static std::uint64_t content_of(const Allocation& allocation);
  /// The allocation at or around an address now has a content that nothing else has.
  void changed(std::uint64_t address);
  void set_content(std::uint64_t address, std::uint64_t content);
  /// Bytes within an allocation were replaced from outside.
  void replaced(std::uint64_t address, std::uint64_t bytes);

  /// The allocation whose memory lies in the same large page as `address`, as a board maps it: an
  /// access there does not fault, though it misses every allocation; nor does one right before the
  /// device's first.
  [[nodiscard]] bool is_mapped(std::uint64_t address) const;
  [[nodiscard]] std::uint64_t free_bytes(std::uint32_t device) const;
  [[nodiscard]] std::uint64_t total_bytes(std::uint32_t device) const;
  /// Most bytes of a device that were allocated at a time.
  [[nodiscard]] std::uint64_t peak_bytes(std::uint32_t device) const;

  /// All allocations as the executor takes them, acted on in place; kept until one changes.
  [[nodiscard]] const std::vector<execution::ExecutionBuffer>& buffers();
  /// Grows with every change of the allocations.
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  struct Range {
    std::uint64_t begin = 0, bytes = 0, used = 0, peak = 0;
    std::map<std::uint64_t, std::uint64_t> free;  ///< address -> bytes
  };
  [[nodiscard]] Allocation* found(std::uint64_t address);
  [[nodiscard]] std::uint64_t take(Range& range, std::uint64_t bytes);
  static void give_back(Range& range, std::uint64_t address, std::uint64_t bytes);

  std::vector<Range> ranges_;  ///< by device
  std::map<std::uint64_t, Allocation> allocations_;
  std::vector<execution::ExecutionBuffer> buffers_;
  std::uint64_t version_ = 1, buffers_version_ = 0, contents_ = 0;
};

}  // namespace forewarp::program_run
