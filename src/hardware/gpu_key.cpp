// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/gpu_key.h"

#include <array>
#include <type_traits>
#include <variant>

#include "hardware/place_facts.h"
#include "hardware/schema.h"

namespace forewarp::hardware {
namespace {

/// Adds one field of the schema; a group's member is that of the board's own group.
class FieldKey {
 public:
  FieldKey(const Gpu& gpu, KeyBytes& key) : gpu_(gpu), key_(key) {}

  void operator()(std::monostate) const {}
  template <class T>
  void operator()(T Gpu::*field) const {
    add(gpu_.*field);
  }
  template <class T>
  void operator()(T SmLimits::*field) const {
    add(gpu_.limits.*field);
  }
  template <class T>
  void operator()(T L1Facts::*field) const {
    add(gpu_.l1.*field);
  }
  void operator()(double L2Facts::*field) const { add(gpu_.l2.*field); }
  void operator()(double MemoryFacts::*field) const { add(gpu_.memory.*field); }
  void operator()(double AtomicFacts::*field) const { add(gpu_.atomic.*field); }
  void operator()(double TensorFacts::*field) const { add(gpu_.tensor.*field); }
  void operator()(double QueueFacts::*field) const { add(gpu_.queue.*field); }
  void operator()(double CopyFacts::*field) const { add(gpu_.copy.*field); }
  void operator()(double ClusterFacts::*field) const { add(gpu_.cluster.*field); }
  void operator()(double ConstantFacts::*field) const { add(gpu_.constant.*field); }
  void operator()(double FetchFacts::*field) const { add(gpu_.fetch.*field); }
  void operator()(double PowerFacts::*field) const { add(gpu_.power.*field); }
  void operator()(double EnergyFacts::*field) const { add(gpu_.energy.*field); }

 private:
  void add(const std::string& text) const { key_.add_text(text); }
  template <class T>
  void add(const std::vector<T>& values) const {
    key_.add(values.size());
    for (const T& value : values) key_.add(value);
  }
  template <class T, std::size_t N>
  void add(const std::array<T, N>& values) const {
    for (const T& value : values) key_.add(value);
  }
  template <class T>
  void add(const T& value) const {
    key_.add(value);
  }

  const Gpu& gpu_;
  KeyBytes& key_;
};

/// Adds the board's own fields and those of an SM's limits, of L1, L2 and atomics.
class ReplayKey {
 public:
  explicit ReplayKey(FieldKey all) : all_(all) {}

  template <class Group, class T>
  void operator()(T Group::*field) const {
    constexpr bool counts = std::is_same_v<Group, Gpu> || std::is_same_v<Group, SmLimits> ||
                            std::is_same_v<Group, L1Facts> || std::is_same_v<Group, L2Facts> ||
                            std::is_same_v<Group, AtomicFacts>;
    if constexpr (counts) all_(field);
  }
  void operator()(std::monostate) const {}

 private:
  FieldKey all_;
};

}  // namespace

void add_replayed(const Gpu& gpu, KeyBytes& key) {
  const ReplayKey field{FieldKey(gpu, key)};
  FieldKey(gpu, key)(&MemoryFacts::beside_share);
  key.add(places_under_way(gpu));
  for (const SchemaRow& row : schema()) {
    const bool of_time = row.path.starts_with("clock.") || row.path.starts_with("launch.");
    if (!of_time) std::visit(field, row.field);
  }
}

void add_board(const Gpu& gpu, KeyBytes& key) {
  key.add_text(gpu.id).add_text(gpu.parameter_set);
  for (const SchemaRow& row : schema()) std::visit(FieldKey(gpu, key), row.field);
  for (const auto& [path, fact] : gpu.facts) {
    key.add_text(path).add(fact.value).add_text(fact.text);
    for (const double value : fact.values) key.add(value);
  }
}

std::size_t kept_bytes(const Gpu& gpu) {
  constexpr std::size_t of_fact = 512;  // its path, value, unit and source
  return sizeof gpu + of_fact * gpu.facts.size();
}

}  // namespace forewarp::hardware
