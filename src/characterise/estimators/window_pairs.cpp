// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/window_pairs.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "characterise/statistics/pipeline.h"

namespace forewarp::characterise {
namespace {

const Record* of_config(const std::vector<const Record*>& records, const std::string& config) {
  const auto found = std::find_if(records.begin(), records.end(), [&](const Record* record) {
    return record->config_without("") == config;
  });
  return found == records.end() ? nullptr : *found;
}

/// A counter of the windows by configuration, less that of the empty ones: the empty kernel counts,
/// too.
class Counted {
 public:
  Counted(const NumberRow& row, const std::string& name, const Evidence& evidence)
      : with_(evidence.records(row, "count/" + name)),
        without_(evidence.records(row, "empty/" + name)) {}

  [[nodiscard]] std::optional<double> of(const std::string& config) const {
    const Record* count = with_ ? of_config(*with_, config) : nullptr;
    if (count == nullptr) return {};
    const Record* rest = without_ ? of_config(*without_, config) : nullptr;
    return centre_of(count->samples).mean - (rest == nullptr ? 0 : centre_of(rest->samples).mean);
  }

 private:
  Expected<std::vector<const Record*>> with_, without_;
};

/// One value a warp, as a distribution.
Expected<Pmf> windows_of(const Record& record, const Evidence& evidence) {
  const std::string place = record.test + " " + record.config_without("");
  const auto lanes = evidence.fact("limits.warp_lanes");
  if (!lanes) return Diagnostic{place, "windows need the lanes of a warp", "limits.warp_lanes", ""};
  constexpr double most_lanes = 1024;
  if (!(*lanes >= 1 && *lanes <= most_lanes) || *lanes != std::floor(*lanes)) {
    return Diagnostic{place, "limits.warp_lanes is " + significant(*lanes, 12),
                      "a whole number from 1 to 1024", "see device.json"};
  }
  const auto kept = decimated(record.samples, static_cast<std::size_t>(*lanes), place);
  if (!kept) return kept.error();
  return Pmf::of(*kept, place);
}

}  // namespace

Expected<std::vector<WindowPair>> window_pairs(const NumberRow& row, std::string_view test,
                                               const Evidence& evidence) {
  NumberRow one = row;
  one.tests = {std::string(test)};
  const auto with = evidence.records(one, "window");
  if (!with) return with.error();
  const auto without = evidence.records(one, "empty");
  if (!without) return without.error();
  const Counted misses(one, "l2_read_sector_misses", evidence);
  const Counted hits(one, "l1_local_load_hit", evidence);
  std::vector<WindowPair> pairs;
  for (const Record* record : *with) {
    WindowPair pair;
    pair.test = test;
    pair.config = record->config_without("");
    const Record* empty = of_config(*without, pair.config);
    if (empty == nullptr) {
      return Diagnostic{pair.test + " " + pair.config, "windows without the empty ones",
                        "both of one configuration", "run forewarp-bench again with --resume"};
    }
    auto windows = windows_of(*record, evidence);
    if (!windows) return std::move(windows).error();
    auto clock = windows_of(*empty, evidence);
    if (!clock) return std::move(clock).error();
    pair.blocks = record->number("blocks").value_or(0);
    pair.threads_per_block = record->number("threads").value_or(0);
    pair.windows = *std::move(windows);
    pair.empty = *std::move(clock);
    auto free = without_clock(pair.windows, pair.empty, pair.test + " " + pair.config);
    if (!free) return std::move(free).error();
    pair.free = *std::move(free);
    pair.misses = misses.of(pair.config);
    pair.hits = hits.of(pair.config);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace forewarp::characterise
