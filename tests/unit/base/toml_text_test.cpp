// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/toml_text.h"

#include <string>

#include <gtest/gtest.h>
#include <toml++/toml.h>

namespace forewarp::tests {
namespace {

TEST(TomlQuoted, ReadsBackEqual) {
  std::string all = "a\"b\\c";
  for (int code = 1; code < 0x80; ++code) all += static_cast<char>(code);
  all += "Sánchez";
  const auto table = toml::parse("text = " + toml_quoted(all));
  EXPECT_EQ(table["text"].value_or(std::string()), all);
}

TEST(TomlQuoted, EscapesControlCharactersByTheirCode) {
  EXPECT_EQ(toml_quoted("a\n\x7f"), R"("a\u000a\u007f")");
}

TEST(TomlQuoted, BlanksThemWhereTheTextIsRead) {
  EXPECT_EQ(toml_readable("a\n\t\x7f\""), R"("a   \"")");
}

}  // namespace
}  // namespace forewarp::tests
