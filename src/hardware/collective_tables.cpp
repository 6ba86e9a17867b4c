// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/collective_tables.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "hardware/fact_file.h"
#include "hardware/gpu_files.h"
#include "hardware/schema.h"

namespace forewarp::hardware {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view generation_names[] = {"volta", "ampere", "hopper", "blackwell"};
constexpr std::string_view peer_kind_names[] = {"nvlink", "pcie", "network"};

/// Takes numbers out of the facts; keeps the first fault and what was read.
class TableReader {
 public:
  explicit TableReader(const FactFile& file) : file_(file) {}

  void number(const std::string& path, std::string_view unit, double& to) {
    const Fact* fact = find(path, unit, false);
    if (fact != nullptr) to = fact->value;
  }
  template <std::size_t count>
  void list(const std::string& path, std::string_view unit, std::array<double, count>& to) {
    const Fact* fact = find(path, unit, true);
    if (fact == nullptr) return;
    if (fact->values.size() != count) {
      return refuse(*fact, path, std::to_string(fact->values.size()) + " numbers",
                    std::to_string(count) + " numbers");
    }
    std::copy(fact->values.begin(), fact->values.end(), to.begin());
  }
  void list(const std::string& path, std::string_view unit, std::vector<double>& to) {
    const Fact* fact = find(path, unit, true);
    if (fact != nullptr) to = fact->values;
  }
  [[nodiscard]] bool has(const std::string& path) const { return file_.facts.contains(path); }
  [[nodiscard]] Confidence confidence(const std::string& path) const {
    const auto found = file_.facts.find(path);
    return found == file_.facts.end() ? Confidence::assumed : found->second.confidence;
  }
  /// The first fault, or a number that nothing reads.
  [[nodiscard]] std::optional<Diagnostic> fault() const {
    if (fault_) return fault_;
    for (const auto& [path, fact] : file_.facts) {
      if (read_.contains(path) || path == "name") continue;
      const std::vector<std::string> known(read_.begin(), read_.end());
      return Diagnostic{place_in_file(fact.file, fact.line),
                        "no number of collectives is named '" + path + "'",
                        join(nearest(path, known), " or "), "see docs/collectives.md"};
    }
    return std::nullopt;
  }

 private:
  const Fact* find(const std::string& path, std::string_view unit, bool is_list) {
    read_.insert(path);
    const auto found = file_.facts.find(path);
    if (found == file_.facts.end()) {
      if (!fault_) {
        fault_ = Diagnostic{file_.file, "'" + path + "' is missing",
                            "a number in " + std::string(unit), "see docs/collectives.md"};
      }
      return nullptr;
    }
    const Fact& fact = found->second;
    if (fact.unit != unit) {
      refuse(fact, path, "'" + fact.unit + "'", std::string(unit));
      return nullptr;
    }
    if (fact.values.empty() == is_list) {
      refuse(fact, path, is_list ? "no list" : "a list", is_list ? "a list" : "a number");
      return nullptr;
    }
    const auto is_wrong = [](double v) { return !std::isfinite(v) || v < 0; };
    if (is_wrong(fact.value) || std::any_of(fact.values.begin(), fact.values.end(), is_wrong)) {
      refuse(fact, path, "below zero or no number", "numbers from 0");
      return nullptr;
    }
    return &fact;
  }
  void refuse(const Fact& fact, const std::string& path, const std::string& is,
              const std::string& expected) {
    if (!fault_) {
      fault_ = Diagnostic{place_in_file(fact.file, fact.line), "'" + path + "' is " + is, expected,
                          "see docs/collectives.md"};
    }
  }

  const FactFile& file_;
  std::set<std::string> read_;
  std::optional<Diagnostic> fault_;
};

/// A generation that nobody measured on a kind of link is as the one before it, else as the tables.
void read_reached(TableReader& from, CollectiveTables& to) {
  for (std::size_t kind = 0; kind < peer_kinds; ++kind) {
    ReachedCollective last;
    for (std::size_t i = 0; i < collective_generations; ++i) {
      const std::string prefix =
          "reached." + std::string(generation_names[i]) + "." + std::string(peer_kind_names[kind]);
      if (from.has(prefix + ".latency") || from.has(prefix + ".share")) {
        from.list(prefix + ".latency", "1", last.latency);
        from.list(prefix + ".share", "1", last.share);
        last.confidence =
            std::max(from.confidence(prefix + ".latency"), from.confidence(prefix + ".share"));
      } else {
        last.confidence = Confidence::assumed;
      }
      to.reached[kind][i] = last;
    }
  }
}

void read_caps(TableReader& from, CollectiveTables& to) {
  constexpr std::string_view nodes[] = {"", "_two", "_more"};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string suffix(nodes[i]);
    from.list("cap.ll" + suffix, "GB/s", to.ll_cap[i]);
    from.list("cap.tree_ll128" + suffix, "GB/s", to.tree_ll128_cap[i]);
    from.list("cap.tree" + suffix, "GB/s", to.tree_cap[i]);
  }
  from.list("cap.ring_ll128", "GB/s", to.ring_ll128_cap);
}

