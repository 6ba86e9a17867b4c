// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/device_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <sys/mman.h>
#include <utility>

#include "program_run/content_hash.h"

namespace forewarp::program_run {
namespace {

constexpr std::uint64_t alignment = 512;           // of cudaMalloc
constexpr std::uint64_t host_page = 4096;          // of x86-64
constexpr std::uint64_t mapped_unit = 2ULL << 20;  // large pages of a board's address translation

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

void* pointer(std::uint64_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT: addresses of this process
}

/// Lets the system take back the whole pages of a range; they read as zero from then on.
void forget_pages(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t begin = rounded(address, host_page);
  const std::uint64_t end = (address + bytes) / host_page * host_page;
  if (begin < end) ::madvise(pointer(begin), end - begin, MADV_DONTNEED);
}

bool host_writes(MemoryKind kind) {
  return kind == MemoryKind::pinned || kind == MemoryKind::managed ||
         kind == MemoryKind::registered;
}

}  // namespace

DeviceMemory::~DeviceMemory() {
  release_all();
  for (const Range& range : ranges_) ::munmap(pointer(range.begin), range.bytes);
}

Expected<void> DeviceMemory::add_device(std::uint64_t bytes) {
  const std::uint64_t size = rounded(bytes, mapped_unit);
  void* begin = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) {
    return Diagnostic{"device memory",
                      "addresses for " + std::to_string(size >> 20) +
                          " MB cannot be reserved: " + std::strerror(errno),
                      "", "raise the limit on address space (ulimit -v)"};
  }
  Range range;
  range.begin = reinterpret_cast<std::uint64_t>(begin);
  range.bytes = size;
  range.free.emplace(range.begin, size);
  ranges_.push_back(std::move(range));
  return {};
}

std::uint64_t DeviceMemory::take(Range& range, std::uint64_t bytes) {
  for (auto at = range.free.begin(); at != range.free.end(); ++at) {
    if (at->second < bytes) continue;
    const auto [address, size] = *at;
    range.free.erase(at);
    if (size > bytes) range.free.emplace(address + bytes, size - bytes);
    range.used += bytes;
    range.peak = std::max(range.peak, range.used);
    return address;
  }
  return 0;
}

void DeviceMemory::give_back(Range& range, std::uint64_t address, std::uint64_t bytes) {
  range.used -= bytes;
  const auto placed = range.free.emplace(address, bytes).first;
  const auto after = std::next(placed);
  if (after != range.free.end() && address + bytes == after->first) {
    placed->second += after->second;
    range.free.erase(after);
  }
  if (placed == range.free.begin()) return;
  const auto before = std::prev(placed);
  if (before->first + before->second != address) return;
  before->second += placed->second;
  range.free.erase(placed);
}

std::uint64_t DeviceMemory::allocate(std::uint64_t bytes, MemoryKind kind, std::uint32_t device) {
  if (bytes == 0) return 0;
  std::uint64_t address = 0;
  if (kind == MemoryKind::device || kind == MemoryKind::module || kind == MemoryKind::managed) {
    if (device >= ranges_.size() || bytes > ranges_[device].bytes) return 0;
    address = take(ranges_[device], rounded(bytes, alignment));
  } else {
    void* made = ::mmap(nullptr, rounded(bytes, host_page), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made != MAP_FAILED) address = reinterpret_cast<std::uint64_t>(made);
  }
  if (address == 0) return 0;
  allocations_[address] = {address,           bytes, kind, device, mixed(++contents_), 0,
                           host_writes(kind), {}};
  ++version_;
  return address;
}

bool DeviceMemory::adopt(std::uint64_t address, std::uint64_t bytes, MemoryKind kind,
                         std::uint32_t device) {
  if (bytes == 0 || find(address) != nullptr) return false;
  const auto after = allocations_.lower_bound(address);
  if (after != allocations_.end() && after->first < address + bytes) return false;
  allocations_[address] = {address,           bytes, kind, device, mixed(++contents_), 0,
                           host_writes(kind), {}};
  ++version_;
  return true;
}

