// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The Python module's namespace sees the layers that the table of tests/structure/layers.txt says.
#pragma once

#include "base/layers.h"

namespace forewarp {

namespace python {
using namespace base;
using namespace program;
using namespace hardware;
using namespace result;
using namespace input;
using namespace analysis;
using namespace binding;
using namespace model;
using namespace report;
using namespace request;
using namespace prediction;
using namespace driver;
using namespace study;
}  // namespace python

}  // namespace forewarp
