// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#define FOREWARP_LANES portable
#include "execution/lane/tables.h"

namespace forewarp::execution {

const HandlerTable& portable_lane_handlers() {
  return portable::handlers;
}

const RowFunctions& portable_row_functions() {
  return portable::rows;
}

}  // namespace forewarp::execution
