// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "execution/access/edited_streams.h"
#include "execution/grid/path_profile.h"
#include "execution/grid/warp_trace.h"

namespace forewarp::execution {

/// Numbers of instructions before and after some of them went.
class Renumbering {
 public:
  Renumbering(std::size_t count, const std::vector<bool>& dropped) : before_(count + 1) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool goes = i < dropped.size() && dropped[i];
      before_[i + 1] = before_[i] + (goes ? 0 : 1);
      numbers_.push_back(goes ? StreamEdit::gone : before_[i]);
    }
  }

  /// Of a kept instruction, or of the next kept one; also of the end.
  [[nodiscard]] std::uint32_t next(std::uint32_t index) const { return before_[index]; }
  [[nodiscard]] bool keeps(std::uint32_t index) const {
    return numbers_[index] != StreamEdit::gone;
  }
  [[nodiscard]] const std::vector<std::uint32_t>& numbers() const { return numbers_; }

  template <typename T>
  [[nodiscard]] std::vector<T> kept(const std::vector<T>& all) const {
    std::vector<T> left;
    for (std::size_t i = 0; i < all.size() && i < numbers_.size(); ++i) {
      if (numbers_[i] != StreamEdit::gone) left.push_back(all[i]);
    }
    return left;
  }
  void renumber(std::vector<std::uint32_t>& indices) const {
    std::erase_if(indices, [&](std::uint32_t i) { return !keeps(i); });
    for (std::uint32_t& i : indices) i = next(i);
  }

 private:
  std::vector<std::uint32_t> before_;  ///< kept ones before each
  std::vector<std::uint32_t> numbers_;
};

/// Steps of a path or a trace with runs shortened by what went; branches never go.
template <typename Step>
std::vector<Step> shortened(const std::vector<Step>& steps, const Renumbering& numbers) {
  std::vector<Step> kept;
  for (Step step : steps) {
    if (step.is_loop()) {
      step.body = shortened(step.body, numbers);
      if (!step.body.empty()) kept.push_back(std::move(step));
      continue;
    }
    step.first = numbers.next(step.first);
    step.last = numbers.next(step.last);
    if (step.first != step.last) kept.push_back(std::move(step));
  }
  return kept;
}

/// What warps did without what went: its executions are no more, the rest stays.
void shorten(std::vector<WarpTrace>& traces, const Renumbering& numbers);
void shorten(PathProfile& paths, const Renumbering& numbers);

}  // namespace forewarp::execution
