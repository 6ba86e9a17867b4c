// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "hardware/database.h"
#include "hardware/gpu_files.h"
#include "hardware/schema.h"

namespace forewarp::hardware {
namespace {

using Findings = std::vector<DataFinding>;
using Bounds = std::map<std::string, double, std::less<>>;

/// Reports contradictions in one GPU's numbers. `place` is the board's file.
class Contradictions {
 public:
  Contradictions(const Gpu& gpu, const Bounds& bounds, Findings& findings)
      : gpu_(gpu), bounds_(bounds), findings_(findings) {}

  void all() {
    clocks();
    memory();
    segments();
    caches();
    registers_and_shared();
    pipes();
  }

 private:
  [[nodiscard]] double bound(std::string_view name, double otherwise) const {
    const auto found = bounds_.find(name);
    return found == bounds_.end() ? otherwise : found->second;
  }

  void report(std::string_view path, std::string found, std::string expected) {
    const auto fact = gpu_.facts.find(path);
    const bool known = fact != gpu_.facts.end() && fact->second.line != 0;
    const std::string set = gpu_.parameter_set.empty() ? "" : " (@" + gpu_.parameter_set + ")";
    findings_.push_back(
        {true,
         {known ? place_in_file(fact->second.file, fact->second.line) : gpu_.file,
          "'" + std::string(path) + "' " + std::move(found) + set, std::move(expected), ""}});
  }

  void clocks() {
    const double ratio = gpu_.clock_sustained_mhz / gpu_.clock_boost_mhz;
    const double least = bound("sustained_over_boost_least", 0);
    const double most = bound("sustained_over_boost_most", ratio);
    if (ratio < least || ratio > most) {
      report("clock.sustained_mhz", "is " + significant(ratio) + " of the boost clock",
             significant(least) + " to " + significant(most));
    }
    if (gpu_.clock_base_mhz > gpu_.clock_boost_mhz) {
      report("clock.base_mhz", "is " + significant(gpu_.clock_base_mhz),
             "at most the boost clock, " + significant(gpu_.clock_boost_mhz));
    }
  }

  void memory() {
    const double product = gpu_.number("memory.clock_mhz") * gpu_.memory.bus_bits *
                           gpu_.number("memory.data_rate") / (8 * 1e3);
    const double tolerance = bound("bandwidth_tolerance", 1);
    if (product > 0 && std::fabs(gpu_.memory.theory_gbs / product - 1) > tolerance) {
      report("memory.theory_gbs", "is " + significant(gpu_.memory.theory_gbs),
             significant(product) + ", the product of clock, width and rate");
    }
    const double most = bound("reached_share_most", 1);
    for (const std::string_view path :
         {"memory.read_share", "memory.write_share", "memory.mixed_share"}) {
      if (gpu_.number(path) > most) {
        report(path, "is " + significant(gpu_.number(path)), "at most " + significant(most));
      }
    }
  }

  void segments() {
    if (gpu_.memory.segments.empty()) return;
    double bytes = 0;
    for (const auto& [size, gbs] : gpu_.memory.segments) {
      bytes += size;
      if (gbs > gpu_.memory.theory_gbs) {
        report("memory.segments.0.gbs", "holds " + significant(gbs),
               "at most the whole memory, " + significant(gpu_.memory.theory_gbs));
      }
    }
    if (bytes != gpu_.memory.bytes) {
      report("memory.bytes", "is " + significant(gpu_.memory.bytes, 12),
             significant(bytes, 12) + ", the sum of its segments");
    }
  }

  void caches() {
    if (gpu_.l2.miss_from > gpu_.l2.miss_to) {
      report("l2.miss_from", "is " + significant(gpu_.l2.miss_from),
             "at most l2.miss_to, " + significant(gpu_.l2.miss_to));
    }
    if (gpu_.l2.latency >= gpu_.memory.latency) {
      report("l2.latency_cycles", "is " + significant(gpu_.l2.latency),
             "less than that of device memory, " + significant(gpu_.memory.latency));
    }
    if (gpu_.l1.miss_from > gpu_.l1.miss_to) {
      report("l1.miss_from", "is " + significant(gpu_.l1.miss_from),
             "at most l1.miss_to, " + significant(gpu_.l1.miss_to));
    }
    if (gpu_.line_bytes < gpu_.sector_bytes) {
      report("cache.line_bytes", "is " + significant(gpu_.line_bytes),
             "at least a sector, " + significant(gpu_.sector_bytes));
    }
  }

  void at_most(std::string_view path, std::uint64_t value, std::uint64_t most,
               std::string_view what) {
    if (value <= most) return;
    report(path, "is " + std::to_string(value),
           "at most " + std::string(what) + ", " + std::to_string(most));
  }

