// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What a compiler reads besides the source decides whether a kept listing still holds.
#include "input/toolkit/dependencies.h"

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fake_toolkit.h"
#include "input/toolkit/toolkit_listing.h"

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

/// Sets a variable of the environment as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class DependenciesTest : public ::testing::Test {
 protected:
  DependenciesTest() {
    fs::create_directories(fake_.folder() / "apart");
    fs::create_directories(fake_.folder() / "own");
    source_ = fake_.file("own/fill.cu", "#include <part.h>\n__global__ void fill(float* x) {}\n");
  }
  /// Whether a program ran for it.
  bool made(const std::vector<std::string>& options = {}) {
    const auto bytes = read_file(source_);
    const auto listing = listing_of({content_kind(*bytes), *bytes, source_, 80, false, options},
                                    fake_.search(), cache_);
    EXPECT_TRUE(listing) << listing.error().line();
    return listing && !listing->from_cache;
  }
  void write_header(const std::string& text) const {
    static_cast<void>(fake_.file("apart/part.h", text));
  }

  FakeToolkit fake_;
  DiskCache cache_{fake_.folder() / "cache", ".sass", std::size_t{1} << 20U};
  fs::path source_;
};

// Places in which compilers look for headers, in the environment and in options, in each spelling.
TEST_F(DependenciesTest, AHeaderWhereverItIsFoundCounts) {
  const std::string apart = (fake_.folder() / "apart").string();
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    const Variable found("CPATH", ""), set(name, "/nowhere:" + apart);
    write_header("// one\n");
    made();
    EXPECT_FALSE(made()) << name;
    write_header("// two\n");
    EXPECT_TRUE(made()) << name;
  }
  const std::vector<std::vector<std::string>> spellings = {{"-I" + apart},
                                                           {"-I", apart},
                                                           {"-I=" + apart},
                                                           {"--include-path", apart},
                                                           {"--include-path=" + apart},
                                                           {"-isystem", apart},
                                                           {"-isystem=" + apart}};
  for (const auto& options : spellings) {
    write_header("// one\n");
    made(options);
    EXPECT_FALSE(made(options)) << options.front();
    write_header("// two\n");
    EXPECT_TRUE(made(options)) << options.front();
  }
  const Variable flags("NVCC_APPEND_FLAGS", "-O3 -I" + apart);
  write_header("// one\n");
  made();
  write_header("// two\n");
  EXPECT_TRUE(made());
}

TEST_F(DependenciesTest, AnotherSearchPathIsAnotherListing) {
  made();
  const Variable set("CPATH", "/nowhere");
  EXPECT_TRUE(made());
  EXPECT_FALSE(made());
}

// A name that a macro makes, or a place that only the compiler knows: its own list counts.
TEST_F(DependenciesTest, WhatTheCompilerSaysThatItReadCounts) {
  const fs::path header = fake_.file("apart/made_by_macro.h", "// one\n");
  static_cast<void>(fake_.file("own/near.h", "// one\n"));
  fake_.script("nvcc", R"(
    case "$*" in *--list-gpu-code*) echo sm_80; exit 0 ;; esac
    for last; do :; done
    rule=
    for word; do if [ "$before" = -MF ]; then rule=$word; fi; before=$word; done
    printf 'x.cubin : %s \\\n  %s \\\n %s\n' "$last" ")" +
                           header.string() + R"(" ")" + (fake_.folder() / "own/near.h").string() +
                           R"(" > "$rule"
    while [ "$1" != -o ]; do shift; done
    cp "$last" "$2"
  )");
  EXPECT_TRUE(made());
  EXPECT_FALSE(made());
  static_cast<void>(fake_.file("apart/made_by_macro.h", "// another\n"));
  EXPECT_TRUE(made());
  EXPECT_FALSE(made());
  static_cast<void>(fake_.file("own/near.h", "// two\n"));
  EXPECT_TRUE(made());
  fs::remove(header);
  EXPECT_TRUE(made());
  // A copy of the folder elsewhere reads the same.
  fs::copy(fake_.folder() / "own", fake_.folder() / "copy");
  EXPECT_FALSE(made());
  source_ = fake_.folder() / "copy/fill.cu";
  EXPECT_FALSE(made());
}

TEST_F(DependenciesTest, RulesAreReadAsCompilersWriteThem) {
  const fs::path folder = fake_.folder() / "own";
  static_cast<void>(fake_.file("own/a b.h", "a"));
  static_cast<void>(fake_.file("own/c$d.h", "c"));
  const std::string rule = "out\\ file.cubin : " + source_.string() + " " + folder.string() +
                           "/a\\ b.h \\\n " + folder.string() + "/c$$d.h /nowhere.h " +
                           folder.string() + "/c$$d.h\n\nother : x\n";
  const auto found = dependencies_in(rule, folder, {source_});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].path, "a b.h");
  EXPECT_EQ(found[1].path, "c$d.h");
  EXPECT_TRUE(all_unchanged(found, folder));
  EXPECT_TRUE(dependencies_in("no rule", folder, {}).empty());
  EXPECT_TRUE(dependencies_in("", folder, {}).empty());
}

}  // namespace
}  // namespace forewarp::tests
