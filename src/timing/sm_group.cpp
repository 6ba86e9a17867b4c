// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/sm_group.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace forewarp::timing {
namespace {

/// SMs with equally many blocks.
struct Alike {
  double count = 0, sum = 0, squares = 0;
};

/// When the last of the SMs with most blocks gets its first block, as a share of the time in which
/// all SMs get one.
double last_begins(double blocks, double sms) {
  const double rest = std::fmod(blocks, sms);
  return ((rest > 0 ? rest : sms) - 1) / sms;
}

}  // namespace

SmGroup all_of(double blocks, std::uint32_t sms) {
  return {sms, static_cast<std::uint64_t>(blocks), 1.0 / sms, 0};
}

SmGroup group_of(double blocks, std::uint32_t sms, double instructions, double most) {
  const double of_sm = instructions * blocks / sms;
  if (of_sm * sms <= most) return all_of(blocks, sms);
  SmGroup group;
  group.sms = static_cast<std::uint32_t>(std::clamp<double>(std::floor(most / of_sm), 1, sms));
  const double part = std::ceil(blocks * group.sms / sms);
  group.blocks = static_cast<std::uint64_t>(part);
  group.share = blocks / (part * sms);
  group.late = std::max(0.0, last_begins(blocks, sms) - last_begins(part, group.sms));
  return group;
}

bool shares_out(double blocks, std::uint32_t sms, std::uint32_t resident) {
  constexpr double few = 8;
  const double round = static_cast<double>(sms) * resident;
  return blocks > round && blocks < few * round && std::fmod(blocks, round) != 0;
}

double expected_largest(double count) {
  if (count <= 1) return 0;
  const double p = (count - 0.375) / (count + 0.25);
  const double t = std::sqrt(-2 * std::log(1 - p));  // Hastings 1955, 26.2.23 of Abramowitz
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

double last_of_all(const GridRun& group, double blocks) {
  std::map<std::uint64_t, Alike> kinds;
  double followed = 0;
  for (const GridRun::Part& part : group.parts) {
    Alike& kind = kinds[part.blocks];
    const double end = cycles_of(part.end);
    kind.count += 1;
    kind.sum += end;
    kind.squares += end * end;
    followed += static_cast<double>(part.blocks);
  }
  const double last = cycles_of(group.end);
  double squares = 0, freedom = 0;
  for (const auto& [each, kind] : kinds) {
    squares += std::max(0.0, kind.squares - kind.sum * kind.sum / kind.count);
    freedom += kind.count - 1;
  }
  if (freedom < 2 || followed >= blocks) return last;
  const double deviation = std::sqrt(squares / freedom);
  const double more = blocks / followed;
  const double fullest = kinds.rbegin()->second.count;
  const double from_last =
      last + deviation * (expected_largest(fullest * more) - expected_largest(fullest));
  double from_mean = 0;
  for (const auto& [each, kind] : kinds) {
    const double mean = kind.sum / kind.count;
    from_mean = std::max(from_mean, mean + deviation * expected_largest(kind.count * more));
  }
  return (from_last + from_mean) / 2;
}

}  // namespace forewarp::timing
