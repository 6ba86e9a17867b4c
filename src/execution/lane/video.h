// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/lane/map.h"
#include "execution/state/video_form.h"

namespace forewarp::execution::FOREWARP_LANES {

/// VADD, VMNMX, VABSDIFF, VMAD, VSET, VSHL and VSHR before sm_70.
inline void video(Warp& warp, const MicroOp& op, LaneMask lanes) {
  map3(warp, op, lanes,
       [form = VideoForm::unpacked(op.immediate)](std::uint32_t a, std::uint32_t b,
                                                  std::uint32_t c) {
         return video_value(form, a, b, c);
       });
}

}  // namespace forewarp::execution::FOREWARP_LANES
