// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/peer_link.h"

#include <utility>

#include "base/text.h"

namespace forewarp::hardware {
namespace {

Expected<void> check_nvlink(const Gpu& gpu, const Link& link, std::uint32_t gpus,
                            const std::string& place) {
  const auto generation = link.facts.find("peer.generation");
  if (generation == link.facts.end()) return {};
  const double own = gpu.number("nvlink.generation"), lanes = gpu.number("nvlink.links");
  const std::string way_out =
      "nvlink.generation, .links and .joined of " + gpu.file + " say what it has";
  if (own <= 0) {
    return Diagnostic{place, link.id + " between boards without NVLink: " + gpu.name,
                      gpu.host_link.empty() ? "PCIe" : "PCIe, as its " + gpu.host_link, way_out};
  }
  const std::string has = "NVLink " + significant(own) + " of up to " + significant(lanes) +
                          (lanes > 1 ? " links" : " link");
  if (generation->second.value != own || (lanes > 0 && link.lanes > lanes)) {
    return Diagnostic{place, link.id + " is no link of the " + gpu.name, has, way_out};
  }
  const double joined = gpu.number("nvlink.joined");
  if (joined <= 0 || gpus <= joined) return {};
  return Diagnostic{place, std::to_string(gpus) + " GPUs joined by " + link.id,
                    "at most " + significant(joined) + " of the " + gpu.name + ": a bridge",
                    way_out};
}

Expected<void> check_pcie(const LinkDatabase& links, const Gpu& gpu, const Link& link,
                          const std::string& place) {
  if (gpu.host_link.empty()) return {};
  const auto own = links.load(gpu.host_link);
  if (!own || link.theory_gbs <= own->theory_gbs) return {};
  return Diagnostic{place, link.id + " is faster than what the " + gpu.name + " has",
                    own->id + ", or a slower one",
                    "link.host of " + gpu.file + " says what it has"};
}

}  // namespace

std::optional<Link> peer_link(const LinkDatabase& links, const Gpu& gpu) {
  const auto stated = gpu.facts.find("link.peer");
  if (stated == gpu.facts.end()) return std::nullopt;
  auto link = links.load(stated->second.text);
  if (!link) return std::nullopt;
  return *std::move(link);
}

Expected<void> check_peer_link(const LinkDatabase& links, const Gpu& gpu, const Link& link,
                               std::uint32_t gpus, const std::string& place) {
  if (link.peer.kind == PeerKind::nvlink) return check_nvlink(gpu, link, gpus, place);
  if (link.peer.kind == PeerKind::pcie) return check_pcie(links, gpu, link, place);
  return {};
}

bool copies_through_host(const Gpu& gpu, const Link& link) {
  return link.peer.kind == PeerKind::pcie && gpu.number("peer.staged") > 0;
}

}  // namespace forewarp::hardware
