// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/demand.h"

namespace forewarp::binding {

void Demand::add(const Demand& other, double factor) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += factor * other.counts_[i];
  for (std::size_t i = 0; i < classes_.size(); ++i) classes_[i] += factor * other.classes_[i];
  if (cycles_.size() < other.cycles_.size()) cycles_.resize(other.cycles_.size(), 0.0);
  for (std::size_t i = 0; i < other.cycles_.size(); ++i) cycles_[i] += factor * other.cycles_[i];
}

}  // namespace forewarp::binding
