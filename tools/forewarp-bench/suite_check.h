// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "bench_test.h"
#include "program/kernel.h"

namespace forewarp::cli {

/// The code of tests, compiled and disassembled once for each file, architecture and flags.
class SuiteCode {
 public:
  /// `toolkit` as --cuda; with `listings`, code_file() says what is read.
  SuiteCode(std::filesystem::path root, std::string toolkit, bool listings);

  /// Fails where the file does not compile or lacks the kernel.
  Expected<Kernel> kernel(const BenchTest& test, const std::string& name, std::uint32_t sm);

  [[nodiscard]] bool has_listing(const BenchTest& test, std::uint32_t sm) const;

 private:
  Expected<std::vector<Kernel>> read(const BenchTest& test, std::uint32_t sm) const;

  std::filesystem::path root_;
  std::string toolkit_;
  bool listings_;
  std::map<std::string, Expected<std::vector<Kernel>>> known_;  ///< by file, architecture, flags
};

/// The test's kernel, and its empty one, are what the test means to measure: check_code().
Expected<void> check_test_code(const BenchTest& test, std::uint32_t sm, SuiteCode& code);

struct CheckSummary {
  std::size_t fine = 0, refused = 0, unchecked = 0;
};

/// Checks the code of every test for these architectures, as far as a test is for them; `tell` gets
/// a line for each that is refused. Unchecked: tests without expectation.
CheckSummary check_suite(const std::vector<BenchTest>& tests,
                         const std::vector<std::uint32_t>& architectures, SuiteCode& code,
                         const std::function<void(const std::string&)>& tell);

}  // namespace forewarp::cli
