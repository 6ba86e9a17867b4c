// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "bench_device.h"

namespace forewarp::cli {

Quantities DeviceDescription::quantities() const {
  Quantities known;
  const auto take = [&](const char* path, const char* as) {
    const auto found = facts.find(path);
    if (found == facts.end()) return;
    if (const double* value = std::get_if<double>(&found->second)) known[as] = *value;
  };
  take("sm.count", "sms");
  take("l2.bytes", "l2");
  take("limits.shared_per_sm", "shared");
  return known;
}

}  // namespace forewarp::cli
