// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/launch_refusal.h"

#include "binding/launch_check.h"
#include "binding/occupancy.h"
#include "program/kernel.h"

namespace forewarp::program_run {
namespace {

binding::BlockNeeds needs_of(const LaunchOrder& order) {
  const Resources& resources = order.function->code.kernel->resources;
  binding::BlockNeeds needs;
  needs.threads = static_cast<std::uint32_t>(volume(order.block));
  needs.registers = resources.registers.value_or(0);
  needs.static_shared = resources.static_shared.value_or(0);
  needs.dynamic_shared = order.dynamic_shared;
  needs.barriers = resources.barriers.value_or(0);
  needs.most_threads = resources.most_threads.value_or(0);
  return needs;
}

/// Launches whose blocks a board could run, but not in the way that is asked for.
std::optional<Status> refused_by_use(const Gpu& board, const LaunchOrder& order,
                                     std::string& message) {
  const std::string name = order.function->code.kernel->name;
  const std::uint32_t allowed = order.function->dynamic_shared_limit(board.limits);
  if (order.dynamic_shared > allowed) {
    message = name + ": " + std::to_string(order.dynamic_shared) +
              " bytes of dynamic shared memory; expected at most " + std::to_string(allowed) +
              "; cudaFuncSetAttribute(.., cudaFuncAttributeMaxDynamicSharedMemorySize, ..) allows "
              "more";
    return Status::invalid_value;
  }
  if (!order.cooperative) return std::nullopt;
  const std::uint32_t sms =
      binding::sms_for_clusters(board.limits, board.sms, volume(order.clusters()));
  const std::uint64_t resident =
      std::uint64_t{binding::occupancy(board.limits, needs_of(order)).blocks} * sms;
  if (volume(order.grid) <= resident) return std::nullopt;
  message = name + ": " + std::to_string(volume(order.grid)) +
            " blocks are launched together; expected at most " + std::to_string(resident) +
            ", as many as are resident; cudaOccupancyMaxActiveBlocksPerMultiprocessor tells";
  return Status::cooperative_too_large;
}

}  // namespace

std::optional<Status> refusal_of(const Gpu& board, const LaunchOrder& order, std::string& message) {
  const SmLimits& limits = board.limits;
  const std::uint64_t threads = volume(order.block);
  if (volume(order.grid) == 0 || threads == 0) return Status::invalid_configuration;
  const auto checked = binding::check_launch(limits, order.grid, order.block, needs_of(order));
  if (checked) {
    const auto clusters = binding::check_cluster(limits, order.grid, order.clusters());
    if (clusters) return refused_by_use(board, order, message);
    message = order.function->code.kernel->name + ": " + clusters.error().line();
    return Status::invalid_cluster_size;
  }
  message = checked.error().line();
  bool extents = threads > limits.threads_per_block;
  for (std::size_t i = 0; i < 3; ++i) {
    extents = extents || order.block[i] > limits.max_block[i] || order.grid[i] > limits.max_grid[i];
  }
  if (extents) return Status::invalid_configuration;
  const auto needs = needs_of(order);
  const bool shared = needs.static_shared + needs.dynamic_shared > limits.shared_per_block_optin;
  return shared ? Status::invalid_value : Status::launch_out_of_resources;
}

}  // namespace forewarp::program_run
