// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <vector>

#include "explain/edits/block_edit.h"
#include "explain/edits/clock_edit.h"
#include "explain/edits/coalescing_edit.h"
#include "explain/edits/double_edit.h"
#include "explain/edits/edit_kind.h"
#include "explain/edits/fast_math_edit.h"
#include "explain/edits/local_memory_edit.h"
#include "explain/edits/padding_edit.h"
#include "explain/edits/register_edit.h"
#include "explain/edits/shared_edit.h"
#include "explain/edits/vector_edit.h"
#include "explain/edits/wave_edit.h"

namespace forewarp::explain {
namespace {

std::vector<std::unique_ptr<EditKind>> make_kinds() {
  std::vector<std::unique_ptr<EditKind>> all;
  all.push_back(std::make_unique<CoalescingEdit>());
  all.push_back(std::make_unique<PaddingEdit>());
  all.push_back(std::make_unique<VectorEdit>());
  all.push_back(std::make_unique<DoubleEdit>());
  all.push_back(std::make_unique<LocalMemoryEdit>());
  all.push_back(std::make_unique<RegisterEdit>());
  all.push_back(std::make_unique<SharedEdit>());
  all.push_back(std::make_unique<BlockEdit>());
  all.push_back(std::make_unique<WaveEdit>());
  all.push_back(std::make_unique<FastMathEdit>());
  all.push_back(std::make_unique<ClockEdit>());
  return all;
}

}  // namespace

const std::vector<std::unique_ptr<EditKind>>& edit_kinds() {
  static const std::vector<std::unique_ptr<EditKind>> kinds = make_kinds();
  return kinds;
}

}  // namespace forewarp::explain
