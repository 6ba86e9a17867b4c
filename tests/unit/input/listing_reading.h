// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "input/kernel_choice.h"
#include "input/sass/sass_reader.h"
#include "program/roles.h"
#include "test_paths.h"

namespace forewarp::tests::test {

/// All kernels of a listing, read as the file "test.sass"; a failure is a failed test.
inline std::vector<Kernel> read_all(const std::string& text, const std::string& companion = {}) {
  SassReader reader(InputSource::of_text("test.sass", text), companion);
  std::vector<Kernel> kernels;
  for (;;) {
    auto next = reader.next();
    if (!next) {
      ADD_FAILURE() << next.error().line();
      return kernels;
    }
    if (!*next) return kernels;
    kernels.push_back(std::move(**next));
  }
}

inline Kernel read_one(const std::string& text, const std::string& companion = {}) {
  std::vector<Kernel> kernels = read_all(text, companion);
  EXPECT_EQ(kernels.size(), 1U);
  return kernels.empty() ? Kernel{} : std::move(kernels.front());
}

/// A kernel of the instructions given, one per line, without addresses.
inline Kernel kernel_of(const std::string& lines, int sm = 80) {
  return read_one("// arch sm_" + std::to_string(sm) + "\n// kernel k\n" + lines + "\n");
}

/// The line that a user sees when a listing cannot be read.
inline std::string refusal_of(const std::string& text) {
  SassReader reader(InputSource::of_text("test.sass", text));
  for (;;) {
    auto next = reader.next();
    if (!next) return next.error().line();
    if (!*next) return "(read)";
  }
}

inline Kernel read_fixture(const std::string& name, const KernelChoice& choice = {}) {
  auto source = InputSource::open(std::string(FOREWARP_FIXTURES) + "/" + name);
  EXPECT_TRUE(source) << name;
  if (!source) return {};
  auto kernel = read_kernel(*source, choice);
  EXPECT_TRUE(kernel) << (kernel ? "" : kernel.error().line());
  return kernel ? std::move(*kernel) : Kernel{};
}

/// "R4..R5 P0 CC": ranges in the order given, those of `except` left out.
inline std::string names_of(std::span<const RegisterRange> ranges,
                            RoleUse except = RoleUse::uniform_descriptor) {
  const std::vector<std::string> prefixes{"R", "UR", "P", "UP", "CC", "B"};
  std::string text;
  for (const RegisterRange& range : ranges) {
    if (range.use == except) continue;
    const std::string& prefix = prefixes[static_cast<std::size_t>(range.file)];
    if (!text.empty()) text += ' ';
    text += prefix;
    if (range.file == RegisterFile::condition_code) continue;
    text += std::to_string(range.first);
    if (range.count > 1) text += ".." + prefix + std::to_string(range.first + range.count - 1);
  }
  return text.empty() ? "-" : text;
}

inline std::string uses_of(const Kernel& kernel, std::size_t index = 0) {
  return names_of(roles_of(kernel, kernel.instructions[index]).read());
}
inline std::string defines_of(const Kernel& kernel, std::size_t index = 0) {
  return names_of(roles_of(kernel, kernel.instructions[index]).written());
}

}  // namespace forewarp::tests::test
