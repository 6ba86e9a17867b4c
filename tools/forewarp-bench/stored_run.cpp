// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "stored_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/file.h"
#include "characterise/samples/device.h"
#include "characterise/samples/samples_file.h"
#include "request/argument_text.h"
#include "request/files/case_writer.h"
#include "suite_plan.h"

namespace forewarp::cli {
namespace {

/// The sample at this share of all, from 0 to 1.
double quantile(const Histogram& samples, double share) {
  double all = 0, seen = 0;
  for (const auto& [value, count] : samples) all += static_cast<double>(count);
  for (const auto& [value, count] : samples) {
    seen += static_cast<double>(count);
    if (seen >= share * all) return value;
  }
  return samples.back().first;
}

Expected<Case> measured_case(const Wanted& wanted, const Record& record, const StoredRun& run,
                             const std::filesystem::path& root) {
  constexpr double us_per_ms = 1000;
  const BenchTest& test = *wanted.test;
  Case made;
  made.id = test.id + "/" + wanted.launch.name;
  made.group = test.id;
  std::filesystem::path code = root / test.file;
  if (auto listing = code; std::filesystem::exists(listing.replace_extension(".sass"))) {
    code = listing;
  } else {
    made.compile_options = test.flags;
  }
  made.input = code.string();
  made.kernel = test.kernel;
  auto launch = launch_of(test, wanted.launch);
  if (!launch) return std::move(launch).error();
  made.launch = *std::move(launch);
  // The driver of a GPU times by events what does not say how.
  const bool by_events = run.device.backend == "cuda";
  made.timing = test.timing.value_or(by_events ? Timing::event : Timing::device);
  made.repeat = test.warm ? Repeat::warm : Repeat::cold;
  if (record.clock_mhz) made.clock = ClockChoice{ClockChoice::Kind::stated, *record.clock_mhz};
  const double median = centre_of(record.samples).median;
  made.measured_ms = median / us_per_ms;
  made.spread = (quantile(record.samples, 0.75) - quantile(record.samples, 0.25)) / median;
  return made;
}

}  // namespace

const Record* StoredRun::find(const std::string& test, const Configuration& launch,
                              std::string_view quantity) const {
  const auto found = std::ranges::find_if(records, [&](const Record& record) {
    return record.test == test && record.quantity == quantity && record.config == launch.swept;
  });
  return found == records.end() ? nullptr : &*found;
}

Expected<StoredRun> stored_run(const std::filesystem::path& folder) {
  const std::filesystem::path described = folder / "device.json", sampled = folder / "samples.tsv";
  const auto device_text = read_file(described);
  if (!device_text) return device_text.error();
  const auto device = parse_device(*device_text, described.string());
  if (!device) return device.error();
  const auto text = read_file(sampled);
  if (!text) return text.error();
  auto samples = parse_samples(*text, sampled.string());
  if (!samples) return std::move(samples).error();
  StoredRun run;
  run.folder = folder;
  run.device.backend = device->backend;
  run.device.name = device->name;
  run.device.cc = device->cc.text();
  run.device.sm = static_cast<std::uint32_t>(device->cc.sm());
  for (const auto& [path, value] : device->numbers) run.device.facts[path] = value;
  run.records = std::move(samples->records);
  return run;
}

Expected<std::string> measured_cases(const std::vector<BenchTest>& tests, const StoredRun& run,
                                     const std::filesystem::path& root, const std::string& gpu) {
  const auto plan = planned(tests, run.device);
  if (!plan) return plan.error();
  std::string text;
  for (const Wanted& wanted : *plan) {
    if (wanted.test->copy || wanted.test->window || wanted.empty) continue;
    const Record* record = run.find(wanted.test->id, wanted.launch, "time");
    if (record == nullptr) continue;
    auto made = measured_case(wanted, *record, run, root);
    if (!made) return std::move(made).error();
    made->gpu = gpu.empty() ? run.device.name : gpu;
    text += case_line(*made) + "\n";
  }
  if (!text.empty()) return text;
  return Diagnostic{(run.folder / "samples.tsv").string(), "no launch of these tests was timed",
                    "times of kernels", "forewarp-bench run"};
}

}  // namespace forewarp::cli
