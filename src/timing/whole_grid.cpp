// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/whole_grid.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "timing/sm.h"

namespace forewarp::timing {

GridRun run_grid(const SmMachine& machine, const TimedKernel& kernel, const BlockWork& work,
                 std::uint64_t blocks, std::uint32_t sms, std::uint32_t resident,
                 Recorder* recorder, Ticks begin) {
  constexpr Ticks turn = SharedServer::piece;
  BlockSupply supply(work.kinds(), blocks, machine.block_start / std::max(1U, sms));
  DevicePath device(machine.device_delays, false);
  const auto used = static_cast<std::uint32_t>(std::min<std::uint64_t>(sms, blocks));
  std::vector<std::unique_ptr<Sm>> all;
  for (std::uint32_t s = 0; s < used; ++s) {
    all.push_back(std::make_unique<Sm>(machine, kernel, supply, &device, resident, s,
                                       s == 0 ? recorder : nullptr));
  }
  for (std::uint32_t b = 0; b < resident; ++b) {
    for (auto& sm : all) sm->start_block(begin);
  }
  using Entry = std::pair<Ticks, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> order;
  for (std::uint32_t s = 0; s < used; ++s) order.emplace(all[s]->next(), s);
  while (!order.empty()) {
    const auto [time, s] = order.top();
    order.pop();
    if (time == never) continue;
    while (all[s]->next() < time + turn) all[s]->step();
    order.emplace(all[s]->next(), s);
  }
  GridRun run;
  for (const auto& sm : all) {
    run.parts.push_back({sm->drained(), sm->state().finished});
    run.end = std::max(run.end, run.parts.back().end);
    run.issued += sm->state().issued;
  }
  return run;
}

}  // namespace forewarp::timing
