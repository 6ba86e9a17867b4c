// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "system/layers.h"

namespace forewarp::system {

/// A call of an application that cannot be: thrown inside its process, whose place in the
/// application is then added to the text.
class CallFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace forewarp::system