bool DeviceMemory::release(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return false;
  const Allocation gone = found->second;
  allocations_.erase(found);
  ++version_;
  switch (gone.kind) {
    case MemoryKind::pinned:
      ::munmap(pointer(address), rounded(gone.bytes, host_page));
      break;
    case MemoryKind::registered:
      break;
    default:
      forget_pages(address, rounded(gone.bytes, alignment));
      give_back(ranges_[gone.device], address, rounded(gone.bytes, alignment));
  }
  return true;
}

void DeviceMemory::release_all() {
  while (!allocations_.empty()) release(allocations_.begin()->first);
}

void DeviceMemory::release_all_but(MemoryKind kind, std::uint32_t device) {
  std::vector<std::uint64_t> others;
  for (const auto& [address, allocation] : allocations_) {
    if (allocation.kind != kind && allocation.device == device) others.push_back(address);
  }
  for (const std::uint64_t address : others) release(address);
}

const Allocation* DeviceMemory::find(std::uint64_t address) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const Allocation& before = std::prev(after)->second;
  return address - before.address < before.bytes ? &before : nullptr;
}

Allocation* DeviceMemory::found(std::uint64_t address) {
  return const_cast<Allocation*>(std::as_const(*this).find(address));  // NOLINT: its own
}

void DeviceMemory::set_host_writes(std::uint64_t address) {
  if (Allocation* const at = found(address)) at->host_writes = true;
}

void DeviceMemory::set_flags(std::uint64_t address, std::uint32_t flags) {
  if (Allocation* const at = found(address)) at->flags = flags;
}

void DeviceMemory::advise(const RangeAdvice& advice) {
  if (Allocation* const at = found(advice.begin)) at->advice.push_back(advice);
}

bool DeviceMemory::is_device_address(std::uint64_t address) const {
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [&](const Range& range) { return address - range.begin < range.bytes; });
}

std::uint64_t DeviceMemory::content_of(const Allocation& allocation) {
  if (!allocation.host_writes) return allocation.content;
  return content_hash(static_cast<const std::uint8_t*>(pointer(allocation.address)),
                      allocation.bytes);
}

void DeviceMemory::changed(std::uint64_t address) {
  if (Allocation* const at = found(address)) at->content = mixed(++contents_);
}

void DeviceMemory::set_content(std::uint64_t address, std::uint64_t content) {
  if (Allocation* const at = found(address)) at->content = content;
}

void DeviceMemory::replaced(std::uint64_t address, std::uint64_t bytes) {
  Allocation* const at = found(address);
  if (at == nullptr || at->host_writes) return;
  const auto* const begin = static_cast<const std::uint8_t*>(pointer(address));
  const bool whole = address == at->address && bytes == at->bytes;
  const std::uint64_t place = mixed(at->content ^ mixed(address - at->address));
  at->content = content_hash(begin, bytes, whole ? 0 : place);
}

bool DeviceMemory::is_mapped(std::uint64_t address) const {
  // Before a device's first allocation lies memory of its context.
  for (const Range& range : ranges_) {
    if (address < range.begin && range.begin - address <= mapped_unit) return true;
  }
  const std::uint64_t begin = address / mapped_unit * mapped_unit;
  auto after = allocations_.lower_bound(begin + mapped_unit);
  if (after == allocations_.begin()) return false;
  const Allocation& before = std::prev(after)->second;
  return before.address + before.bytes > begin;
}

std::uint64_t DeviceMemory::free_bytes(std::uint32_t device) const {
  return ranges_[device].bytes - ranges_[device].used;
}
std::uint64_t DeviceMemory::total_bytes(std::uint32_t device) const {
  return ranges_[device].bytes;
}
std::uint64_t DeviceMemory::peak_bytes(std::uint32_t device) const {
  return ranges_[device].peak;
}

const std::vector<execution::ExecutionBuffer>& DeviceMemory::buffers() {
  if (buffers_version_ == version_) return buffers_;
  buffers_.clear();
  for (const auto& [address, allocation] : allocations_) {
    execution::ExecutionBuffer buffer;
    buffer.address = address;
    buffer.bytes = allocation.bytes;
    buffer.content.kind = BufferContent::Kind::file;
    buffer.place = static_cast<std::uint8_t*>(pointer(address));
    buffers_.push_back(std::move(buffer));
  }
  buffers_version_ = version_;
  return buffers_;
}

}  // namespace forewarp::program_run
