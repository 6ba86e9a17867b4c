// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "suite.h"

#include <cmath>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "samples_file.h"
#include "suite_plan.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Options of the compiler beside those of every kernel: "bench/kernels/windows.cu: -Xptxas -O0".
std::string flags_of(const std::vector<BenchTest>& tests) {
  std::map<std::string, std::string> by_file;
  for (const BenchTest& test : tests) {
    if (!test.flags.empty()) by_file[test.file] = join(test.flags, " ");
  }
  std::string text;
  for (const auto& [file, flags] : by_file)
    text += (text.empty() ? "" : "; ") + file + ": " + flags;
  return text;
}

/// How many records each test asks for; those of a run that is gone on with stay.
Json asked_records(const std::vector<Wanted>& plan, const SuiteOptions& order) {
  Json asked = Json::object();
  const auto before =
      order.resume ? read_file(order.folder / "device.json") : Expected<std::string>(std::string());
  const auto known = Json::parse(before ? *before : std::string(), nullptr, false);
  if (known.is_object() && known.contains("asked") && known["asked"].is_object())
    asked = known["asked"];
  std::map<std::string, std::size_t> counts;
  for (const Wanted& wanted : plan) ++counts[wanted.test->id];
  for (const auto& [test, count] : counts) asked[test] = count;
  return asked;
}

std::string device_text(const DeviceDescription& device, const std::vector<BenchTest>& tests,
                        const std::string& date, const Json& asked) {
  constexpr double exact_to = 9e15;  // whole numbers
  Json facts = Json::object();
  for (const auto& [path, value] : device.facts) {
    if (const double* number = std::get_if<double>(&value)) {
      const bool whole = std::abs(*number) < exact_to && *number == std::floor(*number);
      facts[path] = whole ? Json(static_cast<std::int64_t>(*number)) : Json(*number);
    } else {
      facts[path] = std::get<std::string>(value);
    }
  }
  const Json all = {{"backend", device.backend},
                    {"name", device.name},
                    {"cc", device.cc},
                    {"date", date},
                    {"facts", facts},
                    {"driver", device.driver},
                    {"runtime", device.runtime},
                    {"toolkit", device.toolkit},
                    {"flags", flags_of(tests)},
                    {"asked", asked}};
  return all.dump(2) + "\n";
}

/// Samples of two devices in one file would be told apart by nobody.
Expected<void> check_same_device(const SuiteOptions& order, const std::string& now) {
  const auto other = [](const std::filesystem::path& file, const std::string& what) {
    return Diagnostic{file.string(), what, "the device whose samples lie there",
                      "--out DIR begins elsewhere"};
  };
  const std::filesystem::path file = order.folder / "device.json";
  if (!order.resume || !std::filesystem::exists(file)) return {};
  const auto text = read_file(file);
  if (!text) return text.error();
  const auto before = nlohmann::json::parse(*text, nullptr, false);
  if (!before.is_object()) return other(file, "is no JSON object");
  const auto wanted = nlohmann::json::parse(now);
  for (const char* key : {"backend", "name", "cc", "facts"}) {
    if (before.value(key, nlohmann::json()) != wanted[key]) {
      return other(file, "another device: '" + std::string(key) + "' differs");
    }
  }
  const std::filesystem::path alteration = order.folder / "altered.json";
  std::string altered;
  if (std::filesystem::exists(alteration)) {
    auto read = read_file(alteration);
    if (!read) return read.error();
    altered = *std::move(read);
  }
  if (altered != order.alteration) return other(alteration, "another alteration");
  return {};
}

Expected<bool> record(const Wanted& wanted, BenchDevice& device, SamplesFile& samples,
                      const SuiteOptions& order) {
  auto reading = device.measure(*wanted.test, wanted.kernel(), wanted.launch);
  if (!reading) {
    order.tell(wanted.test->id + " " + wanted.launch.name + ": " + reading.error().line());
    return false;
  }
  const auto written = samples.append({wanted.test->id, wanted.launch.swept, wanted.quantity(),
                                       wanted.test->window ? "cycles" : "us", reading->clock_mhz,
                                       reading->power_w, std::move(reading->values)});
  if (!written) return written.error();
  return true;
}

}  // namespace

Expected<double> parse_budget(std::string_view text) {
  constexpr double minute = 60, hour = 3600;
  const char unit = text.empty() ? ' ' : text.back();
  const double scale = unit == 'h' ? hour : unit == 'm' ? minute : 1;
  const bool named = unit == 'h' || unit == 'm' || unit == 's';
  const auto number = parse_number(text.substr(0, text.size() - (named ? 1 : 0)));
  if (!number || !std::isfinite(*number) || *number <= 0) {
    return Diagnostic{"--budget", "'" + std::string(text) + "' is no time", "8m, 90s or 1h", ""};
  }
  return *number * scale;
}

Expected<SuiteSummary> run_suite(const std::vector<BenchTest>& tests, BenchDevice& device,
                                 const SuiteOptions& order) {
  const auto plan = planned(tests, device.description());
  if (!plan) return plan.error();
  std::error_code fault;
  std::filesystem::create_directories(order.folder, fault);
  if (fault) return Diagnostic{order.folder.string(), fault.message(), "a folder", ""};
  const std::string described =
      device_text(device.description(), tests, order.date, asked_records(*plan, order));
  if (auto same = check_same_device(order, described); !same) return same.error();
  auto samples = SamplesFile::open(order.folder / "samples.tsv", order.resume);
  if (!samples) return std::move(samples).error();
  if (samples->was_torn()) order.tell("samples.tsv: the last line was cut and is measured again");
  const auto written = write_file(order.folder / "device.json", described);
  if (!written) return written.error();
  if (!order.alteration.empty()) {
    const auto told = write_file(order.folder / "altered.json", order.alteration);
    if (!told) return told.error();
  }
  SuiteSummary summary;
  const double begun = order.seconds();
  for (const Wanted& wanted : *plan) {
    if (samples->holds(wanted.test->id, wanted.launch.name, wanted.quantity())) {
      ++summary.known;
    } else if (order.budget_seconds > 0 && order.seconds() - begun >= order.budget_seconds) {
      ++summary.left;
    } else {
      const auto recorded = record(wanted, device, *samples, order);
      if (!recorded) return recorded.error();
      ++(*recorded ? summary.recorded : summary.refused);
    }
    const std::size_t done = summary.recorded + summary.known + summary.refused + summary.left;
    if (order.progress) order.progress(done, plan->size());
  }
  return summary;
}

}  // namespace forewarp::cli
