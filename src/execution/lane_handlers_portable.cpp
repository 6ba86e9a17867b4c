// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#define FOREWARP_LANES portable
#include "execution/lane/tables.h"

namespace forewarp {

const HandlerTable& portable_lane_handlers() {
  return portable::handlers;
}

}  // namespace forewarp
