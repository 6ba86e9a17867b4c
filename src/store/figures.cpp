// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/figures.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "result/json_token.h"
#include "store/columns.h"

namespace forewarp::store {

namespace {

/// Sets cells by the names of their columns.
class Figures {
 public:
  Figures() : row_(point_columns().size()) {}

  void set(std::string_view name, double value) {
    if (std::isfinite(value)) at(name) = value;
  }
  void set(std::string_view name, const std::string& word) {
    if (!word.empty()) at(name) = word;
  }

  TableRow row() && { return std::move(row_); }

 private:
  TableCell& at(std::string_view name) {
    const auto& names = point_columns();
    const auto found = std::find(names.begin(), names.end(), name);
    return row_[static_cast<std::size_t>(found - names.begin())];
  }

  TableRow row_;
};

std::string bounds_text(const Result& result) {
  std::string text;
  for (const Result::Bound& bound : result.bounds) {
    text += text.empty() ? '{' : ',';
    append_json_string(text, bound.resource);
    text += ':';
    append_json_number(text, bound.time_ms);
  }
  return text.empty() ? text : text + '}';
}

void set_prediction(const Result& result, Figures& figures) {
  figures.set("time_ms", result.time_ms);
  if (result.interval_ms[1] > 0) {
    figures.set("low_ms", result.interval_ms[0]);
    figures.set("high_ms", result.interval_ms[1]);
  }
  figures.set("model", result.model);
  figures.set("limited_by", result.limited_by.resource);
  figures.set("limited_share", result.limited_by.share);
  figures.set("blocks_per_sm", result.occupancy.blocks_per_sm);
  figures.set("warps_per_sm", result.occupancy.warps_per_sm);
  figures.set("needed_warps", result.occupancy.needed_warps);
  figures.set("waves", result.occupancy.waves);
  figures.set("latency_cycles", result.latency.cycles);
  figures.set("bounds", bounds_text(result));
}

}  // namespace

TableRow figures_of(const Result& result) {
  Figures figures;
  if (result.error) {
    figures.set("error", result.error->line());
    return std::move(figures).row();
  }
  if (!result.profile_only) set_prediction(result, figures);
  figures.set("registers", result.kernel.registers);
  const Result::Profile& p = result.profile;
  figures.set("warp_instructions", p.warp_instructions);
  figures.set("thread_instructions", p.thread_instructions);
  figures.set("global_load_sectors", p.global_load_sectors);
  figures.set("global_store_sectors", p.global_store_sectors);
  figures.set("shared_wavefronts", p.shared_wavefronts);
  figures.set("l2_read_sectors", p.l2_read_sectors);
  figures.set("l2_write_sectors", p.l2_write_sectors);
  figures.set("l1_hit_rate", p.l1_hit_rate);
  figures.set("l2_hit_rate", p.l2_hit_rate);
  figures.set("dram_read_bytes", p.dram_read_bytes);
  figures.set("dram_write_bytes", p.dram_write_bytes);
  return std::move(figures).row();
}

TableRow figures_of(const ScoredPoint& point) {
  Figures figures;
  figures.set("error", point.error);
  if (!point.predicted()) return std::move(figures).row();
  figures.set("time_ms", point.predicted_ms);
  figures.set("low_ms", point.low_ms);
  figures.set("high_ms", point.high_ms);
  figures.set("limited_by", point.limited_by);
  figures.set("warps_per_sm", point.warps_per_sm);
  figures.set("waves", point.waves);
  figures.set("registers", point.registers);
  return std::move(figures).row();
}

}  // namespace forewarp::store
