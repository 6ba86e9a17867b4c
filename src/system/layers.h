// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The namespace of applications and systems sees the layers that tests/structure/layers.txt says.
// It is apart from base/layers.h because it is part of a build only where SimGrid and Lua are.
#pragma once

#include "base/layers.h"

namespace forewarp {

namespace system {
using namespace base;
using namespace hardware;
using namespace model;
using namespace request;
}  // namespace system

namespace cli {
using namespace system;
}  // namespace cli

namespace tests {
using namespace system;
}  // namespace tests

}  // namespace forewarp
