// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/sinks/csv_sink.h"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "report/axes.h"

namespace forewarp::report {
namespace {

using Fields = std::vector<std::string>;

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string extent_field(const std::array<std::uint32_t, 3>& size) {
  return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
}

void append(Fields& fields, Fields more) {
  for (std::string& field : more) fields.push_back(std::move(field));
}

Fields case_fields(const Result& r) {
  return {r.id,
          r.kernel.name,
          r.gpu.id,
          r.gpu.cc,
          number(r.gpu.clock_mhz),
          extent_field(r.launch.grid),
          extent_field(r.launch.block),
          std::to_string(r.launch.dynamic_shared),
          std::to_string(r.kernel.registers)};
}

Fields predicted_fields(const Result& r) {
  return {number(r.time_ms),
          number(r.interval_ms[0]),
          number(r.interval_ms[1]),
          r.timing,
          r.model,
          r.limited_by.resource,
          number(r.limited_by.share),
          std::to_string(r.occupancy.blocks_per_sm),
          std::to_string(r.occupancy.warps_per_sm),
          std::to_string(r.occupancy.max_warps_per_sm),
          number(r.occupancy.needed_warps),
          number(r.occupancy.waves),
          number(r.latency.cycles),
          number(r.profile.dram_read_bytes),
          number(r.profile.dram_write_bytes)};
}

const Fields case_names{"id",    "kernel",         "gpu",      "cc", "clock_mhz", "grid",
                        "block", "dynamic_shared", "registers"};
const Fields predicted_names{
    "time_ms",      "interval_low_ms", "interval_high_ms", "timing",          "model",
    "limited_by",   "limited_share",   "blocks_per_sm",    "warps_per_sm",    "max_warps_per_sm",
    "needed_warps", "waves",           "latency_cycles",   "dram_read_bytes", "dram_write_bytes"};

/// The columns between the case and the prediction.
std::vector<Axis> extra_axes(const std::vector<Result>& results) {
  std::vector<Axis> axes = argument_axes(results);
  for (Axis& axis : axes) axis.name.insert(0, "arg.");
  for (Axis& axis : option_axes(results)) {
    if (axis.distinct() < 2) continue;
    axis.name.insert(0, "opt.");
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_row(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    line += csv_field(fields[i]);
  }
  return line + '\n';
}

std::string csv(const std::vector<Result>& results, bool header) {
  std::string out;
  const std::vector<Axis> extra = extra_axes(results);
  if (header) {
    Fields names = case_names;
    for (const Axis& axis : extra) names.push_back(axis.name);
    append(names, predicted_names);
    append(names, {"findings", "error"});
    out += csv_row(names);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& result = results[i];
    Fields fields = case_fields(result);
    for (const Axis& axis : extra) fields.push_back(axis.values[i]);
    append(fields, result.error ? Fields(predicted_names.size()) : predicted_fields(result));
    append(fields,
           {std::to_string(result.findings.size()), result.error ? result.error->line() : ""});
    out += csv_row(fields);
  }
  return out;
}

}  // namespace forewarp::report
