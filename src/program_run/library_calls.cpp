// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/library_calls.h"

#include <fmt/format.h>

namespace forewarp::program_run {
namespace {

// Numbers in the journal beside those of kernels and their predictions, which count from 1.
constexpr std::uint32_t first_number = 1U << 30;

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
  const std::string name = call.name();
  if (const auto found = known_.find(name); found != known_.end()) return found->second;
  if (auto done = load(data); !done) return done.error();
  Predicted made;
  made.kernel = made.prediction = first_number + static_cast<std::uint32_t>(known_.size());
  PredictionRecord record;
  record.id = made.prediction;
  record.kernel = made.kernel;
  record.model = "library";
  for (const std::string& id : settings_->gpus) {
    const auto gpu = predictor_->gpu(id, {});
    if (!gpu) return gpu.error();
    const model::LibraryTime time = call.time(**gpu, *tables_);
    if (&id != settings_->gpus.data()) {
      record.others[(*gpu)->id] = time.us / 1000;
      continue;
    }
    made.ms = record.ms = record.low_ms = record.high_ms = time.us / 1000;
    made.share = time.share;
    record.grid = {static_cast<std::uint32_t>(time.blocks), 1, 1};
    record.limited_by = std::string(time.limited_by) + " (modelled" +
                        (time.kernel.empty() ? "" : ", " + time.kernel) + ")";
  }
  journal_->add(KernelRecord{made.kernel, name, call.function, "library"});
  journal_->add(record);
  known_.emplace(name, made);
  return made;
}

std::optional<std::string> LibraryCalls::outside(const LibraryCall& call,
                                                 const DeviceMemory& memory,
                                                 std::uint64_t& address) {
  for (const LibraryUse& use : call.uses) {
    if (use.bytes == 0) continue;
    const Allocation* const at = memory.find(use.address);
    const std::uint64_t inside = at == nullptr ? 0 : at->address + at->bytes - use.address;
    if (use.bytes <= inside) continue;
    address = use.address + inside;
    return fmt::format("{}: {} needs {} bytes at {:#x}, of which {} are in an allocation",
                       call.name(), use.name, use.bytes, use.address, inside);
  }
  return std::nullopt;
}

}  // namespace forewarp::program_run
