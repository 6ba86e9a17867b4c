// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// What is counted is charged: each count of a demand changes some model's answer, or says why not.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "model_case.h"

namespace forewarp {
namespace {

/// Counts that no model looks at, with the reason.
const std::map<Count, std::string> no_effect{
    {Count::thread_instructions, "shown; lanes cost what a warp costs, packed operations use it"},
    {Count::shared_wavefronts, "charged as cycles of the resource 'shared'"},
    {Count::local_sectors, "charged as bytes and as cycles of 'l2_read' and 'l2_write'"},
    {Count::load_sectors, "charged as bytes and as cycles of 'l2_read'"},
    {Count::store_sectors, "charged as bytes and as cycles of 'l2_write'"},
    {Count::lsu_instructions, "charged as cycles of the resource 'lsu'"},
    {Count::dual_pairs, "charged as issue slots that are not taken"},
};

/// Every count differs from its neighbours, so that ratios move as well.
ModelCase plain() {
  ModelCase c;
  for (std::size_t k = 0; k < count_kinds; ++k)
    c.demand.count(static_cast<Count>(k)) = 4 + static_cast<double>(k % 5);
  c.demand.count(Count::instructions) = 400;
  c.gpu.l1_latency = 30;
  c.gpu.l2_latency = 200;
  c.gpu.memory_latency = 500;
  c.gpu.memory_latency_mhz = 1000;
  c.gpu.memory_theory_gbs = 1000;
  c.gpu.memory_mixed = 0.8;
  c.gpu.sector_bytes = 32;
  c.gpu.facts["memory.local_share"].value = 0.5;
  c.latency.memory_cycles = 500;
  return c;
}

std::string answers(const ModelCase& c) {
  std::string all;
  for (const auto& model : models().entries()) {
    if (model->simulates()) continue;
    const OptionValues options = *model->parse_options({});
    const Prediction p = model->predict(c.input(), options);
    all += std::to_string(p.time_ms * 1e9) + ' ';
    for (std::uint16_t b = 0; b < p.bound_count; ++b)
      all += std::to_string(p.bound_cycles[b]) + ' ';
  }
  return all;
}

TEST(CountEffect, EachCountChangesAnAnswerOrSaysWhyNot) {
  const std::string before = answers(plain());
  for (std::size_t k = 0; k < count_kinds; ++k) {
    ModelCase c = plain();
    c.demand.count(static_cast<Count>(k)) *= 1.5;
    const bool changes = answers(c) != before;
    const auto reason = no_effect.find(static_cast<Count>(k));
    EXPECT_NE(changes, reason != no_effect.end()) << "count " << k << " of binding/demand.h";
  }
}

}  // namespace
}  // namespace forewarp
