// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/expected.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/registry.h"

namespace forewarp::tests {
namespace {

template <class Call>
std::string ended_with(Call call) {
  try {
    call();
  } catch (const std::logic_error& fault) {
    return fault.what();
  }
  return "went on";
}

// In every build: an assertion alone would go on with what is not there.
TEST(Expected, TheValueOfAFailureEndsWithItsMessage) {
  const Expected<int> failed = Diagnostic{"a.toml:3", "'x' is -1", "a number above zero", ""};
  const std::string line =
      "value() of a failed Expected: a.toml:3: 'x' is -1; expected a number above zero";
  EXPECT_EQ(ended_with([&] { (void)failed.value(); }), line);
  EXPECT_EQ(ended_with([&] { (void)*failed; }), line);
  EXPECT_EQ(ended_with([&] {
              Expected<std::string> text = Diagnostic{"", "none", "", ""};
              (void)text->size();
            }),
            "value() of a failed Expected: none");
  EXPECT_EQ(ended_with([&] {
              Expected<std::string> text = Diagnostic{"", "none", "", ""};
              (void)*std::move(text);
            }),
            "value() of a failed Expected: none");
}

TEST(Expected, TheErrorOfASuccessEndsToo) {
  const Expected<int> one = 1;
  EXPECT_EQ(ended_with([&] { (void)one.error(); }), "error() of a successful Expected");
  const Expected<void> done;
  EXPECT_EQ(ended_with([&] { (void)done.error(); }), "error() of a successful Expected");
}

struct Named {
  std::string own;
  [[nodiscard]] std::string_view name() const { return own; }
};

TEST(Registry, AListWithANameTwiceEndsAndNamesIt) {
  Registry<Named> list("model");
  list.add(std::make_unique<Named>("a"));
  list.add(std::make_unique<Named>("b"));
  EXPECT_EQ(ended_with([&] { list.add(std::make_unique<Named>("a")); }),
            "a list of built-ins: model: 'a' is registered twice");
  EXPECT_EQ(list.names(), "a, b");
  EXPECT_EQ(list.find("c").error().line(), "model: no model is named 'c'; expected a, b");
}

}  // namespace
}  // namespace forewarp::tests
