// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/stages/launch_recall.h"

#include "launch/cache/launch_cache.h"
#include "launch/memory_options.h"

namespace forewarp::driver {
namespace {

template <class T>
void add(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void add_text(std::string& key, const std::string& text) {
  add(key, text.size());
  key += text;
}

void add_facts(std::string& key, const Gpu& gpu) {
  add_text(key, gpu.id);
  for (const auto& [path, fact] : gpu.facts) {
    add_text(key, path);
    add(key, fact.value);
    add_text(key, fact.text);
    for (const double value : fact.values) add(key, value);
  }
}

}  // namespace

std::string recall_key(const Drafted& drafted, const Case& request, const PredictOptions& options) {
  const Gpu& gpu = *drafted.loaded->gpu;
  // An upper bound needs every block's path, slow segments of memory need addresses.
  if (!options.cache || options.device || options.worst_case || gpu.memory.segments.size() > 1) return {};
  const auto execution =
      execution_key(drafted.loaded->code, drafted.draft, options, gpu.limits.shared_per_block_optin,
                    prediction_budget(options));
  if (!execution) return {};
  std::string key;
  add_text(key, *execution);
  add_facts(key, gpu);
  const MemoryOptions memory = memory_options(gpu, drafted.draft, request, options);
  add(key, memory.warm);
  add(key, memory.blocks_per_sm);
  add(key, memory.shared_per_block);
  add(key, memory.carveout_percent);
  add(key, memory.most_replayed);
  add(key, options.exact);
  add(key, options.budget_seconds.value_or(0));
  return key;
}

void remember(const std::string& key, const LaunchProfile& profile, const MemoryProfile& memory) {
  if (key.empty()) return;
  const LaunchCache cache = LaunchCache::from_environment();
  if (!cache.keeps()) return;
  ArchivedLaunch launch;
  launch.profile.executed.plan = profile.executed.plan;
  launch.profile.executed.paths = profile.executed.paths;
  launch.profile.executed.spent_instructions = profile.executed.spent_instructions;
  launch.profile.zeroed = profile.zeroed;
  launch.profile.unsized = profile.unsized;
  launch.profile.spent_instructions = profile.spent_instructions;
  launch.profile.typical = profile.typical;
  launch.profile.longest = profile.longest;
  launch.memory = memory;
  cache.store(key, launch);
}

}  // namespace forewarp::driver
