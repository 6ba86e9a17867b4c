// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "characterise/residency/warp_times.h"
#include "command.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;
using characterise::Residency;
using characterise::ResidencyTrace;

constexpr std::size_t parts = 64, high = 8;

struct Options {
  std::string file, format = "text";
};

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
                           significant(trace.begin, 8), significant(trace.end, 8));
}

void print_text(const ResidencyTrace& trace) {
  fmt::print(
      "{} SMs from {} to {}: {} warps on an SM on average, {} at most\n"
      "imbalance {} (the busiest SM's warp time over the mean), tail {} of the time\n\n"
      "warps on an SM\n{}\n{:>6} {:>8} {:>8} {:>8} {:>14} {:>14}\n",
      trace.sms.size(), significant(trace.begin, 8), significant(trace.end, 8),
      significant(trace.mean), significant(trace.most), significant(trace.imbalance),
      significant(trace.tail), plot(trace), "sm", "warps", "mean", "most", "begin", "end");
  for (const Residency& sm : trace.sms) {
    fmt::print("{:>6} {:>8} {:>8} {:>8} {:>14} {:>14}\n", sm.sm, sm.warps, significant(sm.mean),
               significant(sm.most), significant(sm.begin, 10), significant(sm.end, 10));
  }
}

Json as_json(const ResidencyTrace& trace) {
  Json sms = Json::array();
  for (const Residency& sm : trace.sms) {
    sms.push_back({{"sm", sm.sm},
                   {"warps", sm.warps},
                   {"mean", sm.mean},
                   {"most", sm.most},
                   {"begin", sm.begin},
                   {"end", sm.end}});
  }
  return {{"schema", "forewarp.residency/1"},
          {"begin", trace.begin},
          {"end", trace.end},
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
  auto warps = characterise::read_warp_times(*text, options.file);
  if (!warps) return std::move(warps).error();
  const ResidencyTrace trace = characterise::residency_of(*std::move(warps), parts);
  if (options.format == "json") {
    fmt::print("{}\n", as_json(trace).dump(2));
  } else {
    print_text(trace);
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
                   {"--format", &own->format, "text or json", {"text", "json"}}};
  command.action = [own]() -> Expected<int> { return show(*own); };
  return command;
}

}  // namespace forewarp::cli
