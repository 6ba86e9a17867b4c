// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/lane/bits.h"
#include "execution/lane/conversion.h"
#include "execution/lane/doubles.h"
#include "execution/lane/floating.h"
#include "execution/lane/halves.h"
#include "execution/lane/integer.h"
#include "execution/lane/predicates.h"
#include "execution/lane/rows.h"
#include "execution/lane/video.h"
#include "execution/state/lane_handlers.h"

namespace forewarp::execution::FOREWARP_LANES {

inline constexpr HandlerTable handlers{
#define LANE_OPERATION(name) &name,  // NOLINT(bugprone-macro-parentheses)
#define WARP_OPERATION(name) nullptr,
#define FLOW_OPERATION(name) nullptr,
#include "execution/state/operation_table.inc"
#undef LANE_OPERATION
#undef WARP_OPERATION
#undef FLOW_OPERATION
};

inline constexpr RowFunctions rows{&near_addresses, &far_addresses, &inside,  &alike,
                                   &same_offsets,   &gather,        &scatter, &any_set};

}  // namespace forewarp::execution::FOREWARP_LANES
