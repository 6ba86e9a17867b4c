// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mechanisms.h"

#include <gtest/gtest.h>

#include "model/model.h"

namespace forewarp::tests {
namespace {

TEST(Mechanisms, SetsAreJoinedAndNamed) {
  constexpr Mechanisms a{Mechanism::issue, Mechanism::waves, Mechanism::contention};
  constexpr Mechanisms b{Mechanism::issue};
  EXPECT_EQ(a.count(), 3);
  EXPECT_EQ(a.also_in(b).count(), 1);
  EXPECT_EQ(a.without(b).names(),
            (std::vector<std::string_view>{"memory contention", "waves and tails"}));
  EXPECT_TRUE(b.without(a).empty());
}

TEST(Mechanisms, EveryModelDeclaresThem) {
  for (const auto& model : models().entries()) {
    EXPECT_FALSE(model->accounts_for().empty()) << model->name();
  }
}

TEST(Mechanisms, EveryOneHasAName) {
  for (std::size_t m = 0; m < mechanism_kinds; ++m) {
    EXPECT_FALSE(mechanism_name(static_cast<Mechanism>(m)).empty()) << m;
  }
}

}  // namespace
}  // namespace forewarp::tests
