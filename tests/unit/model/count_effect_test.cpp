// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// What is counted is charged: each count of a demand changes some model's answer, or says why not.
#include <array>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "binding/resource_table.h"
#include "hardware/database.h"
#include "model_case.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// Counts that no model looks at, with the reason.
const std::map<Count, std::string> no_effect{
    {Count::thread_instructions, "shown; lanes cost what a warp costs, packed operations use it"},
    {Count::local_sectors, "charged as bytes and as cycles of 'l2_read' and 'l2_write'"},
    {Count::load_sectors, "charged as bytes and as cycles of 'l2_read'"},
    {Count::store_sectors, "charged as bytes and as cycles of 'l2_write'"},
    {Count::store_requests, "the counting model charges a store what a load costs"},
    {Count::uncoalesced_instructions, "models price their transactions, which line_reissues hold"},
    {Count::lsu_instructions, "charged as cycles of the resource 'lsu'"},
    {Count::dual_pairs, "charged as issue slots that are not taken"},
};

/// Every count differs from its neighbours, so that ratios move as well.
ModelCase plain(const char* board) {
  ModelCase c;
  auto gpu = HardwareDatabase(FOREWARP_DATA_DIR).load(board);
  if (!gpu) ADD_FAILURE() << gpu.error().line();
  c.gpu = *gpu;
  c.resources = ResourceTable(c.gpu).resources();
  c.demand = Demand(c.resources.size());
  for (std::size_t r = 0; r < c.resources.size(); ++r) c.demand.cycles(r) = 1;
  for (std::size_t k = 0; k < count_kinds; ++k)
    c.demand.count(static_cast<Count>(k)) = 4 + static_cast<double>(k % 5);
  c.demand.count(Count::instructions) = 400;
  c.demand.count(Count::memory_instructions) = 40;
  for (std::size_t k = 0; k < class_kinds; ++k)
    c.demand.of_class(static_cast<InstructionClass>(k)) = 20;
  c.gpu.memory.local_share = 0.5;
  c.gpu.memory.place_ns = 2000;
  c.gpu.memory.bus_bits = c.gpu.memory.channel_bits = 32;
  c.latency = {40000, false, 0, 20000};
  return c;
}

std::string answer(const Model& model, const ModelCase& c, const OptionValues& options) {
  const Prediction p = model.predict(c.input(), options);
  std::string all = std::to_string(p.time_ms * 1e9) + ' ';
  for (const ModelNumber& number : model.numbers(c.input(), options, p))
    all += std::to_string(number.value) + ' ';
  for (std::uint16_t b = 0; b < p.bound_count; ++b) all += std::to_string(p.bound_cycles[b]) + ' ';
  return all;
}

/// Of every model that does not simulate, in each of its forms.
std::string answers(const ModelCase& c) {
  std::string all;
  for (const auto& model : models().entries()) {
    if (model->simulates()) continue;
    const OptionValues usual = *model->parse_options({});
    all += answer(*model, c, usual);
    const auto options = model->options();
    for (std::size_t o = 0; o < options.size(); ++o) {
      if (options[o].kind.find('|') == std::string_view::npos) continue;
      OptionValues other = usual;
      other[o] = usual[o] == 0 ? 1 : 0;
      all += answer(*model, c, other);
    }
  }
  return all;
}

TEST(CountEffect, EachCountChangesAnAnswerOrSaysWhyNot) {
  std::array<bool, count_kinds> changes{};
  for (const char* board : {"gtx980", "gtx480", "gtx280"}) {  // some models know old boards only
    const std::string before = answers(plain(board));
    for (std::size_t k = 0; k < count_kinds; ++k) {
      ModelCase c = plain(board);
      c.demand.count(static_cast<Count>(k)) *= 1.5;
      changes[k] = changes[k] || answers(c) != before;
    }
  }
  for (std::size_t k = 0; k < count_kinds; ++k) {
    const auto reason = no_effect.find(static_cast<Count>(k));
    EXPECT_NE(changes[k], reason != no_effect.end()) << "count " << k << " of binding/demand.h";
  }
}

}  // namespace
}  // namespace forewarp::tests
