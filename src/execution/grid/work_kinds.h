// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "execution/grid/block_kinds.h"
#include "execution/grid/block_survey.h"

namespace forewarp::execution {

/// Kinds of blocks whose work is alike, at most about `most_kinds`; `work` receives the mean of
/// each. One kind: all are alike. The longest block is a kind of its own unless its kind is alike.
[[nodiscard]] BlockKinds kinds_by_work(const BlockSurvey& survey, std::vector<double>& work,
                                       double most_kinds = 12);

}  // namespace forewarp::execution
