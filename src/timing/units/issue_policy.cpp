// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/units/issue_policy.h"

namespace forewarp::timing {

std::uint32_t IssuePolicy::by_age(std::uint64_t ready, const std::uint32_t* age, bool youngest) {
  std::uint32_t best = 64;
  for (; ready != 0; ready &= ready - 1) {
    const auto warp = static_cast<std::uint32_t>(std::countr_zero(ready));
    if (best == 64 || (youngest ? age[warp] > age[best] : age[warp] < age[best])) best = warp;
  }
  return best;
}

std::uint32_t IssuePolicy::in_groups(std::uint64_t ready) const {
  const std::uint32_t size = choice_.group == 0 ? 1 : choice_.group;
  const std::uint32_t first = last_ / size * size;
  const std::uint64_t all = size >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
  const std::uint64_t mine = ready & (all << first);
  if (mine != 0) return next_after(mine, last_);
  return next_after(ready, first + size - 1 > 63 ? 63 : first + size - 1);
}

std::uint32_t IssuePolicy::at_rate(std::uint64_t ready, std::uint64_t slot) const {
  constexpr std::uint64_t fast = 1;  // bit of the scheduler's first warp, which owns every Rth slot
  const bool its_slot = choice_.rate > 0 && slot % choice_.rate == 0;
  const std::uint64_t owners = its_slot ? fast : ~fast;
  if ((ready & owners) != 0) return next_after(ready & owners, last_);
  return choice_.work_conserving ? next_after(ready, last_) : 64;
}

}  // namespace forewarp::timing
