// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/interval_vector.h"

#include <algorithm>
#include <bit>

namespace forewarp {
namespace {

bool brings_late(InstructionClass c) {
  switch (c) {
    case InstructionClass::load_global:
    case InstructionClass::load_local:
    case InstructionClass::load_generic:
    case InstructionClass::atomic_global:
    case InstructionClass::texture:
    case InstructionClass::surface_load:
      return true;
    default:
      return false;
  }
}

IntervalVector::Feature feature_of(InstructionClass c) {
  switch (c) {
    case InstructionClass::store_global:
    case InstructionClass::store_local:
    case InstructionClass::store_generic:
    case InstructionClass::surface_store:
    case InstructionClass::reduction_global:
    case InstructionClass::async_copy:
      return IntervalVector::memory;
    case InstructionClass::load_shared:
    case InstructionClass::store_shared:
    case InstructionClass::atomic_shared:
    case InstructionClass::load_matrix:
      return IntervalVector::shared;
    case InstructionClass::barrier:
      return IntervalVector::barriers;
    case InstructionClass::sfu:
    case InstructionClass::fp64:
    case InstructionClass::tensor_half:
    case InstructionClass::tensor_integer:
    case InstructionClass::tensor_double:
    case InstructionClass::tensor_binary:
      return IntervalVector::slow_units;
    default:
      return brings_late(c) ? IntervalVector::memory : IntervalVector::instructions;
  }
}

/// Goes along a trace and remembers which registers a load will bring.
class Walk {
 public:
  explicit Walk(const Program& program) : program_(program), late_(program.cell_count, 0) {}

  /// In deep nests one pass stands for all: the work must not double with every level.
  void follow(const std::vector<TraceStep>& steps, double times, int depth = 0) {
    constexpr int deepest = 4;
    for (const TraceStep& step : steps) {
      if (!step.is_loop()) {
        for (std::uint32_t i = step.first; i < step.last; ++i) execute(i, times);
        continue;
      }
      // The first pass begins as the code before it ends, all others as the pass before them.
      const bool apart = step.trips > 1 && depth < deepest;
      const auto trips = static_cast<double>(step.trips);
      follow(step.body, times * (apart ? 1 : trips), depth + 1);
      if (apart) follow(step.body, times * (trips - 1), depth + 1);
    }
  }
  [[nodiscard]] IntervalVector finish() {
    if (length_ > 0) end_interval(1, false);
    return vector_;
  }

 private:
  void execute(std::uint32_t index, double times) {
    const InstructionClass c = program_.kernel->instructions[index].instruction_class;
    const bool barrier = c == InstructionClass::barrier;
    if (barrier || needs_late(index)) end_interval(times, true);
    ++length_;
    vector_.value[IntervalVector::instructions] += times;
    const IntervalVector::Feature feature = feature_of(c);
    if (feature != IntervalVector::instructions) vector_.value[feature] += times;
    for (const std::uint32_t cell : program_.writes(index)) {
      if (cell < late_.size()) late_[cell] = brings_late(c) ? 1 : 0;
    }
  }

  [[nodiscard]] bool needs_late(std::uint32_t index) const {
    const auto cells = program_.reads(index);
    return std::any_of(cells.begin(), cells.end(),
                       [&](std::uint32_t cell) { return cell < late_.size() && late_[cell] != 0; });
  }

  void end_interval(double times, bool waits) {
    if (waits) vector_.value[IntervalVector::intervals] += times;
    constexpr int buckets = IntervalVector::last_length - IntervalVector::first_length;
    const int bucket =
        std::min(buckets, static_cast<int>(std::bit_width(std::max(length_, 1U))) - 1);
    vector_.value[static_cast<std::size_t>(IntervalVector::first_length + bucket)] += times;
    std::fill(late_.begin(), late_.end(), std::uint8_t{0});
    length_ = 0;
  }

  const Program& program_;
  std::vector<std::uint8_t> late_;  ///< by cell: a load brings it, and nobody waited for that yet
  std::uint32_t length_ = 0;        ///< instructions of the open interval
  IntervalVector vector_;
};

}  // namespace

IntervalVector interval_vector(const Program& program, const WarpTrace& trace) {
  Walk walk(program);
  walk.follow(trace.steps, 1);
  return walk.finish();
}

}  // namespace forewarp
