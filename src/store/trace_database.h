// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/expected.h"
#include "measured/exports/device_trace.h"

namespace forewarp::store {

/// What devices did, of an SQLite export of Nsight Systems (`nsys export --type sqlite`): tables
/// CUPTI_ACTIVITY_KIND_KERNEL, _MEMCPY and _MEMSET, names by number in StringIds. Refuses a file
/// that is none, and no operation at all.
Expected<DeviceTrace> read_trace_database(const std::string& file);

}  // namespace forewarp::store
