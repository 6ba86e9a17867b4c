// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/link_model.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/transfer/copy_time.h"
#include "request/option_text.h"

namespace forewarp::system {
namespace {

constexpr double per_giga = 1e9, per_micro = 1e-6;

}  // namespace

Expected<LinkModel> LinkModel::build(const Connection& connection, const System& system,
                                     const LinkDatabase& links) {
  LinkModel model;
  model.there_ = connection.there;
  model.back_ = connection.back;
  model.lanes_ = connection.lanes;
  model.memory_ = connection.memory;
  model.device_first_ = system.components[connection.from].kind == ComponentKind::gpu &&
                        system.components[connection.to].kind != ComponentKind::gpu;
  if (connection.hardware.empty()) return model;
  std::vector<FactOverride> overrides;
  for (const std::string& change : connection.changes) {
    auto parsed = parse_link_override(change, system.file + ": link '" + connection.name + "'");
    if (!parsed) return std::move(parsed).error();
    overrides.push_back(*std::move(parsed));
  }
  auto link = links.load(connection.hardware, overrides);
  if (!link) return std::move(link).error();
  model.link_ = *std::move(link);
  return model;
}

CopyDirection LinkModel::direction(bool there) const {
  return there == device_first_ ? CopyDirection::to_host : CopyDirection::to_device;
}

HostMemory LinkModel::message_memory() const {
  return memory_.value_or(HostMemory::pinned);
}

double LinkModel::latency_s(bool there) const {
  if (!link_) return there ? there_.latency_s : back_.latency_s;
  return link_->path(direction(there), message_memory()).startup_us * per_micro;
}

double LinkModel::message_rate(bool there) const {
  if (!link_) return there ? there_.bytes_per_s : back_.bytes_per_s;
  return steady_gbs(*link_, direction(there), message_memory()) * per_giga;
}

double LinkModel::capacity(bool there) const {
  if (!link_) return message_rate(there) * lanes_;
  const double pageable = steady_gbs(*link_, direction(there), HostMemory::pageable);
  const double pinned = steady_gbs(*link_, direction(there), HostMemory::pinned);
  return std::max(pageable, pinned) * per_giga * lanes_;
}

LinkModel::Copy LinkModel::copy(bool there, HostMemory memory, double bytes) const {
  if (!link_) return {latency_s(there), message_rate(there)};
  const HostMemory of = memory_.value_or(memory);
  const CopyTime time = copy_time(*link_, direction(there), of, bytes);
  return {(time.startup_us + time.staging_us) * per_micro,
          steady_gbs(*link_, direction(there), of) * per_giga};
}

std::string LinkModel::guessed() const {
  if (!link_) return {};
  std::string kinds;
  for (const CopyDirection direction : {CopyDirection::to_device, CopyDirection::to_host}) {
    for (const HostMemory memory : {HostMemory::pageable, HostMemory::pinned}) {
      if (memory_ && memory != *memory_) continue;
      const Confidence confidence = link_->path(direction, memory).confidence;
      if (confidence != Confidence::assumed) continue;
      if (!kinds.empty()) kinds += ", ";
      kinds += std::string(direction_name(direction)) + " " + std::string(memory_name(memory));
    }
  }
  return kinds.empty() ? kinds : link_->id + ": " + kinds;
}

}  // namespace forewarp::system
