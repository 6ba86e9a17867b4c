// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "command.h"
#include "hardware/database.h"
#include "model/rates/rate_conversion.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string value, unit, gpu, clock = "sustained", bytes, instructions, format = "text";
};

Expected<double> above_zero(const char* flag, const std::string& text, double otherwise) {
  if (text.empty()) return otherwise;
  const auto number = parse_number(text);
  if (number && *number > 0 && *number < 1e12) return *number;
  return Diagnostic{flag, "'" + text + "'", "a number above zero", ""};
}

Expected<double> clock_of(const Gpu& gpu, const std::string& text) {
  if (text == "sustained") return gpu.clock_sustained_mhz;
  if (text == "boost") return gpu.clock_boost_mhz;
  if (text == "base") return gpu.clock_base_mhz;
  const auto number = parse_number(text);
  if (number && *number > 0) return *number;
  return Diagnostic{"--clock", "'" + text + "'", "MHz, base, boost or sustained", ""};
}

Expected<RateBasis> basis_of(const Options& options, const Gpu& gpu) {
  const auto clock = clock_of(gpu, options.clock);
  if (!clock) return clock.error();
  const auto bytes = above_zero("--bytes", options.bytes, 0);
  if (!bytes) return bytes.error();
  const auto instructions = above_zero("--instructions", options.instructions, 1);
  if (!instructions) return instructions.error();
  return rate_basis(gpu, *clock, *bytes, *instructions);
}

Expected<int> convert(const Options& options) {
  const auto value = parse_number(options.value);
  if (!value) return Diagnostic{"convert", "'" + options.value + "'", "a number and its unit", ""};
  const auto unit = rate_unit_named(options.unit);
  if (!unit) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < rate_units; ++i) {
      known.emplace_back(rate_unit_name(static_cast<RateUnit>(i)));
    }
    return Diagnostic{"convert", "the unit '" + options.unit + "'", join(known, ", "), ""};
  }
  const auto database = HardwareDatabase::locate();
  if (!database) return database.error();
  const auto gpu = database->load(options.gpu);
  if (!gpu) return gpu.error();
  const auto basis = basis_of(options, *gpu);
  if (!basis) return basis.error();
  const auto rates = convert_rate(*value, *unit, *basis);
  if (!rates) return rates.error();
  if (options.format == "json") {
    Json rows = Json::array();
    for (const ConvertedRate& rate : *rates) {
      rows.push_back(
          {{"unit", rate_unit_name(rate.unit)}, {"value", rate.value}, {"formula", rate.formula}});
    }
    const Json json = {{"schema", "forewarp.convert/1"},
                       {"gpu", gpu->id},
                       {"sms", basis->sms},
                       {"clock_mhz", basis->clock_mhz},
                       {"schedulers", basis->schedulers},
                       {"bytes", basis->bytes},
                       {"instructions", basis->instructions},
                       {"rates", rows}};
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("{} {} on {} at {} MHz\n", significant(*value, 6), rate_unit_name(*unit), gpu->name,
             significant(basis->clock_mhz, 6));
  for (const ConvertedRate& rate : *rates) {
    fmt::print("{:>12}  {:<20} {}\n", significant(rate.value, 6), rate_unit_name(rate.unit),
               rate.formula);
  }
  return 0;
}

}  // namespace

Command convert_command() {
  auto own = std::make_shared<Options>();
  Command command{"convert", "a rate in other units: GB/s, bytes a cycle, IPC, operations, warps"};
  command.flags = {
      {.names = "VALUE", .target = &own->value, .help = "the rate", .required = true},
      {.names = "UNIT",
       .target = &own->unit,
       .help = "GB/s, B/cycle/SM, IPC/SM, ops/cycle/scheduler or warps/cycle/SM",
       .required = true},
      {.names = "--gpu", .target = &own->gpu, .help = "id of the GPU", .required = true},
      {"--clock", &own->clock, "MHz, base, boost or sustained (default)"},
      {"--bytes", &own->bytes, "that one instruction of a warp moves (default: 4 for each lane)"},
      {"--instructions", &own->instructions, "of this kind that one warp executes (default 1)"},
      {"--format", &own->format, "text or json", {"text", "json"}}};
  command.action = [own]() -> Expected<int> { return convert(*own); };
  return command;
}

}  // namespace forewarp::cli
