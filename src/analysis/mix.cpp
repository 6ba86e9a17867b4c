// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/mix.h"

namespace forewarp::analysis {

Mix& Mix::operator+=(const Mix& other) {
  for (std::size_t i = 0; i < by_class.size(); ++i) by_class[i] += other.by_class[i];
  instructions += other.instructions;
  dual_pairs += other.dual_pairs;
  guarded += other.guarded;
  return *this;
}

std::vector<Mix> block_mixes(const Kernel& kernel, const ControlFlow& flow) {
  std::vector<Mix> mixes;
  mixes.reserve(flow.blocks().size());
  for (const BasicBlock& block : flow.blocks()) {
    Mix& mix = mixes.emplace_back();
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& instruction = kernel.instructions[i];
      ++mix.by_class[static_cast<std::size_t>(instruction.instruction_class)];
      ++mix.instructions;
      if (instruction.dual_with_next) ++mix.dual_pairs;
      if (instruction.guarded()) ++mix.guarded;
    }
  }
  return mixes;
}

}  // namespace forewarp::analysis
