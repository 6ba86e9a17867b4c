// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/storage/program_services.h"
#include "execution/warp/warp_memory.h"

namespace forewarp::execution::warp_operation {

/// Lanes for which one of the words of a source is unknown.
[[nodiscard]] inline LaneMask unknown_words(const Warp& warp, const Source& source,
                                            std::uint32_t words) {
  if (source.pool) {
    const auto& pool = warp.block->environment->image->unknown_pool();
    return !pool.empty() && pool[source.cell] != no_origin ? all_lanes : 0;
  }
  LaneMask unknown = 0;
  for (std::uint32_t i = 0; i < words && warp.unknown.any; ++i)
    unknown |= warp.unknown.cells[source.cell + i];
  return unknown;
}

/// The textures and surfaces that the lanes of an instruction name, in source 2.
class FetchHandles {
 public:
  FetchHandles(const Warp& warp, const MicroOp& op)
      : services_(warp.block->environment->image->input().services.get()),
        values_(plain_source(warp, op.source[2])),
        unknown_(unknown_words(warp, op.source[2], 1)) {}

  /// Whether there are textures, and the lanes' handles are known.
  [[nodiscard]] bool known(LaneMask lanes) const {
    return services_ != nullptr && (unknown_ & lanes) == 0;
  }
  /// Null: there is none.
  [[nodiscard]] const Texture* of(unsigned lane) const {
    if (last_ != nullptr && values_[lane] == last_value_) return last_;
    const auto found = services_->textures.find(values_[lane]);
    if (found == services_->textures.end()) return nullptr;
    last_value_ = values_[lane];
    return last_ = &found->second;
  }

 private:
  const ProgramServices* services_;
  const std::uint32_t* values_;
  LaneMask unknown_;
  mutable const Texture* last_ = nullptr;
  mutable std::uint32_t last_value_ = 0;
};

}  // namespace forewarp::execution::warp_operation
