// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/demand.h"

namespace forewarp::binding {

ResourceInfo::ResourceInfo(ResourceRole its_role, ResourceScope its_scope)
    : name(resource_name(its_role).name),
      label(resource_name(its_role).label),
      scope(its_scope),
      role(its_role) {}

ResourceInfo::ResourceInfo(std::string_view its_name, std::string_view its_label,
                           ResourceScope its_scope)
    : name(its_name), label(its_label), scope(its_scope), role(role_of_resource(its_name)) {}

void Demand::add(const Demand& other, double factor) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += factor * other.counts_[i];
  for (std::size_t i = 0; i < classes_.size(); ++i) classes_[i] += factor * other.classes_[i];
  if (cycles_.size() < other.cycles_.size()) cycles_.resize(other.cycles_.size(), 0.0);
  for (std::size_t i = 0; i < other.cycles_.size(); ++i) cycles_[i] += factor * other.cycles_[i];
}

}  // namespace forewarp::binding
