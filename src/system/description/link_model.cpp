// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/link_model.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "request/option_text.h"
#include "system/description/factors.h"

namespace forewarp::system {
namespace {

/// Stands where no end of a link is a host: nothing is known of it, and nothing asked.
const Host no_host{};

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
  bool is_cpu = false;
  for (const std::size_t end : {connection.from, connection.to}) {
    const Component& unit = system.components[end];
    if (unit.host) model.host_ = unit.host;
    is_cpu = is_cpu || unit.kind == ComponentKind::cpu;
    model.at_gpu_ = model.at_gpu_ || unit.kind == ComponentKind::gpu;
  }
  model.at_gpu_ = model.at_gpu_ && !is_cpu;
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

/// Of messages, which are pinned unless the link's file says what its memory is.
HostSide LinkModel::side(HostSide asked) const {
  if (!memory_) return asked;
  if (*memory_ == HostMemory::pinned) return HostSide::pinned;
  return asked == HostSide::untouched ? asked : HostSide::pageable;
}

bool LinkModel::joins_gpus() const {
  return at_gpu_ && link_->peer.startup_us > 0 && link_->peer.gbs > 0;
}

double LinkModel::latency_s(bool there) const {
  if (!link_) return there ? there_.latency_s : back_.latency_s;
  if (joins_gpus()) return link_->peer.startup_us * per_micro;
  const HostCopy byte{direction(there), side(HostSide::pinned), 1};
  return copy_time(*link_, host_ ? *host_ : no_host, byte).startup_us * per_micro;
}

double LinkModel::message_rate(bool there) const {
  if (!link_) return there ? there_.bytes_per_s : back_.bytes_per_s;
  if (joins_gpus()) return link_->peer.gbs * per_giga;
  const HostSide of = side(HostSide::pinned);
  return steady_gbs(*link_, host_ ? *host_ : no_host, direction(there), of) * per_giga;
}

double LinkModel::capacity(bool there) const {
  if (!link_ || joins_gpus()) return message_rate(there) * lanes_;
  const Host& host = host_ ? *host_ : no_host;
  const double pageable = steady_gbs(*link_, host, direction(there), HostSide::pageable);
  const double pinned = steady_gbs(*link_, host, direction(there), HostSide::pinned);
  return std::max(pageable, pinned) * per_giga * lanes_;
}

LinkModel::Copy LinkModel::copy(bool there, HostSide asked, double bytes) const {
  const HostSide of = side(asked);
  if (!link_) {
    Copy copy{latency_s(there), message_rate(there)};
    if (of == HostSide::untouched && host_) {
      copy.bytes_per_s = 1 / (1 / copy.bytes_per_s + 1 / (host_->first_touch_gbs * per_giga));
    }
    return copy;
  }
  const Host& host = host_ ? *host_ : no_host;
  const CopyTime time = copy_time(*link_, host, {direction(there), of, bytes});
  return {(time.startup_us + time.staging_us) * per_micro,
          steady_gbs(*link_, host, direction(there), of) * per_giga};
}

std::vector<std::string> LinkModel::assumed(bool there, HostSide asked) const {
  const HostSide of = side(asked);
  std::vector<std::string> said;
  if (of == HostSide::pinned || !host_) return said;
  const bool own = host_->describes(direction(there)) || (link_ && host_->copies_of == link_->id);
  if (link_ && !own && link_->parameter_set.empty()) {
    said.push_back("pageable copies as on the host where " + link_->id +
                   " was measured; nobody described those of this host: hardware of the cpu");
  }
  if (of == HostSide::untouched && !host_->knows_first_touch()) {
    said.push_back("untouched memory is given out at " + significant(host_->first_touch_gbs) +
                   " GB/s, which was measured on another host: first_touch.gbs of the host");
  }
  return said;
}

std::string LinkModel::guessed() const {
  if (!link_ || joins_gpus()) return {};
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
