// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/profile_view.h"

#include <algorithm>
#include <utility>

#include "report/quantity.h"

namespace forewarp::report {
namespace {

Table mix_of(const Result::Profile& profile) {
  Table table;
  table.columns = {{"class", Align::left, ""},
                   {"warp instructions", Align::right, ""},
                   {"share", Align::right, ""},
                   {"", Align::bar, ""}};
  auto classes = profile.by_class;
  std::ranges::stable_sort(classes, std::greater{}, &std::pair<std::string, double>::second);
  for (const auto& [name, count] : classes) {
    const double share = count / profile.warp_instructions;
    table.rows.push_back({{name, amount(count), percent(share), ""}, Tone::plain, share, share});
  }
  return table;
}

Facts traffic_of(const Result::Profile& profile) {
  const auto sectors = [](double count) { return amount(count) + " sectors"; };
  Facts facts;
  facts.entries = {
      {"global loads", sectors(profile.global_load_sectors),
       amount(profile.global_load_requests) + " requests", Tone::plain},
      {"global stores", sectors(profile.global_store_sectors), "", Tone::plain},
      {"shared memory", amount(profile.shared_wavefronts) + " wavefronts", "", Tone::plain},
      {"L1 hits", percent(profile.l1_hit_rate), "", Tone::plain},
      {"L2", sectors(profile.l2_read_sectors) + " read",
       sectors(profile.l2_write_sectors) + " written; hits " + percent(profile.l2_hit_rate),
       Tone::plain},
      {"DRAM", bytes(profile.dram_read_bytes) + " read",
       bytes(profile.dram_write_bytes) + " written", Tone::plain}};
  if (profile.source == "executed") {
    facts.entries.push_back({"footprint", bytes(profile.unique_read_bytes) + " read",
                             bytes(profile.unique_write_bytes) + " written; " +
                                 amount(profile.pages) + " pages of " + bytes(profile.page_bytes),
                             Tone::plain});
  }
  return facts;
}

}  // namespace

Section ProfileView::content(const Result& result) const {
  const Result::Profile& profile = result.profile;
  Section section{"profile", "counts are " + dash_if_empty(profile.source), {}};
  section.narrow = true;
  Facts totals;
  totals.entries = {{"instructions", amount(profile.warp_instructions) + " of warps",
                     amount(profile.thread_instructions) + " of threads", Tone::plain},
                    {"blocks run", amount(profile.executed_blocks),
                     "of " + amount(profile.of_blocks), Tone::plain}};
  if (profile.left_out_blocks > 0) {
    totals.entries.push_back(
        {"left out", amount(profile.left_out_instructions) + " of warps",
         profile.left_out_blocks > 1
             ? "in " + amount(profile.left_out_blocks) + " blocks that are too long"
             : std::string("in a block that is too long"),
         Tone::plain});
  }
  section.add(std::move(totals));
  section.add(mix_of(profile));
  section.add(traffic_of(profile));
  return section;
}

}  // namespace forewarp::report
