// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/repeated_launches.h"

#include <algorithm>
#include <cstring>

namespace forewarp::program_run {
namespace {

constexpr std::size_t most_of_key = 8;                      // launches that differ in contents
constexpr std::size_t most_keys = 1 << 14;                  // then all are forgotten
constexpr std::uint64_t most_kept_bytes = 1ULL << 30;       // of copies
constexpr std::uint64_t most_bytes_per_instruction = 1024;  // a copy costs less than executing

std::uint8_t* bytes_at(std::uint64_t address) {
  return reinterpret_cast<std::uint8_t*>(address);  // NOLINT: an address of this process
}

bool is_read(std::uint8_t use) {
  return (use & execution::buffer_use::read) != 0;
}
bool is_written(std::uint8_t use) {
  return (use & execution::buffer_use::written) != 0;
}

}  // namespace

RepeatedLaunches::Match RepeatedLaunches::matches(const Launch& launch) const {
  Match match = Match::whole;
  for (const Use& use : launch.uses) {
    const Allocation* const at = memory_->find(use.address);
    if (at == nullptr || at->address != use.address) return Match::none;
    const std::uint64_t content = DeviceMemory::content_of(*at);
    // What was only written and is as it left it would be written once more.
    if (!is_read(use.use) && content == use.after) continue;
    if (content != use.before) return Match::none;
    if (is_written(use.use) && use.copy.size() != at->bytes) match = Match::without_copies;
  }
  return match;
}

std::optional<std::uint64_t> RepeatedLaunches::repeat(const Key& key) {
  const auto found = launches_.find(key);
  if (found == launches_.end()) return std::nullopt;
  for (Launch& launch : found->second) {
    const Match match = matches(launch);
    launch.wanted = launch.wanted || match == Match::without_copies;
    if (match != Match::whole) continue;
    for (const Use& use : launch.uses) {
      if (!is_written(use.use)) continue;
      const Allocation* const at = memory_->find(use.address);
      if (at->content == use.after) continue;
      std::memcpy(bytes_at(use.address), use.copy.data(), use.copy.size());
      memory_->set_content(use.address, use.after);
    }
    return launch.instructions;
  }
  return std::nullopt;
}

void RepeatedLaunches::keep_copies(Launch& launch) {
  std::uint64_t bytes = 0;
  for (const Use& use : launch.uses) {
    if (is_written(use.use)) bytes += memory_->find(use.address)->bytes;
  }
  if (kept_bytes_ + bytes > most_kept_bytes ||
      bytes > launch.instructions * most_bytes_per_instruction) {
    return;
  }
  kept_bytes_ += bytes;
  for (Use& use : launch.uses) {
    if (!is_written(use.use)) continue;
    use.copy.assign(bytes_at(use.address),
                    bytes_at(use.address) + memory_->find(use.address)->bytes);
  }
}

void RepeatedLaunches::executed(const Key& key, const execution::GridRun& run,
                                const std::vector<std::uint64_t>& also_read) {
  Launch launch;
  launch.instructions = run.instructions;
  bool repeats = run.findings.empty() && !run.lost && !run.cut && run.assumed.empty() &&
                 run.halved.empty() && run.scattered.empty();
  std::vector<execution::BufferUse> uses = run.uses;
  for (const std::uint64_t address : also_read)
    uses.push_back({address, execution::buffer_use::read});
  for (const execution::BufferUse& used : uses) {
    const Allocation* const at = memory_->find(used.address);
    if (at == nullptr || !at->host_writes) continue;
    // What was there before a store is not known any more, and the host may write there at any
    // time; what is only read has to be read whole to be known again.
    repeats = repeats && !is_written(used.use) &&
              at->bytes <= run.instructions * most_bytes_per_instruction;
  }
  for (const execution::BufferUse& used : uses) {
    const Allocation* const at = memory_->find(used.address);
    if (at == nullptr) continue;
    Use use;
    use.address = at->address;
    use.use = used.use;
    if (repeats) use.before = DeviceMemory::content_of(*at);
    if (is_written(used.use)) memory_->changed(at->address);
    launch.uses.push_back(std::move(use));
  }
  if (!repeats) return;
  for (Use& use : launch.uses) use.after = DeviceMemory::content_of(*memory_->find(use.address));
  if (launches_.size() >= most_keys) {
    launches_.clear();
    kept_bytes_ = 0;
  }
  std::vector<Launch>& all = launches_[key];
  const bool wanted = std::any_of(all.begin(), all.end(), [](const Launch& l) { return l.wanted; });
  if (wanted) keep_copies(launch);
  std::erase_if(all, [&](const Launch& other) {
    if (!other.wanted) return false;
    for (const Use& use : other.uses) kept_bytes_ -= std::min(kept_bytes_, use.copy.size());
    return true;
  });
  if (all.size() >= most_of_key) {
    for (const Use& use : all.front().uses) kept_bytes_ -= std::min(kept_bytes_, use.copy.size());
    all.erase(all.begin());
  }
  all.push_back(std::move(launch));
}

}  // namespace forewarp::program_run
