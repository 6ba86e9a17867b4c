// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access/access_stream.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "program/modifier.h"

namespace forewarp::execution {

CacheHint cache_hint(const Instruction& instruction) {
  if (instruction.has(modifier::ci) || instruction.has(modifier::constant) ||
      opcode_info(instruction.opcode).mnemonic == "LDU") {
    return CacheHint::read_only;
  }
  // The copy engine reads and writes L2.
  const std::string_view mnemonic = opcode_info(instruction.opcode).mnemonic;
  if (mnemonic.starts_with("UTMA") || mnemonic.starts_with("UBLK")) return CacheHint::shared;
  // Accesses that are strong within a block may use L1, which all threads of the block share.
  const bool in_block = instruction.has(modifier::cta) || instruction.has(modifier::sm);
  const bool past = instruction.has(modifier::cg) || instruction.has(modifier::cv) ||
                    (instruction.has(modifier::strong) && !in_block);
  return past ? CacheHint::shared : CacheHint::usual;
}

std::size_t AccessStreams::lane_offsets(const AccessShape& shape,
                                        std::array<std::int64_t, lane_count>& out) const {
  std::size_t count = 0;
  if (!shape.affine) {
    const auto lanes = static_cast<std::size_t>(std::popcount(shape.lanes));
    for (; count < lanes; ++count) {
      out[count] = shape.wide ? wide_offsets[shape.first_offset + count]
                              : offsets[shape.first_offset + count];
    }
    return count;
  }
  const int first = std::countr_zero(shape.lanes);
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    if (has_lane(shape.lanes, lane)) out[count++] = shape.stride * (static_cast<int>(lane) - first);
  }
  return count;
}

const BlockStream* AccessStreams::find(std::uint64_t block) const {
  const auto at =
      std::lower_bound(blocks.begin(), blocks.end(), block,
                       [](const BlockStream& a, std::uint64_t number) { return a.block < number; });
  return at == blocks.end() || at->block != block ? nullptr : &*at;
}

}  // namespace forewarp::execution
