// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/warp_decoder.h"

#include <bit>
#include <string>

namespace forewarp::trace {
namespace {

using namespace trace_record;

bool is_access(Kind kind) {
  return kind == again || kind == affine || kind == listed;
}

}  // namespace

void WarpDecoder::start(ByteReader& bytes, std::uint64_t size, std::uint64_t instructions,
                        std::uint32_t kernel_instructions) {
  bytes_ = &bytes;
  end_ = bytes.taken() + size;
  left_ = instructions;
  count_ = kernel_instructions;
  next_ = 0;
  active_ = all_lanes;
  run_ = 0;
  have_record_ = false;
  forms_.clear();
}

/// Fills record_ unless it waits there already; false at the end of the warp.
Expected<bool> WarpDecoder::next_record() {
  if (have_record_) return true;
  if (at_end()) return false;
  const std::uint8_t first = bytes_->byte();
  const unsigned kind = first & ((1U << kind_bits) - 1);
  if (kind >= kinds) return bytes_->refuse("record of kind " + std::to_string(kind), "0 to 6");
  record_.kind = static_cast<Kind>(kind);
  record_.value = first >> kind_bits;
  if (record_.value == long_value) record_.value += bytes_->varint();
  if (bytes_->failure()) return *bytes_->failure();
  have_record_ = true;
  return true;
}

Expected<bool> WarpDecoder::next(TraceEvent& event) {
  event.access_count = 0;
  if (run_ > 0) {
    if (auto ok = step(event, active_); !ok) return ok.error();
    --run_;
  } else {
    const auto more = next_record();
    if (!more) return more.error();
    if (!*more) {
      if (bytes_->taken() == end_ && left_ == 0) return false;
      return bytes_->refuse("a warp's records end early",
                            std::to_string(left_) + " more instructions");
    }
    if (auto ok = begin_instruction(event); !ok) return ok.error();
  }
  if (run_ > 0) return true;  // accesses follow the last instruction of a run
  while (true) {
    const auto more = next_record();
    if (!more) return more.error();
    if (!*more || !is_access(record_.kind)) return true;
    have_record_ = false;
    if (auto ok = read_access(event); !ok) return ok.error();
  }
}

/// Records up to the next one that executes something.
Expected<void> WarpDecoder::begin_instruction(TraceEvent& event) {
  while (true) {
    const auto more = next_record();
    if (!more) return more.error();
    if (!*more) return bytes_->refuse("a warp ends with a jump or a mask");
    have_record_ = false;
    if (record_.kind == run) {
      run_ = record_.value;
      return step(event, active_);
    }
    if (record_.kind == guarded) {
      const auto held = lanes(0, active_);
      if (!held) return held.error();
      return step(event, *held);
    }
    if (record_.kind == jump) {
      next_ += static_cast<std::uint32_t>(unzigzag(record_.value));
    } else if (record_.kind == trace_record::active) {
      const auto running = lanes(all_lanes, all_lanes);
      if (!running) return running.error();
      active_ = *running;
    } else {
      return bytes_->refuse("an access before any instruction");
    }
  }
}

Expected<void> WarpDecoder::step(TraceEvent& event, LaneMask lanes) {
  if (next_ >= count_) {
    return bytes_->refuse("instruction " + std::to_string(next_),
                          "one of " + std::to_string(count_));
  }
  if (left_ == 0) return bytes_->refuse("a warp has more instructions than it states");
  --left_;
  event.instruction = next_++;
  event.active = active_;
  event.lanes = lanes;
  return {};
}

/// The usual lanes, or those of a mask that follows.
Expected<LaneMask> WarpDecoder::lanes(LaneMask usual, LaneMask allowed) {
  if (record_.value == usual_lanes) return usual;
  if (record_.value != listed_lanes) {
    return bytes_->refuse("record with the value " + std::to_string(record_.value), "0 or 1");
  }
  const std::uint64_t mask = bytes_->varint();
  if (bytes_->failure()) return *bytes_->failure();
  if ((mask & ~std::uint64_t{allowed}) != 0) {
    return bytes_->refuse("a mask with lanes that do not run");
  }
  return static_cast<LaneMask>(mask);
}

Expected<void> WarpDecoder::read_access(TraceEvent& event) {
  if (event.access_count == TraceEvent::most_accesses) {
    return bytes_->refuse("an instruction with more than two accesses");
  }
  const auto key = std::pair{event.instruction, event.access_count};
  if (record_.kind == again) {
    const auto found = forms_.find(key);
    if (found == forms_.end()) return bytes_->refuse("an access like one that never was");
    found->second.base += static_cast<std::uint64_t>(unzigzag(record_.value));
  } else if (auto ok = read_form(event, forms_[key]); !ok) {
    return ok;
  }
  MemoryAccess& access = event.accesses[event.access_count++];
  access.instruction = event.instruction;
  forms_[key].spread(access);
  return {};
}

Expected<void> WarpDecoder::read_form(const TraceEvent& event, AccessForm& form) {
  const bool on_a_line = record_.kind == affine;
  const auto mask = lanes(event.lanes, all_lanes);
  if (!mask) return mask.error();
  const std::uint8_t space = bytes_->byte(), kind = bytes_->byte();
  if (space > static_cast<std::uint8_t>(MemorySpace::surface) ||
      kind > static_cast<std::uint8_t>(AccessKind::fetch)) {
    return bytes_->refuse(
        "memory space " + std::to_string(space) + ", kind of access " + std::to_string(kind),
        "0 to 6, 0 to 5");
  }
  form = AccessForm();
  form.space = static_cast<MemorySpace>(space);
  form.kind = static_cast<AccessKind>(kind);
  form.bytes = bytes_->byte();
  form.lanes = *mask;
  form.base = bytes_->varint();
  const std::uint64_t stride =
      on_a_line ? static_cast<std::uint64_t>(unzigzag(bytes_->varint())) : 0;
  const auto first = static_cast<unsigned>(std::countr_zero(*mask));
  std::uint64_t offset = 0;
  for (unsigned lane = first + 1; lane < lane_count; ++lane) {
    if (on_a_line) offset += stride;
    if (!has_lane(*mask, lane)) continue;
    if (!on_a_line) offset += static_cast<std::uint64_t>(unzigzag(bytes_->varint()));
    form.offset[lane] = offset;
  }
  if (bytes_->failure()) return *bytes_->failure();
  return {};
}

}  // namespace forewarp::trace
