// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/sweep.h"

#include <utility>

namespace forewarp::sweep {

Expected<Sweep> Sweep::parse(const std::vector<std::string>& texts) {
  Sweep sweep;
  for (const std::string& text : texts) {
    auto axis = SweepAxis::parse(text);
    if (!axis) return axis.error();
    for (const SweepAxis& other : sweep.axes_) {
      if (other.name() == axis->name()) {
        return Diagnostic{"--sweep", "'" + axis->name() + "' is swept twice", "each name once", ""};
      }
    }
    if (axis->count() > most_points / sweep.count_) {
      return Diagnostic{
          "--sweep",
          "'" + text + "' brings the sweep above " + std::to_string(most_points) + " points",
          "fewer values in all axes together", "give a larger step"};
    }
    sweep.count_ *= axis->count();
    sweep.axes_.push_back(std::move(*axis));
  }
  sweep.strides_.resize(sweep.axes_.size(), 1);
  for (std::size_t i = sweep.axes_.size(); i-- > 1;) {
    sweep.strides_[i - 1] = sweep.strides_[i] * sweep.axes_[i].count();
  }
  return sweep;
}

Expected<void> Sweep::check(const PredictOptions& options) const {
  for (const SweepAxis& axis : axes_) {
    if (axis.name() == "grid" && options.threads) {
      return Diagnostic{"--sweep", "the grid is swept although --threads makes it follow the block",
                        "one of the two", ""};
    }
  }
  return {};
}

void Sweep::apply(std::uint64_t point, Case& request, PredictOptions& options) const {
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    axes_[i].apply(index_at(point, i), request, options);
  }
}

bool Sweep::changes_binding() const {
  for (const SweepAxis& axis : axes_) {
    if (axis.changes_binding()) return true;
  }
  return false;
}

}  // namespace forewarp::sweep
