// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a board's data file, over the real files that a board stands on: facts and a GPU, or
// one line of text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "hardware/database.h"
#include "hardware/gpu_files.h"
#include "hardware/schema.h"

namespace {

using namespace forewarp::tests;

void check_line(const Diagnostic& failure) {
  const std::string line = failure.line();
  if (line.empty() || line.find('\n') != std::string::npos) std::abort();
}

/// Every field has a value that its row of the schema allows: what divides is above zero.
void check_fields(const Gpu& gpu) {
  for (const SchemaRow& row : schema()) {
    const auto found = gpu.facts.find(row.path);
    if (found == gpu.facts.end()) {
      if (row.presence != Presence::optional) std::abort();
      continue;
    }
    const Fact& fact = found->second;
    if (!check_fact(row.path, fact, {})) std::abort();
    const bool number = fact.kind == FactKind::number;
    if (number && !(fact.value >= 0)) std::abort();
    if (number && row.presence == Presence::positive && !(fact.value > 0)) std::abort();
  }
  const auto none = [](const auto& triple) {
    return triple[0] == 0 || triple[1] == 0 || triple[2] == 0;
  };
  if (gpu.sms == 0 || none(gpu.limits.max_block) || none(gpu.limits.max_grid)) std::abort();
}

/// The files below a board, read once.
const GpuFiles& base_files() {
  static const GpuFiles files = [] {
    const HardwareDatabase database(FOREWARP_DATA_DIR);
    const std::filesystem::path board =
        database.directory() / "gpus" / (database.ids().front() + ".toml");
    auto read = read_gpu_files(database.directory(), board, "", "");
    if (!read) std::abort();
    return *std::move(read);
  }();
  return files;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto board = parse_fact_file(text, "board.toml");
  if (!board) {
    check_line(board.error());
    return 0;
  }
  GpuFiles files = base_files();
  files.board = *std::move(board);
  auto facts = merge_facts(files, {{"clock.sustained_mhz", "1000"}});
  if (!facts) {
    check_line(facts.error());
    return 0;
  }
  const auto gpu = build_gpu(*std::move(facts));
  if (!gpu) {
    check_line(gpu.error());
  } else {
    check_fields(*gpu);
  }
  return 0;
}
