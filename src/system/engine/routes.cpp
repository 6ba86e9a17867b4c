// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/routes.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace forewarp::system {

Routes::Routes(const System& system) : system_(system), neighbours_(system.components.size()) {
  for (std::size_t i = 0; i < system.connections.size(); ++i) {
    const Connection& connection = system.connections[i];
    neighbours_[connection.from].push_back({connection.to, i, true});
    neighbours_[connection.to].push_back({connection.from, i, false});
  }
}

Routes::Tree Routes::tree_from(std::size_t unit) const {
  using Reached = std::pair<std::uint32_t, std::size_t>;  // hops and unit
  Tree tree(neighbours_.size(), none);
  std::vector<std::uint32_t> hops(neighbours_.size(), none);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
  hops[unit] = 0;
  next.emplace(0, unit);
  while (!next.empty()) {
    const auto [far, at] = next.top();
    next.pop();
    if (far > hops[at]) continue;
    for (const Neighbour& neighbour : neighbours_[at]) {
      const std::uint32_t then = far + system_.connections[neighbour.connection].hops;
      if (then >= hops[neighbour.unit]) continue;
      hops[neighbour.unit] = then;
      tree[neighbour.unit] =
          static_cast<std::uint32_t>(2 * neighbour.connection + (neighbour.there ? 0 : 1));
      next.emplace(then, neighbour.unit);
    }
  }
  return tree;
}

std::vector<std::size_t> Routes::between(std::size_t from, std::size_t to) const {
  auto known = trees_.find(from);
  if (known == trees_.end()) known = trees_.emplace(from, tree_from(from)).first;
  const Tree& tree = known->second;
  std::vector<std::size_t> links;
  for (std::size_t at = to; at != from;) {
    const std::size_t link = tree[at];
    if (link == none) return {};
    links.push_back(link);
    const Connection& connection = system_.connections[link / 2];
    at = link % 2 == 0 ? connection.from : connection.to;
  }
  std::reverse(links.begin(), links.end());
  return links;
}

}  // namespace forewarp::system
