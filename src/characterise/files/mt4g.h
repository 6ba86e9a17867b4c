// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/expected.h"
#include "characterise/samples/device.h"

namespace forewarp::characterise {

/// What MT4G writes as JSON: its device query and, as measured, latencies of L1, L2, shared and
/// device memory, sizes and line sizes. Fails, with the file, for what is no such JSON, a device of
/// another vendor, one without a name or capability, and units that are not known.
Expected<MeasuredDevice> parse_mt4g(std::string_view text, std::string_view file);

}  // namespace forewarp::characterise
