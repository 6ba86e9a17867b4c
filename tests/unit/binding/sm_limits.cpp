// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sm_limits.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "test_paths.h"

namespace forewarp::tests::test {
namespace {

SmLimits read(std::string_view capability) {
  const auto parsed = parse_capability(capability);
  if (!parsed) {
    ADD_FAILURE() << parsed.error().line();
    return {};
  }
  const auto limits = HardwareDatabase(FOREWARP_DATA_DIR).limits(*parsed);
  if (!limits) {
    ADD_FAILURE() << limits.error().line();
    return {};
  }
  return *limits;
}

}  // namespace

const SmLimits& limits_of(std::string_view capability) {
  static std::map<std::string, SmLimits, std::less<>> known;
  const auto found = known.find(capability);
  if (found != known.end()) return found->second;
  return known.emplace(std::string(capability), read(capability)).first->second;
}

}  // namespace forewarp::tests::test
