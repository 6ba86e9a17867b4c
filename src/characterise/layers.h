// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What the namespace of this layer sees, and who sees it: the layer adds its lines to the table of
// base/layers.h, which every file includes, from here, where few do.
#pragma once

#include "base/layers.h"

namespace forewarp {

namespace characterise {
using namespace base;
using namespace hardware;
using namespace study;
}  // namespace characterise

namespace cli {
using namespace characterise;
}  // namespace cli

namespace tests {
using namespace characterise;
}  // namespace tests

}  // namespace forewarp
