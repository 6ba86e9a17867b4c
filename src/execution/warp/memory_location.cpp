// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/memory_location.h"

#include <algorithm>

#include "base/mixed.h"
#include "execution/state/operands.h"
#include "execution/storage/address_space.h"
#include "execution/warp/unknown_flow.h"
#include "execution/warp/unknown_names.h"

namespace forewarp::execution {
namespace {

/// Where an unknown part with a name leads: how many bytes beyond the place without it.
std::uint64_t drawn_place(UnknownName name, std::uint64_t first, std::uint64_t bytes,
                          std::uint64_t least) {
  std::uint64_t step = std::uint64_t{1} << name.shift();
  while (step > bytes) step /= 2;
  step = std::max(step, least);
  const std::uint64_t identity = name.packed >> UnknownName::shift_bits;
  return base::mixed(identity ^ first << 8) % (bytes / step) * step;
}

}  // namespace

Locator::Locator(Warp& warp, const MicroOp& op, std::uint32_t instruction)
    : warp_(warp),
      block_(*warp.block),
      memory_(*warp.block->environment->memory),
      bytes_(op.bytes),
      instruction_(instruction),
      hint_(warp.block->environment->buffer_hint[instruction]) {}

void Locator::note(AccessFinding::Kind kind, MemorySpace space, std::uint64_t address,
                   unsigned lane) {
  AccessFinding finding;
  finding.kind = kind;
  finding.instruction = instruction_;
  finding.space = space;
  finding.bytes = bytes_;
  finding.address = address;
  finding.block = block_.index;
  finding.thread = warp_.number * lane_count + lane;
  finding.lanes = 1;
  finding.end = address + bytes_;
  block_.environment->findings.add(finding);
}

Location::State Locator::global_place(std::uint64_t address, unsigned lane) {
  if ((address & (bytes_ - 1)) != 0) {
    note(AccessFinding::Kind::misaligned, MemorySpace::global, address, lane);
    return Location::State::misaligned;
  }
  const std::uint32_t buffer = memory_.buffer_of(address, bytes_, hint_);
  if (buffer == GlobalMemory::no_buffer && address < address_space::unresolved_bytes &&
      !memory_.in_place()) {
    return Location::State::unresolved;
  }
  if (buffer == GlobalMemory::no_buffer) {
    note(AccessFinding::Kind::out_of_bounds, MemorySpace::global, address, lane);
    return Location::State::out_of_bounds;
  }
  hint_ = buffer;
  return Location::State::found;
}

Location Locator::global(std::uint64_t address, unsigned lane, std::uint8_t use) {
  Location result;
  result.state = global_place(address, lane);
  if (result.state != Location::State::found) return result;
  if (memory_.in_place()) {
    memory_.touch(hint_, use);
    const ExecutionBuffer& holder = memory_.buffer(hint_);
    result.data = holder.place + (address - holder.address);
    return result;
  }
  const std::uint64_t number = address / MemoryPage::bytes;
  const bool known_page = number == page_number_ && use == page_use_;
  dropped_ = drops_ && !known_page && memory_.is_unwritten_unknown(address);
  if (dropped_) {
    scratch_ = {};
    return {Location::State::found, scratch_.data(), true};
  }
  if (!known_page) {
    page_ = memory_.page(address, use);
    page_number_ = number;
    page_use_ = use;
  }
  const auto offset = static_cast<std::uint32_t>(address % MemoryPage::bytes);
  result.data = page_->data.data() + offset;
  result.unknown = page_->any_unknown && page_->is_unknown(offset, bytes_);
  return result;
}

Location Locator::shared(std::uint64_t address, unsigned lane) {
  // From sm_90 on the upper byte is the number of a block in the cluster.
  constexpr std::uint64_t offset_mask = 0x00ffffff;
  Block& holder = block_.holder(address);
  if (block_.cluster_blocks > 1) address &= offset_mask;
  Location result;
  if ((address & (bytes_ - 1)) != 0) {
    note(AccessFinding::Kind::misaligned, MemorySpace::shared, address, lane);
    result.state = Location::State::misaligned;
    return result;
  }
  // A vector may reach over the end: shared memory is given out in larger units.
  const std::uint64_t end = (std::uint64_t{holder.shared_bytes} + bytes_ - 1) / bytes_ * bytes_;
  if (address >= end) {
    note(AccessFinding::Kind::out_of_bounds, MemorySpace::shared, address, lane);
    return result;
  }
  result.state = Location::State::found;
  result.data = holder.shared.data() + address;
  if (!holder.shared_unknown.empty()) {
    for (std::uint32_t i = 0; i < bytes_; ++i) {
      result.unknown = result.unknown || holder.shared_unknown[address + i] != 0;
    }
  }
  return result;
}

void Locator::set_unknown(std::uint64_t address, MemorySpace space, bool value) {
  if (space == MemorySpace::shared) {
    Block& holder = block_.holder(address);
    constexpr std::uint64_t offset_mask = 0x00ffffff;
    if (block_.cluster_blocks > 1) address &= offset_mask;
    holder.set_shared_unknown(address, bytes_, value);
    return;
  }
  if (memory_.in_place()) {
    if (value) memory_.lose();
    return;
  }
  if (dropped_) return;
  const auto offset = static_cast<std::uint32_t>(address % MemoryPage::bytes);
  if (value || page_->any_unknown) page_->mark_unknown(offset, bytes_, value);
  page_->set_written(offset, bytes_);
}

NearReach compute_addresses(const Warp& warp, const MicroOp& op, unsigned base, LaneMask lanes,
                            MemoryAccess& access) {
  const std::uint32_t* low = plain_source(warp, op.source[base]);
  const std::uint32_t* high = plain_source(warp, op.source[base], 1);
  const std::uint32_t* uniform = warp.cell_at(op.uniform_cell);
  const std::uint32_t* uniform_high = warp.cell_at(op.uniform_cell + 1);
  std::uint64_t constant = static_cast<std::uint64_t>(op.offset) + uniform[0];
  if (op.has(flag::wide_uniform)) constant += std::uint64_t{uniform_high[0]} << 32;
  const RowFunctions& rows = *warp.block->environment->rows;
  NearReach reach;
  const std::uint32_t scale = op.immediate;
  if (op.space == MemorySpace::global || op.space == MemorySpace::generic) {
    const std::uint64_t keep = op.has(flag::wide_address) ? ~std::uint64_t{0} : 0xffffffffU;
    rows.far_addresses(low, high, keep, scale, constant, access.address.data());
  } else {
    reach = rows.near_addresses(low, scale, static_cast<std::uint32_t>(constant), lanes,
                                access.address.data());
  }
  access.instruction = index_of(warp, op);
  access.bytes = op.bytes;
  access.lanes = lanes;
  access.space = op.space;
  return reach;
}

LaneMask unknown_address(const Warp& warp, const MicroOp& op, unsigned base, LaneMask lanes) {
  if (!warp.unknown.any) return 0;
  const Unknowns& cells = warp.unknown;
  LaneMask unknown = 0;
  const Source& from = op.source[base];
  if (!from.pool) unknown |= cells.cells[from.cell];
  if (!from.pool && base == 0 && op.has(flag::wide_address)) unknown |= cells.cells[from.cell + 1];
  unknown |= cells.cells[op.uniform_cell];
  if (op.has(flag::wide_uniform)) unknown |= cells.cells[op.uniform_cell + 1];
  return unknown & lanes;
}

bool draw_addresses(Warp& warp, const MicroOp& op, LaneMask unknown, MemoryAccess& access) {
  Environment& environment = *warp.block->environment;
  ++environment.draws;
  address_fault(warp, op, 0, unknown);  // sets the origin of the unknown value
  if ((warp.fault.origin & parameter_origin) != 0) return false;  // an argument, not data
  LaneNames names;
  const LaneMask named = address_names(warp, op, unknown, names);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(unknown, i)) continue;
    std::uint64_t first = 0, bytes = warp.block->shared_bytes;
    if (op.space != MemorySpace::shared) {
      const std::uint32_t at = environment.memory->buffer_of(
          access.address[i], 1, environment.buffer_hint[access.instruction]);
      if (at == GlobalMemory::no_buffer || op.space == MemorySpace::local) return false;
      first = environment.memory->buffer(at).address;
      bytes = environment.memory->buffer(at).bytes;
    }
    if (bytes < op.bytes) return false;
    const std::uint64_t elements = bytes / op.bytes;
    if (has_lane(named, i)) {
      const std::uint64_t place = drawn_place(names[i], first, bytes, op.bytes);
      access.address[i] =
          first + (place + access.address[i] - first) / op.bytes % elements * op.bytes;
      continue;
    }
    const auto element = static_cast<std::uint64_t>(drawn_share(warp, access.instruction, i) *
                                                    static_cast<double>(elements));
    access.address[i] = first + element * op.bytes;
  }
  warp.fault = {};
  environment.assumed[access.instruction] |= assumed_place;
  return true;
}

bool address_fault(Warp& warp, const MicroOp& op, unsigned base, LaneMask lanes) {
  if (!warp.unknown.any) return false;
  const Unknowns& unknown = warp.unknown;
  const auto check = [&](std::uint32_t at) {
    if ((unknown.cells[at] & lanes) == 0) return false;
    warp.fault.kind = Fault::Kind::unknown_address;
    warp.fault.lanes = unknown.cells[at] & lanes;
    warp.fault.instruction = index_of(warp, op);
    warp.fault.origin = unknown.origins[at];
    return true;
  };
  const Source& from = op.source[base];
  if (!from.pool && check(from.cell)) return true;
  // In a copy, base 1 is the shared address: one register, even if the flag makes base 0 a pair.
  const bool pair = base == 0 && op.has(flag::wide_address);
  if (!from.pool && pair && check(from.cell + 1)) return true;
  if (check(op.uniform_cell)) return true;
  return op.has(flag::wide_uniform) && check(op.uniform_cell + 1);
}

}  // namespace forewarp::execution