void read_steps(TableReader& from, CollectiveTables& to) {
  from.list("startup.ring", "us", to.ring_startup);
  from.list("startup.tree", "us", to.tree_startup);
  for (std::size_t kind = 0; kind < peer_kinds; ++kind) {
    const std::string prefix = "step." + std::string(peer_kind_names[kind]);
    from.list(prefix + ".ring", "us", to.ring_step[kind]);
    from.list(prefix + ".tree", "us", to.tree_step[kind]);
  }
  from.number("step.nvlink.nvls", "us", to.nvls_us);
  from.number("step.nvlink.nvls_fewest", "1", to.nvls_fewest);
  from.number("step.network.post", "us", to.post_us);
  from.number("step.network.plateau", "1", to.plateau);
  from.number("step.network.plateau_bytes", "bytes", to.plateau_bytes);
}

void read_spread(TableReader& from, CollectiveSpread& to) {
  from.number("spread.small_bytes", "bytes", to.small_bytes);
  from.list("spread.within_small", "1", to.within_small);
  from.list("spread.within", "1", to.within);
  from.list("spread.between_small", "1", to.between_small);
  from.list("spread.between", "1", to.between);
}

Expected<CollectiveTables> build(FactFile file) {
  CollectiveTables to;
  TableReader from(file);
  read_steps(from, to);
  from.list("share.ring", "1", to.ring_share);
  from.list("share.tree", "1", to.tree_share);
  from.list("share.tree_between", "1", to.tree_between_share);
  from.list("share.nvls", "1", to.nvls_share);
  read_caps(from, to);
  from.number("tree_correction.first_bytes", "bytes", to.correction_first_bytes);
  from.list("tree_correction.ll", "1", to.tree_correction[0]);
  from.list("tree_correction.ll128", "1", to.tree_correction[1]);
  from.list("tree_correction.simple", "1", to.tree_correction[2]);
  from.list("channels.nvlink", "1", to.nvlink_channels);
  from.number("channels.pcie", "1", to.pcie_channels);
  from.number("channels.network", "1", to.network_channels);
  read_reached(from, to);
  from.number("send.direct_us", "us", to.send_direct_us);
  from.number("send.switch_us", "us", to.send_switch_us);
  from.number("send.network_us", "us", to.send_network_us);
  from.number("send.short_bytes", "bytes", to.send_short_bytes);
  from.number("send.short", "1", to.send_short);
  from.number("send.share", "1", to.send_share);
  from.number("send.memory_share", "1", to.send_memory_share);
  read_spread(from, to.spread);
  if (auto fault = from.fault()) return *std::move(fault);
  to.name = file.word("name");
  to.file = file.file;
  to.facts = std::move(file.facts);
  return to;
}

}  // namespace

std::size_t collective_generation(std::uint32_t capability) {
  constexpr std::uint32_t first[] = {80, 90, 100};
  std::size_t generation = 0;
  for (const std::uint32_t from : first) generation += capability >= from ? 1 : 0;
  return generation;
}

std::string_view collective_generation_name(std::size_t generation) {
  return generation_names[generation];
}

Expected<CollectiveTables> load_collective_tables(const fs::path& data_directory,
                                                  std::string_view id) {
  const bool is_file = id.ends_with(".toml");
  const fs::path path =
      is_file ? fs::path(id) : data_directory / "collectives" / (std::string(id) + ".toml");
  auto file = read_fact_file(path, shown_name(data_directory, path));
  if (!file) return std::move(file).error();
  auto tables = build(*std::move(file));
  if (tables) tables->id = path.stem().string();
  return tables;
}

Expected<CollectiveTables> parse_collective_tables(std::string_view toml, std::string_view name) {
  auto file = parse_fact_file(toml, name);
  if (!file) return std::move(file).error();
  return build(*std::move(file));
}

}  // namespace forewarp::hardware
