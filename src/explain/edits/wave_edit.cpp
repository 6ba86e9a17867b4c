// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/wave_edit.h"

#include <cmath>
#include <utility>

#include "base/text.h"

namespace forewarp::explain {
namespace {

constexpr double few_waves = 8;  // of more the last one matters no more

}  // namespace

std::vector<EditProposal> WaveEdit::proposals(const SeenLaunch& seen) const {
  const Launch& draft = *seen.evaluation.launch;
  const double wave = double{1} * draft.occupancy.blocks * seen.evaluation.launch->gpu->sms;
  const auto blocks = static_cast<double>(draft.config.blocks());
  if (wave <= 0 || blocks <= wave || blocks > few_waves * wave) return {};
  const double whole = std::floor(blocks / wave) * wave;
  if (whole == blocks) return {};
  EditProposal divided;
  divided.edit = "spread the work over " + significant(whole, 9) + " blocks, each taking more " +
                 "of it (a grid-stride loop)";
  divided.reason = significant(blocks / wave, 3) + " waves of " + significant(wave, 6) +
                   " blocks: the last one fills " + significant(100 * (blocks - whole) / wave, 3) +
                   " % of the SMs' places";
  EditProposal launched = divided;
  launched.edit = "launch " + significant(whole, 9) + " blocks instead of " +
                  significant(blocks, 9) + ": whole waves";
  OtherCase other{seen.request, seen.options, true};
  other.request.launch.grid = {static_cast<std::uint32_t>(whole), 1, 1};
  other.options.threads.reset();
  launched.change = std::move(other);
  World world;
  world.even_shares = true;
  divided.condition = "the work can be divided at will";
  divided.change = world;
  divided.stands_in = true;
  std::vector<EditProposal> proposals;
  if (draft.config.grid[1] * draft.config.grid[2] == 1) proposals.push_back(std::move(launched));
  proposals.push_back(std::move(divided));
  return proposals;
}

}  // namespace forewarp::explain