  void registers_and_shared() {
    const SmLimits& limits = gpu_.limits;
    at_most("limits.registers_per_block", limits.registers_per_block, limits.registers_per_sm,
            "those of the SM");
    at_most("limits.threads_per_block", limits.threads_per_block,
            std::uint64_t{limits.warps_per_sm} * limits.warp_lanes, "the threads of the SM");
    at_most("limits.shared_per_block", limits.shared_per_block, limits.shared_per_block_optin,
            "the opt-in limit");
    at_most("limits.shared_per_block_optin",
            std::uint64_t{limits.shared_per_block_optin} + limits.shared_reserved,
            limits.shared_per_sm, "that of the SM, the reserve included");
    if (!std::is_sorted(limits.carveouts.begin(), limits.carveouts.end())) {
      report("limits.carveouts", "is not in order", "ascending sizes");
    }
    if (!limits.carveouts.empty() && limits.carveouts.back() != limits.shared_per_sm) {
      report("limits.carveouts", "ends at " + std::to_string(limits.carveouts.back()),
             "limits.shared_per_sm, " + std::to_string(limits.shared_per_sm));
    }
  }

  void pipes() {
    for (const auto& [name, timing] : gpu_.classes) {
      if (timing.pipe.empty()) report("class." + name, "has no pipe", "pipe = \"..\"");
      if (timing.latency <= 0) report("class." + name, "has no latency", "latency = ..");
      if (timing.cycles < 0) report("class." + name, "has negative cycles", "cycles = ..");
    }
    const auto main = gpu_.classes.find("fp32");
    if (main == gpu_.classes.end()) return report("class.fp32", "is missing", "a row of [class]");
    const double lanes = gpu_.limits.warp_lanes / main->second.cycles;
    if (std::fabs(lanes / gpu_.core_lanes - 1) > bound("bandwidth_tolerance", 1)) {
      report("core.lanes", "is " + significant(gpu_.core_lanes),
             significant(lanes) + ", what class.fp32.cycles says");
    }
  }

  const Gpu& gpu_;
  const Bounds& bounds_;
  Findings& findings_;
};

void check_facts(const Facts& facts, const std::vector<std::string>& special, Findings& findings) {
  for (const auto& [path, fact] : facts) {
    if (auto fine = check_fact(path, fact, special); !fine) {
      findings.push_back({true, fine.error()});
    }
  }
}

void remark_on_rules(const Gpu& gpu, Findings& findings) {
  std::vector<std::string> filled;
  for (const auto& [path, fact] : gpu.facts) {
    const bool by_rule = fact.file == "data/rules.toml" || fact.note.starts_with("same capability");
    if (by_rule) filled.push_back(path);
  }
  if (filled.empty()) return;
  findings.push_back(
      {false,
       {gpu.file,
        std::to_string(filled.size()) + " numbers are filled by rules: " + join(filled, ", "), "",
        ""}});
}

/// False if the board's files could not be read.
bool check_set(const std::filesystem::path& directory, const std::filesystem::path& file,
               const std::string& set, Findings& findings) {
  const auto files = read_gpu_files(directory, file, set, "");
  if (!files) {
    findings.push_back({true, files.error()});
    return false;
  }
  auto facts = merge_facts(*files, {});
  if (!facts) {
    const bool told = std::any_of(findings.begin(), findings.end(), [&](const DataFinding& f) {
      return f.diagnostic.line() == facts.error().line();
    });
    if (!told) findings.push_back({true, facts.error()});
    return true;
  }
  auto gpu = build_gpu(*std::move(facts));
  if (!gpu) {
    findings.push_back({true, gpu.error()});
    return true;
  }
  gpu->file = files->board.file;
  gpu->parameter_set = set;
  Contradictions(*gpu, files->rules.check, findings).all();
  if (set.empty()) remark_on_rules(*gpu, findings);
  return true;
}

}  // namespace

std::vector<DataFinding> HardwareDatabase::check(const std::filesystem::path& gpu_file) const {
  Findings findings;
  const auto board = read_fact_file(gpu_file, shown_name(directory_, gpu_file));
  if (!board) {
    findings.push_back({true, board.error()});
    return findings;
  }
  std::vector<std::string> special;
  for (const auto& [name, facts] : board->sets) special.push_back(name);
  check_facts(board->facts, special, findings);
  for (const auto& [name, facts] : board->sets) check_facts(facts, special, findings);
  if (!check_set(directory_, gpu_file, "", findings)) return findings;
  const bool sound = std::none_of(findings.begin(), findings.end(),
                                  [](const DataFinding& finding) { return finding.error; });
  // Errors of the board itself would be repeated for each of its sets.
  if (!sound) return findings;
  for (const std::string& set : special) check_set(directory_, gpu_file, set, findings);
  return findings;
}

}  // namespace forewarp::hardware
