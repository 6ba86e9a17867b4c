// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The library's namespace sees the layers that tests/structure/layers.txt says; its own names,
// those of include/forewarp, come before theirs.
#pragma once

#include "base/layers.h"

namespace forewarp {

namespace api {
using namespace base;
using namespace program;
using namespace hardware;
using namespace result;
using namespace input;
using namespace binding;
using namespace model;
using namespace report;
using namespace request;
using namespace driver;
using namespace sweep;
using namespace comparison;
}  // namespace api

}  // namespace forewarp
