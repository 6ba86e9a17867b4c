// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/metric_sums.h"

#include "base/text.h"
#include "characterise/statistics/pipeline.h"

namespace forewarp::characterise {

const std::vector<MetricSum>& metric_sums() {
  static const std::vector<MetricSum> sums = {
      {"l2_read_sector_misses",
       "global",
       {"l2_subp0_read_sector_misses", "l2_subp1_read_sector_misses", "l2_subp2_read_sector_misses",
        "l2_subp3_read_sector_misses"}},
      {"l2_read_transactions", "global", {"l2_read_transactions"}},
      {"dram_read_transactions", "global", {"dram_read_transactions"}},
      {"dram_read_transactions", "local", {"dram_read_transactions"}},
      {"l2_read_sector_misses",
       "local",
       {"l2_subp0_read_sector_misses", "l2_subp1_read_sector_misses", "l2_subp2_read_sector_misses",
        "l2_subp3_read_sector_misses"}},
      {"l2_l1_read_hit_sectors",
       "local",
       {"l2_subp0_read_l1_hit_sectors", "l2_subp1_read_l1_hit_sectors",
        "l2_subp2_read_l1_hit_sectors", "l2_subp3_read_l1_hit_sectors"}},
      {"l2_l1_read_transactions",
       "local",
       {"l2_subp0_read_l1_sector_queries", "l2_subp1_read_l1_sector_queries",
        "l2_subp2_read_l1_sector_queries", "l2_subp3_read_l1_sector_queries"}},
      {"local_load_transactions", "local", {"local_load"}},
      {"l1_local_load_hit", "local", {"l1_local_load_hit"}},
      {"l1_local_load_miss", "local", {"l1_local_load_miss"}},
  };
  return sums;
}

Expected<std::vector<double>> metric_runs(const EventRuns& events, std::string_view memory,
                                          std::string_view name) {
  const MetricSum* sum = nullptr;
  std::vector<std::string> known;
  for (const MetricSum& candidate : metric_sums()) {
    if (candidate.memory != memory) continue;
    known.emplace_back(candidate.name);
    if (candidate.name == name) sum = &candidate;
  }
  const std::string place = std::string(memory) + " loads";
  if (sum == nullptr) {
    return Diagnostic{place, "no figure is named '" + std::string(name) + "'", join(known, ", "),
                      ""};
  }
  std::vector<double> total;
  for (const std::string_view event : sum->events) {
    const auto found = events.find(event);
    if (found == events.end()) {
      return Diagnostic{place, std::string(name) + " lacks the event " + std::string(event), "",
                        "collect it with the profiler"};
    }
    const std::vector<double>& runs = found->second;
    if (total.empty()) total.assign(runs.size(), 0.0);
    if (runs.size() != total.size()) {
      return Diagnostic{place, std::string(event) + " of " + std::to_string(runs.size()) + " runs",
                        std::to_string(total.size()) + " as the events before it", ""};
    }
    for (std::size_t i = 0; i < runs.size(); ++i) total[i] += runs[i];
  }
  return total;
}

Expected<ClockFree> metric_alone(std::span<const double> with_operations,
                                 std::span<const double> without, std::string_view name) {
  const auto all = distribution(with_operations, 1, name);
  if (!all) return all.error();
  const auto rest = distribution(without, 1, name);
  if (!rest) return rest.error();
  return without_clock(*all, *rest, name);
}

}  // namespace forewarp::characterise
