// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/content.h"

namespace forewarp::report {

void Section::add(Block block) {
  blocks.push_back(std::move(block));
}

}  // namespace forewarp::report
