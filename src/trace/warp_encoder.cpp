// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/warp_encoder.h"

#include <bit>
#include <optional>
#include <string>

#include "trace/bytes/byte_reader.h"

namespace forewarp::trace {
namespace {

using namespace trace_record;

/// The distance between neighbouring lanes, where all lanes lie on one line.
std::optional<std::int64_t> stride_of(const AccessForm& form) {
  const LaneMask others = form.lanes & (form.lanes - 1);
  if (others == 0) return 0;
  const int first = std::countr_zero(form.lanes), second = std::countr_zero(others);
  const auto way = static_cast<std::int64_t>(form.offset[static_cast<unsigned>(second)]);
  const std::int64_t stride = way / (second - first);
  std::uint64_t expected = 0;
  for (auto lane = static_cast<unsigned>(first); lane < lane_count; ++lane) {
    if (has_lane(form.lanes, lane) && form.offset[lane] != expected) return {};
    expected += static_cast<std::uint64_t>(stride);
  }
  return stride;
}

}  // namespace

void WarpEncoder::start(std::size_t kernel_instructions) {
  records_.clear();
  instructions_ = 0;
  next_ = 0;
  active_ = all_lanes;
  run_ = 0;
  place_.assign(kernel_instructions * TraceEvent::most_accesses, 0);
  forms_.clear();
}

void WarpEncoder::record(Kind kind, std::uint64_t value) {
  records_.settle();
  const std::uint64_t inside = value < long_value ? value : long_value;
  records_.tail() += static_cast<char>(kind | inside << kind_bits);
  if (inside == long_value) append_varint(records_.tail(), value - long_value);
}

void WarpEncoder::record_lanes(Kind kind, LaneMask lanes, LaneMask usual) {
  record(kind, lanes == usual ? usual_lanes : listed_lanes);
  if (lanes != usual) append_varint(records_.tail(), lanes);
}

void WarpEncoder::end_run() {
  if (run_ == 0) return;
  record(run, run_ - 1);
  run_ = 0;
}

void WarpEncoder::executed_elsewhere(std::uint32_t instruction, LaneMask active) {
  end_run();
  if (instruction != next_) {
    record(jump, zigzag(std::int64_t{instruction} - std::int64_t{next_}));
  }
  if (active != active_) record_lanes(trace_record::active, active, all_lanes);
  active_ = active;
  next_ = instruction + 1;
  if (lanes_ == active) {
    run_ = 1;
  } else {
    record_lanes(guarded, lanes_, 0);
  }
}

void WarpEncoder::accessed(const MemoryAccess& access) {
  if (accesses_ == TraceEvent::most_accesses) return;
  end_run();
  std::uint32_t& place = place_[std::size_t{last_} * TraceEvent::most_accesses + accesses_++];
  const std::uint64_t base = first_address(access);
  if (place != 0 && forms_[place - 1].same_shape(access, base)) {
    AccessForm& form = forms_[place - 1];
    record(again, zigzag(static_cast<std::int64_t>(base - form.base)));
    form.base = base;
    return;
  }
  if (place == 0) {
    forms_.emplace_back();
    place = static_cast<std::uint32_t>(forms_.size());
  }
  forms_[place - 1] = AccessForm(access);
  record_access(forms_[place - 1]);
}

void WarpEncoder::record_access(const AccessForm& form) {
  const auto stride = stride_of(form);
  record_lanes(stride ? affine : listed, form.lanes, lanes_);
  std::string& out = records_.tail();
  out += static_cast<char>(form.space);
  out += static_cast<char>(form.kind);
  out += static_cast<char>(form.bytes);
  append_varint(out, form.base);
  if (stride) {
    append_varint(out, zigzag(*stride));
    return;
  }
  std::uint64_t before = 0;
  const auto first = static_cast<unsigned>(std::countr_zero(form.lanes));
  for (unsigned lane = first + 1; lane < lane_count; ++lane) {
    if (!has_lane(form.lanes, lane)) continue;
    append_varint(out, zigzag(static_cast<std::int64_t>(form.offset[lane] - before)));
    before = form.offset[lane];
  }
}

void WarpEncoder::finish() {
  end_run();
}

}  // namespace forewarp::trace
