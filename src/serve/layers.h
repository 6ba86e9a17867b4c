// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The namespace of the server sees the layers that tests/structure/layers.txt says.
// It is apart from base/layers.h because it is part of a build only where cpp-httplib is.
#pragma once

#include "base/layers.h"

namespace forewarp {

namespace serve {
using namespace base;
using namespace program;
using namespace hardware;
using namespace result;
using namespace input;
using namespace report;
using namespace request;
using namespace prediction;
using namespace driver;
using namespace sweep;
using namespace store;
}  // namespace serve

namespace cli {
using namespace serve;
}  // namespace cli

namespace tests {
using namespace serve;
}  // namespace tests

}  // namespace forewarp
