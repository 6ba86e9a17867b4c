// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The namespace of running programs sees the layers that tests/structure/layers.txt says.
#pragma once

#include "base/layers.h"

namespace forewarp {

namespace program_run {
using namespace base;
using namespace program;
using namespace hardware;
using namespace result;
using namespace input;
using namespace analysis;
using namespace execution;
using namespace binding;
using namespace memory;
using namespace model;
using namespace request;
using namespace prediction;
using namespace driver;
}  // namespace program_run

namespace cli {
using namespace program_run;
}  // namespace cli

namespace tests {
using namespace program_run;
}  // namespace tests

}  // namespace forewarp
