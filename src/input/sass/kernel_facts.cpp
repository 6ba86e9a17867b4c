// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/kernel_facts.h"

namespace forewarp::input {
namespace {

template <typename T>
void fill(std::optional<T>& value, const std::optional<T>& other) {
  if (!value) value = other;
}

}  // namespace

void KernelFacts::merge(const KernelFacts& other) {
  const Resources& from = other.resources;
  if (from.registers &&
      (!resources.registers || from.registers_source < resources.registers_source)) {
    resources.registers = from.registers;
    resources.registers_source = from.registers_source;
  }
  fill(resources.static_shared, from.static_shared);
  fill(resources.local_bytes, from.local_bytes);
  fill(resources.constant_bytes, from.constant_bytes);
  fill(resources.barriers, from.barriers);
  fill(resources.most_threads, from.most_threads);
  fill(resources.required_block, from.required_block);
  fill(resources.cluster, from.cluster);
  fill(counted_shared, other.counted_shared);
  fill(parameter_bytes, other.parameter_bytes);
  fill(parameter_base, other.parameter_base);
  if (stated.empty()) stated = other.stated;
  if (places.empty()) places = other.places;
}

KernelFacts& FactStore::of(std::uint32_t sm, std::string_view name) {
  return facts_[{sm, std::string(name)}];
}

KernelFacts FactStore::find(std::uint32_t sm, std::string_view mangled,
                            std::string_view plain) const {
  KernelFacts result;
  for (const std::uint32_t number : {sm, std::uint32_t{0}}) {
    for (const std::string_view name : {mangled, plain}) {
      const auto found = facts_.find({number, std::string(name)});
      if (found != facts_.end()) result.merge(found->second);
    }
  }
  return result;
}

void FactStore::forget(std::uint32_t sm, std::string_view mangled) {
  facts_.erase({sm, std::string(mangled)});
}

}  // namespace forewarp::input
