// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/state_slots.h"

namespace forewarp::analysis {

std::uint32_t StateSlots::raw_of(RegisterFile file, std::uint32_t number) {
  const auto bounded = [number](std::uint32_t begin, std::uint32_t count) {
    return number < count ? begin + number : raw_count;
  };
  switch (file) {
    case RegisterFile::general:
      return bounded(0, zero_register);
    case RegisterFile::uniform:
      return bounded(uniform_begin, zero_uniform_register);
    case RegisterFile::predicate:
      return bounded(predicate_begin, true_predicate);
    case RegisterFile::uniform_predicate:
      return bounded(uniform_predicate_begin, true_predicate);
    case RegisterFile::condition_code:
      return condition_code;
    case RegisterFile::convergence:
      return raw_count;
  }
  return raw_count;
}

StateSlots::StateSlots(const Kernel& kernel) {
  std::array<bool, raw_count + 1> used{};
  const auto mark = [&used](const RegisterRange& range) {
    for (std::uint32_t i = 0; i < range.count; ++i)
      used[raw_of(range.file, range.first + i)] = true;
  };
  for (const Instruction& instruction : kernel.instructions) {
    const Roles roles = roles_of(kernel, instruction);
    for (const RegisterRange& range : roles.read()) mark(range);
    for (const RegisterRange& range : roles.written()) mark(range);
    if (instruction.guard != true_predicate) {
      used[raw_of(
          instruction.guard_uniform ? RegisterFile::uniform_predicate : RegisterFile::predicate,
          instruction.guard)] = true;
    }
  }
  for (std::uint32_t raw = 0; raw < raw_count; ++raw) {
    if (!used[raw]) continue;
    dense_[raw] = static_cast<Slot>(raw_.size());
    raw_.push_back(raw);
  }
}

Slot StateSlots::of(RegisterFile file, std::uint32_t number) const {
  const std::uint32_t raw = raw_of(file, number);
  return raw < raw_count ? dense_[raw] : no_slot;
}

RegisterFile StateSlots::file(Slot slot) const {
  const std::uint32_t raw = raw_[slot];
  if (raw < uniform_begin) return RegisterFile::general;
  if (raw < predicate_begin) return RegisterFile::uniform;
  if (raw < uniform_predicate_begin) return RegisterFile::predicate;
  return raw < condition_code ? RegisterFile::uniform_predicate : RegisterFile::condition_code;
}

std::uint32_t StateSlots::number(Slot slot) const {
  switch (file(slot)) {
    case RegisterFile::uniform:
      return raw_[slot] - uniform_begin;
    case RegisterFile::predicate:
      return raw_[slot] - predicate_begin;
    case RegisterFile::uniform_predicate:
      return raw_[slot] - uniform_predicate_begin;
    default:
      return raw_[slot];
  }
}

}  // namespace forewarp::analysis
