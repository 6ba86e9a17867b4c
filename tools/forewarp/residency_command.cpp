// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "characterise/residency/warp_times.h"
#include "command.h"
#include "hardware/database.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;
using characterise::RecordedTime;
using characterise::Residency;
using characterise::ResidencyTrace;

constexpr std::size_t parts = 64, high = 8;

struct Options {
  std::string file, gpu, format = "text";
  std::optional<std::uint32_t> sms;
};

/// How many SMs share the warps, and what says so.
struct SmCount {
  std::uint32_t sms = 0;
  std::string from;
};

Expected<SmCount> sm_count_of(const Options& options, std::uint32_t seen) {
  SmCount count{seen, "rows"};
  if (!options.gpu.empty()) {
    const auto database = HardwareDatabase::locate();
    if (!database) return database.error();
    const auto gpu = database->load(options.gpu);
    if (!gpu) return gpu.error();
    count = {gpu->sms, "--gpu " + gpu->id};
  } else if (options.sms) {
    count = {*options.sms, "--sms"};
  }
  if (count.sms >= seen) return count;
  return Diagnostic{count.from, std::to_string(count.sms) + " SMs",
                    fmt::format("at least the {} that have warps in {}", seen, options.file),
                    "count all SMs of the board that recorded it"};
}

/// Columns of warps over time, as many lines high as `high`.
std::string plot(const ResidencyTrace& trace) {
  const double top =
      std::max(1.0, *std::max_element(trace.over_time.begin(), trace.over_time.end()));
  std::string out;
  for (std::size_t line = high; line > 0; --line) {
    const double level = top * (static_cast<double>(line) - 0.5) / static_cast<double>(high);
    std::string row;
    for (const double warps : trace.over_time) row += warps >= level ? '#' : ' ';
    out += fmt::format("{:>8} |{}\n", line == high ? significant(top, 3) : "",
                       row.substr(0, row.find_last_not_of(' ') + 1));
  }
  return out + fmt::format("{:>8} +{}\n{:>10}{:<32}{:>32}\n", 0, std::string(parts, '-'), "",
                           trace.begin.text(), trace.end.text());
}

std::string sms_text(const ResidencyTrace& trace, const SmCount& count) {
  if (count.from == "rows") {
    return fmt::format("{} SMs with warps (--sms N or --gpu ID counts those without, too)",
                       count.sms);
  }
  return fmt::format("{} SMs by {}, {} of them with warps", count.sms, count.from,
                     trace.sms.size());
}

void print_text(const ResidencyTrace& trace, const SmCount& count) {
  fmt::print(
      "{}, from {} to {}: {} warps on an SM on average, {} at most\n"
      "imbalance {} (the busiest SM's warp time over the mean), tail {} of the time\n\n"
      "warps on an SM\n{}\n{:>6} {:>8} {:>8} {:>8} {:>20} {:>20}\n",
      sms_text(trace, count), trace.begin.text(), trace.end.text(), significant(trace.mean),
      significant(trace.most), significant(trace.imbalance), significant(trace.tail), plot(trace),
      "sm", "warps", "mean", "most", "begin", "end");
  for (const Residency& sm : trace.sms) {
    fmt::print("{:>6} {:>8} {:>8} {:>8} {:>20} {:>20}\n", sm.sm, sm.warps, significant(sm.mean),
               significant(sm.most), sm.begin.text(), sm.end.text());
  }
}

Json as_json(const RecordedTime& time) {
  if (time.fraction == 0) return time.whole;
  return static_cast<double>(time.whole) + time.fraction;
}

Json as_json(const ResidencyTrace& trace, const SmCount& count) {
  Json sms = Json::array();
  for (const Residency& sm : trace.sms) {
    sms.push_back({{"sm", sm.sm},
                   {"warps", sm.warps},
                   {"mean", sm.mean},
                   {"most", sm.most},
                   {"begin", as_json(sm.begin)},
                   {"end", as_json(sm.end)}});
  }
  return {{"schema", "forewarp.residency/1"},
          {"begin", as_json(trace.begin)},
          {"end", as_json(trace.end)},
          {"sm_count", trace.sm_count},
          {"sm_count_from", count.from},
          {"mean", trace.mean},
          {"most", trace.most},
          {"imbalance", trace.imbalance},
          {"tail", trace.tail},
          {"sms", sms},
          {"over_time", trace.over_time}};
}

Expected<int> show(const Options& options) {
  const auto text = read_file(options.file);
  if (!text) return text.error();
  const auto warps = characterise::read_warp_times(*text, options.file);
  if (!warps) return warps.error();
  const auto count = sm_count_of(options, characterise::sms_with_warps(*warps));
  if (!count) return count.error();
  const ResidencyTrace trace = characterise::residency_of(*warps, parts, count->sms);
  if (options.format == "json") {
    fmt::print("{}\n", as_json(trace, *count).dump(2));
  } else {
    print_text(trace, *count);
  }
  return 0;
}

}  // namespace

Command residency_command() {
  auto own = std::make_shared<Options>();
  Command command{"residency", "warps on SMs over time, from when a device recorded them"};
  command.flags = {{.names = "FILE",
                    .target = &own->file,
                    .help = "CSV with the columns sm, start and end: one row for each warp",
                    .required = true},
                   {"--sms", &own->sms, "SMs of the board, with those that had no warp"},
                   {.names = "--gpu",
                    .target = &own->gpu,
                    .help = "id of the board, for its SMs",
                    .excludes = "--sms"},
                   {"--format", &own->format, "text or json", {"text", "json"}}};
  command.action = [own]() -> Expected<int> { return show(*own); };
  return command;
}

}  // namespace forewarp::cli
