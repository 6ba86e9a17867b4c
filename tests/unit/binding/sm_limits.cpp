// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sm_limits.h"

#include <map>
#include <string>

#include <gtest/gtest.h>
namespace forewarp::test {
namespace {
constexpr std::uint32_t K = 1024;
SmLimits old(std::uint32_t w, std::uint32_t rf, std::uint32_t ru) {
  SmLimits l;
  l.warp_lanes = 32;
  l.threads_per_block = 512;
  l.warps_per_sm = w;
  l.blocks_per_sm = 8;
  l.registers_per_sm = rf;
  l.registers_per_block = rf;
  l.registers_per_thread = 124;
  l.register_unit = ru;
  l.register_unit_per_block = true;
  l.partitions = 2;
  l.warp_unit = 2;
  l.shared_per_sm = l.shared_per_block = 16 * K;
  l.shared_unit = 512;
  l.barriers_per_block = 16;
  l.max_block = {512, 512, 64};
  l.max_grid = {65535, 65535, 1};
  return l;
}
struct New {
  std::uint32_t w, b, rf, rb, rt, ru, p, s, optin, rs, su;
  std::vector<std::uint32_t> c;
  std::uint32_t pool = 0, lp = 0;
};
SmLimits make(const New& n) {
  SmLimits l;
  l.warp_lanes = 32;
  l.threads_per_block = 1024;
  l.warps_per_sm = n.w;
  l.blocks_per_sm = n.b;
  l.registers_per_sm = n.rf * K;
  l.registers_per_block = n.rb * K;
  l.registers_per_thread = n.rt;
  l.register_unit = n.ru;
  l.partitions = n.p;
  l.launch_check_partitions = n.lp;
  l.shared_per_sm = n.s * K;
  l.shared_per_block = 48 * K;
  l.shared_per_block_optin = n.optin * K;
  l.shared_reserved = n.rs;
  l.shared_unit = n.su;
  for (auto c : n.c) l.carveouts.push_back(c * K);
  l.barrier_pool = n.pool;
  l.barriers_per_block = 16;
  l.max_block = {1024, 1024, 64};
  l.max_grid = {2147483647, 65535, 65535};
  return l;
}
}  // namespace
SmLimits limits_of(std::string_view cc) {
  static const std::map<std::string, SmLimits, std::less<>> all{
      {"1.0", old(24, 8 * K, 256)},
      {"1.1", old(24, 8 * K, 256)},
      {"1.2", old(32, 16 * K, 512)},
      {"1.3", old(32, 16 * K, 512)},
      {"2.0", make({48, 8, 32, 32, 63, 64, 2, 48, 0, 0, 128, {}})},
      {"2.1", make({48, 8, 32, 32, 63, 64, 2, 48, 0, 0, 128, {}})},
      {"3.0", make({64, 16, 64, 64, 63, 256, 4, 48, 0, 0, 256, {16, 32, 48}})},
      {"3.2", make({64, 16, 64, 32, 255, 256, 4, 48, 0, 0, 256, {}})},
      {"3.5", make({64, 16, 64, 64, 255, 256, 4, 48, 0, 0, 256, {}})},
      {"3.7", make({64, 16, 128, 64, 255, 256, 4, 112, 0, 0, 256, {}})},
      {"5.0", make({64, 32, 64, 64, 255, 256, 4, 64, 0, 0, 256, {}})},
      {"5.2", make({64, 32, 64, 64, 255, 256, 4, 96, 0, 0, 256, {}})},
      {"5.3", make({64, 32, 64, 32, 255, 256, 4, 64, 0, 0, 256, {}})},
      {"6.0", make({64, 32, 64, 64, 255, 256, 2, 64, 0, 0, 256, {}, 0, 4})},
      {"6.1", make({64, 32, 64, 64, 255, 256, 4, 96, 0, 0, 256, {}})},
      {"6.2", make({64, 32, 64, 32, 255, 256, 4, 64, 0, 0, 256, {}})},
      {"7.0", make({64, 32, 64, 64, 255, 256, 4, 96, 96, 0, 256, {0, 8, 16, 32, 64, 96}})},
      {"7.2", make({64, 32, 64, 64, 255, 256, 4, 96, 96, 0, 256, {0, 8, 16, 32, 64, 96}})},
      {"7.5", make({32, 16, 64, 64, 255, 256, 4, 64, 64, 0, 256, {32, 64}})},
      {"8.0",
       make({64, 32, 64, 64, 255, 256, 4, 164, 163, 1024, 128, {0, 8, 16, 32, 64, 100, 132, 164}})},
      {"8.6", make({48, 16, 64, 64, 255, 256, 4, 100, 99, 1024, 128, {0, 8, 16, 32, 64, 100}})},
      {"8.7",
       make({48, 16, 64, 64, 255, 256, 4, 164, 163, 1024, 128, {0, 8, 16, 32, 64, 100, 132, 164}})},
      {"8.9", make({48, 24, 64, 64, 255, 256, 4, 100, 99, 1024, 128, {0, 8, 16, 32, 64, 100}})},
      {"9.0", make({64,
                    32,
                    64,
                    64,
                    255,
                    256,
                    4,
                    228,
                    227,
                    1024,
                    128,
                    {0, 8, 16, 32, 64, 100, 132, 164, 196, 228},
                    64})},
      {"10.0", make({64,
                     32,
                     64,
                     64,
                     255,
                     256,
                     4,
                     228,
                     227,
                     1024,
                     128,
                     {0, 8, 16, 32, 64, 100, 132, 164, 196, 228},
                     64})},
      {"10.3", make({64,
                     32,
                     64,
                     64,
                     255,
                     256,
                     4,
                     228,
                     227,
                     1024,
                     128,
                     {0, 8, 16, 32, 64, 100, 132, 164, 196, 228},
                     64})},
      {"11.0", make({48,
                     24,
                     64,
                     64,
                     255,
                     256,
                     4,
                     228,
                     227,
                     1024,
                     128,
                     {0, 8, 16, 32, 64, 100, 132, 164, 196, 228},
                     24})},
      {"12.0",
       make({48, 24, 64, 64, 255, 256, 4, 100, 99, 1024, 128, {0, 8, 16, 32, 64, 100}, 24})},
      {"12.1",
       make({48, 24, 64, 64, 255, 256, 4, 100, 99, 1024, 128, {0, 8, 16, 32, 64, 100}, 24})}};
  auto f = all.find(cc);
  if (f == all.end()) {
    ADD_FAILURE() << cc;
    return {};
  }
  SmLimits found = f->second;
  if (cc < "3" && cc[1] == '.') found.max_grid[0] = 65535;
  return found;
}
}  // namespace forewarp::test
