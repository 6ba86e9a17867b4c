// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/link_build.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/text.h"
#include "hardware/fill_rule.h"
#include "hardware/schema.h"

namespace forewarp::hardware {
namespace {

struct Row {
  std::string_view path, unit;
};

// clang-format off
constexpr Row rows[] = {
    {"name", "word"},
    {"like", "word"},
    {"lane.gbs", "GB/s"},
    {"lane.widths", "1"},
    {"lane.measured", "1"},
    {"peer.kind", "word"},
    {"peer.generation", "1"},
    {"peer.gbs", "GB/s"},
    {"peer.startup_us", "us"},
    {"staging.host_gbs", "GB/s"},
    {"staging.piece_bytes", "bytes"},
    {"h2d.pageable.startup_us", "us"},
    {"h2d.pageable.share", "1"},
    {"h2d.pageable.empty_us", "us"},
    {"h2d.pinned.startup_us", "us"},
    {"h2d.pinned.share", "1"},
    {"h2d.pinned.empty_us", "us"},
    {"d2h.pageable.startup_us", "us"},
    {"d2h.pageable.share", "1"},
    {"d2h.pageable.empty_us", "us"},
    {"d2h.pinned.startup_us", "us"},
    {"d2h.pinned.share", "1"},
    {"d2h.pinned.empty_us", "us"},
};
// clang-format on

constexpr double most_lanes = 64;  // above any link: a typing error

/// "theory.x16_gbs": bandwidth of one width, if it is not lanes times that of a lane.
bool is_theory(std::string_view path) {
  constexpr std::string_view prefix = "theory.x", suffix = "_gbs";
  if (!path.starts_with(prefix) || !path.ends_with(suffix)) return false;
  if (path.size() <= prefix.size() + suffix.size()) return false;
  const auto digits = path.substr(prefix.size(), path.size() - prefix.size() - suffix.size());
  return std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The number at `path`; if needed, it must exist and be positive.
Expected<double> number_at(const Facts& facts, std::string_view path, bool needed) {
  const auto found = facts.find(path);
  if (found == facts.end()) {
    if (!needed) return 0.0;
    const auto name = facts.find("name");
    return Diagnostic{name == facts.end() ? "" : name->second.file,
                      "'" + std::string(path) + "' is missing and no rule fills it",
                      "a number in " + std::string(unit_of_link_path(path)), "see docs/links.md"};
  }
  const Fact& fact = found->second;
  if (fact.value < 0 || (needed && fact.value == 0)) {
    return Diagnostic{place_in_file(fact.file, fact.line),
                      "'" + std::string(path) + "' is " + significant(fact.value),
                      needed ? "a number above zero" : "a number that is not negative", ""};
  }
  return fact.value;
}

Expected<CopyPath> path_at(const Facts& facts, const std::string& prefix) {
  CopyPath path;
  const std::pair<const char*, double CopyPath::*> parts[] = {
      {".startup_us", &CopyPath::startup_us},
      {".share", &CopyPath::share},
      {".empty_us", &CopyPath::empty_us}};
  for (const auto& [part, field] : parts) {
    const bool needed = field != &CopyPath::empty_us;
    const auto number = number_at(facts, prefix + part, needed);
    if (!number) return number.error();
    path.*field = *number;
  }
  path.confidence = std::max(facts.find(prefix + ".startup_us")->second.confidence,
                             facts.find(prefix + ".share")->second.confidence);
  if (path.share <= 1) return path;
  const Fact& share = facts.find(prefix + ".share")->second;
  return Diagnostic{place_in_file(share.file, share.line),
                    "'" + prefix + ".share' is " + significant(share.value), "at most 1", ""};
}

/// "peer": of one lane; a kind that the tables of collectives do not have is a fault.
Expected<PeerFigures> peer_of(const Facts& facts, std::uint32_t lanes) {
  PeerFigures peer;
  const auto lane = number_at(facts, "peer.gbs", false);
  if (!lane) return lane.error();
  peer.gbs = *lane * lanes;
  const auto startup = number_at(facts, "peer.startup_us", false);
  if (!startup) return startup.error();
  peer.startup_us = *startup;
  const auto kind = facts.find("peer.kind");
  if (kind == facts.end()) return peer;
  peer.kind = peer_kind_named(kind->second.text);
  if (peer.kind) return peer;
  return Diagnostic{place_in_file(kind->second.file, kind->second.line),
                    "'peer.kind' is '" + kind->second.text + "'", "nvlink, pcie or network", ""};
}

}  // namespace

std::string_view unit_of_link_path(std::string_view path) {
  if (is_theory(path)) return "GB/s";
  for (const Row& row : rows) {
    if (row.path == path) return row.unit;
  }
  return {};
}

Expected<void> check_link_fact(std::string_view path, const Fact& fact) {
  const std::string_view unit = unit_of_link_path(path);
  const std::string place = place_in_file(fact.file, fact.line);
  const std::string name = "'" + std::string(path) + "'";
  if (unit.empty()) {
    std::vector<std::string> known;
    for (const Row& row : rows) known.emplace_back(row.path);
    return Diagnostic{place, "no number of a link is named " + name,
                      join(nearest(path, known), " or "), "see docs/links.md"};
  }
  const FactKind kind = unit == "word"          ? FactKind::word
                        : path == "lane.widths" ? FactKind::list
                                                : FactKind::number;
  return check_type(path, fact, {unit, kind});
}

Expected<Fact> changed_link_fact(const FactOverride& change) {
  const std::string place = "--set link." + change.path;
  Fact fact;
  fact.unit = unit_of_link_path(change.path);
  if (fact.unit.empty()) {
    const auto fault = check_link_fact(change.path, fact);
    return Diagnostic{place, fault.error().found, fault.error().expected,
                      "forewarp link show ID lists them"};
  }
  if (fact.unit == "word" || change.path == "lane.widths") {
    return Diagnostic{place, "cannot be set", "a number of the link", ""};
  }
  const auto number = parse_number(change.value);
  if (!number || !std::isfinite(*number)) {
    return Diagnostic{place, "'" + change.value + "' is no number", "a number in " + fact.unit, ""};
  }
  fact.value = *number;
  fact.source = fact.file = override_source;
  fact.note = "set by the user";
  return fact;
}

Expected<std::vector<std::uint32_t>> link_widths(const Facts& facts) {
  const auto found = facts.find("lane.widths");
  if (found == facts.end() || found->second.values.empty()) {
    const auto name = facts.find("name");
    return Diagnostic{name == facts.end() ? "" : name->second.file,
                      "'lane.widths' is missing or no list", "numbers of lanes: [1, 4, 16]",
                      "see docs/links.md"};
  }
  std::vector<std::uint32_t> widths;
  for (const double width : found->second.values) {
    if (!(width >= 1 && width <= most_lanes) || width != std::floor(width)) {
      return Diagnostic{place_in_file(found->second.file, found->second.line),
                        "'lane.widths' holds " + significant(width), "whole numbers from 1 to 64",
                        ""};
    }
    widths.push_back(static_cast<std::uint32_t>(width));
  }
  return widths;
}

Expected<Link> build_link(Facts facts, std::uint32_t lanes) {
  Link link;
  const auto name = facts.find("name");
  if (name == facts.end() || name->second.text.empty()) {
    return Diagnostic{"", "'name' is missing", "name = \"..\"", "see docs/links.md"};
  }
  link.name = name->second.text;
  link.lanes = lanes;
  const auto lane = number_at(facts, "lane.gbs", true);
  if (!lane) return lane.error();
  link.theory_gbs = *lane * lanes;
  const std::string own = "theory.x" + std::to_string(lanes) + "_gbs";
  if (facts.contains(own)) {
    const auto theory = number_at(facts, own, true);
    if (!theory) return theory.error();
    link.theory_gbs = *theory;
  }
  for (const CopyDirection direction : {CopyDirection::to_device, CopyDirection::to_host}) {
    for (const HostMemory memory : {HostMemory::pageable, HostMemory::pinned}) {
      auto path = path_at(
          facts, std::string(direction_name(direction)) + '.' + std::string(memory_name(memory)));
      if (!path) return std::move(path).error();
      link.paths[static_cast<std::size_t>(direction)][static_cast<std::size_t>(memory)] = *path;
    }
  }
  // What was measured at one width is only an assumption for the others.
  const auto measured = facts.find("lane.measured");
  if (measured != facts.end() && measured->second.value != lanes) {
    for (auto& by_memory : link.paths) {
      for (CopyPath& path : by_memory) {
        path.confidence = std::max(path.confidence, Confidence::derived);
      }
    }
  }
  const auto host = number_at(facts, "staging.host_gbs", false);
  if (!host) return host.error();
  link.host_gbs = *host;
  const auto piece = number_at(facts, "staging.piece_bytes", false);
  if (!piece) return piece.error();
  link.piece_bytes = *piece;
  const auto peer = peer_of(facts, lanes);
  if (!peer) return peer.error();
  link.peer = *peer;
  link.facts = std::move(facts);
  return link;
}

}  // namespace forewarp::hardware
