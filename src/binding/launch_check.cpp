// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/launch_check.h"

#include <array>
#include <string>

namespace forewarp::binding {
namespace {

constexpr const char* bad_configuration = "invalid configuration argument";
constexpr const char* bad_argument = "invalid argument";
constexpr const char* out_of_resources = "too many resources requested for launch";

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

Diagnostic refuse(const char* error, const std::string& found, const std::string& expected,
                  const std::string& way_out) {
  return Diagnostic{"launch", std::string(error) + ": " + found, expected, way_out};
}

Expected<void> check_extent(const char* what, const Extent& extent, const Extent& largest) {
  static constexpr std::array<const char*, 3> axes{"x", "y", "z"};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (extent[axis] == 0 || extent[axis] > largest[axis]) {
      return refuse(bad_configuration,
                    std::string(what) + " " + axes[axis] + " = " + number(extent[axis]),
                    "1 to " + number(largest[axis]), "");
    }
  }
  return {};
}

Expected<void> check_threads(const SmLimits& limits, const BlockNeeds& needs) {
  if (needs.threads == 0 || needs.threads > limits.threads_per_block) {
    return refuse(bad_configuration, number(needs.threads) + " threads per block",
                  "1 to " + number(limits.threads_per_block), "");
  }
  if (needs.most_threads == 0 || needs.threads <= needs.most_threads) return {};
  return refuse("beyond the kernel's launch bounds", number(needs.threads) + " threads per block",
                "1 to " + number(needs.most_threads),
                "compile with __launch_bounds__(" + number(needs.threads) + ")");
}

Expected<void> check_required(const Extent& block, const BlockNeeds& needs) {
  const auto text = [](const Extent& size) {
    return number(size[0]) + "x" + number(size[1]) + "x" + number(size[2]);
  };
  if (needs.required_block[0] == 0 || needs.required_block == block) return {};
  return refuse("not the kernel's required block", "blocks of " + text(block) + " threads",
                text(needs.required_block), "");
}

Expected<void> check_registers(const SmLimits& limits, const BlockNeeds& needs) {
  if (needs.registers > limits.registers_per_thread) {
    return refuse(out_of_resources, number(needs.registers) + " registers per thread",
                  "at most " + number(limits.registers_per_thread), "");
  }
  const std::uint64_t charged = registers_at_launch(limits, needs);
  if (needs.registers == 0 || charged <= limits.registers_per_block) return {};
  return refuse(out_of_resources,
                number(needs.registers) + " registers for each of " + number(needs.threads) +
                    " threads are charged as " + number(charged) + " registers per block",
                "at most " + number(limits.registers_per_block),
                "compile with __launch_bounds__(" + number(needs.threads) + "), which leaves " +
                    number(launchable_registers(limits, needs.threads)) + " per thread");
}

Expected<void> check_shared(const SmLimits& limits, const BlockNeeds& needs) {
  const std::uint64_t used = std::uint64_t{needs.static_shared} + needs.dynamic_shared;
  const std::uint32_t allowed = shared_limit(limits, needs);
  const std::string found = number(used) + " bytes of shared memory per block (" +
                            number(needs.static_shared) + " static, " +
                            number(needs.dynamic_shared) + " dynamic)";
  if (used > allowed) {
    const bool could_opt_in = used <= limits.shared_per_block_optin;
    return refuse(bad_argument, found, "at most " + number(allowed),
                  could_opt_in ? "raise cudaFuncAttributeMaxDynamicSharedMemorySize" : "");
  }
  return {};
}

Expected<void> check_barriers(const SmLimits& limits, const BlockNeeds& needs) {
  if (needs.barriers <= limits.barriers_per_block) return {};
  return refuse(out_of_resources, number(needs.barriers) + " named barriers per block",
                "at most " + number(limits.barriers_per_block), "");
}

}  // namespace

std::uint32_t launchable_registers(const SmLimits& limits, std::uint32_t threads) {
  BlockNeeds needs{.threads = threads};
  for (needs.registers = limits.registers_per_thread; needs.registers > 0; --needs.registers) {
    if (registers_at_launch(limits, needs) <= limits.registers_per_block) break;
  }
  return needs.registers;
}

Expected<void> check_block(const SmLimits& limits, const BlockNeeds& needs) {
  for (const auto check : {check_threads, check_registers, check_shared, check_barriers}) {
    if (auto passed = check(limits, needs); !passed) return passed;
  }
  return {};
}

Expected<void> check_launch(const SmLimits& limits, const Extent& grid, const Extent& block,
                            const BlockNeeds& needs) {
  if (auto passed = check_extent("grid", grid, limits.max_grid); !passed) return passed;
  if (auto passed = check_extent("block", block, limits.max_block); !passed) return passed;
  if (auto passed = check_required(block, needs); !passed) return passed;
  return check_block(limits, needs);
}

Expected<void> check_cluster(const SmLimits& limits, const Extent& grid, const Extent& cluster) {
  const std::uint64_t blocks = volume(cluster);
  if (cluster[0] == 0 || blocks == 1) return {};
  const auto refused = [&](const std::string& found, const std::string& expected) {
    return Diagnostic{"--cluster",
                      "a cluster of " + number(cluster[0]) + "x" + number(cluster[1]) + "x" +
                          number(cluster[2]) + " blocks " + found,
                      expected, ""};
  };
  if (limits.cluster_blocks == 0)
    return refused("on a board without clusters", "one of compute capability 9.0 or later");
  if (blocks == 0 || blocks > limits.cluster_blocks)
    return refused("does not fit a GPC", "1 to " + number(limits.cluster_blocks) + " blocks");
  for (std::size_t axis = 0; axis < cluster.size(); ++axis) {
    if (grid[axis] % cluster[axis] == 0) continue;
    return refused("does not divide the grid", "a grid of whole clusters along each axis");
  }
  return {};
}

std::uint32_t sms_for_clusters(const SmLimits& limits, std::uint32_t sms,
                               std::uint64_t cluster_blocks) {
  std::uint64_t all = 0, used = 0;
  for (const std::uint32_t of_gpc : limits.gpc_sms) {
    all += of_gpc;
    used += of_gpc / cluster_blocks * cluster_blocks;
  }
  return all == sms && used > 0 ? static_cast<std::uint32_t>(used) : sms;
}

}  // namespace forewarp::binding
