// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/library_calls.h"

#include <memory>

#include <fmt/format.h>

namespace forewarp::program_run {
namespace {

// Numbers in the journal beside those of kernels and their predictions, which count from 1.
constexpr std::uint32_t first_number = 1U << 30;
constexpr double us_per_ms = 1000;

}  // namespace

Expected<void> LibraryCalls::load(const std::string& data) {
  if (tables_) return {};
  auto tables = hardware::load_library_tables(data);
  if (!tables) return tables.error();
  tables_ = *std::move(tables);
  return {};
}

Expected<LibraryCalls::Predicted> LibraryCalls::predict(const LibraryCall& call,
                                                        const std::string& data) {
  if (auto done = load(data); !done) return done.error();
  std::vector<std::shared_ptr<const Gpu>> boards;
  std::vector<model::LibraryTime> times;
  std::vector<double> took;
  for (const std::string& id : settings_->gpus) {
    const auto gpu = predictor_->gpu(id, {});
    if (!gpu) return gpu.error();
    boards.push_back(*gpu);
    times.push_back(call.time(**gpu, *tables_));
    took.push_back(times.back().us);
  }
  const std::string name = call.name();
  const auto [kernel, is_new] =
      kernels_.try_emplace(name, first_number + static_cast<std::uint32_t>(kernels_.size()));
  if (is_new) journal_->add(KernelRecord{kernel->second, name, call.function, "library"});
  const auto key = std::pair(kernel->second, took);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const model::LibraryTime& time = times.front();
  Predicted made;
  made.kernel = kernel->second;
  made.prediction = first_number + static_cast<std::uint32_t>(known_.size());
  made.ms = time.us / us_per_ms;
  made.share = time.share;
  PredictionRecord record;
  record.id = made.prediction;
  record.kernel = made.kernel;
  record.model = "library";
  record.ms = record.low_ms = record.high_ms = made.ms;
  record.grid = {static_cast<std::uint32_t>(time.blocks), 1, 1};
  record.limited_by = std::string(time.limited_by) + " (modelled" +
                      (time.kernel.empty() ? "" : ", " + time.kernel) + ")";
  for (std::size_t i = 1; i < boards.size(); ++i)
    record.others[boards[i]->id] = took[i] / us_per_ms;
  journal_->add(record);
  known_.emplace(key, made);
  return made;
}

std::optional<std::string> LibraryCalls::outside(const std::string& name,
                                                 std::span<const LibraryUse> uses,
                                                 const DeviceMemory& memory,
                                                 std::uint64_t& address) {
  for (const LibraryUse& use : uses) {
    if (use.bytes == 0) continue;
    const Allocation* const at = memory.find(use.address);
    const std::uint64_t inside = at == nullptr ? 0 : at->address + at->bytes - use.address;
    if (use.bytes <= inside) continue;
    address = use.address + inside;
    return fmt::format("{}: {} needs {} bytes at {:#x}, of which {} are in an allocation", name,
                       use.name, use.bytes, use.address, inside);
  }
  return std::nullopt;
}

}  // namespace forewarp::program_run
