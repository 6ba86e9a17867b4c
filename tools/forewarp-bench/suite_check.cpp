// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "suite_check.h"

#include <algorithm>

#include "base/text.h"
#include "code_file.h"
#include "input/kernel_choice.h"
#include "timed_region.h"

namespace forewarp::cli {

SuiteCode::SuiteCode(std::filesystem::path root, std::string toolkit, bool listings)
    : root_(std::move(root)), toolkit_(std::move(toolkit)), listings_(listings) {}

bool SuiteCode::has_listing(const BenchTest& test, std::uint32_t sm) const {
  return code_file(root_ / test.file, sm).listing;
}

Expected<std::vector<Kernel>> SuiteCode::read(const BenchTest& test, std::uint32_t sm) const {
  CodeFile code{root_ / test.file, sm, false};
  if (listings_) code = code_file(code.file, sm);
  const auto source = InputSource::open(code.file.string());
  if (!source) return source.error();
  ReadOptions options;
  options.toolkit = toolkit_;
  options.target_sm = sm;
  options.compile_options = test.flags;
  auto stream = open_kernels(*source, options);
  if (!stream) return std::move(stream).error();
  std::vector<Kernel> kernels;
  while (true) {
    auto next = (*stream)->next();
    if (!next) return std::move(next).error();
    if (!*next) return kernels;
    if ((*next)->sm == code.sm) kernels.push_back(**std::move(next));
  }
}

Expected<Kernel> SuiteCode::kernel(const BenchTest& test, const std::string& name,
                                   std::uint32_t sm) {
  const std::string key = test.file + ' ' + std::to_string(sm) + ' ' + join(test.flags, " ");
  auto found = known_.find(key);
  if (found == known_.end()) found = known_.emplace(key, read(test, sm)).first;
  if (!found->second) return found->second.error();
  for (const Kernel& kernel : *found->second) {
    if (kernel.name == name || kernel.mangled == name) return kernel;
  }
  return Diagnostic{test.file, "has no kernel '" + name + "' for sm_" + std::to_string(sm),
                    "the kernel of test '" + test.id + "'", ""};
}

Expected<void> check_test_code(const BenchTest& test, std::uint32_t sm, SuiteCode& code) {
  const auto kernel = code.kernel(test, test.kernel, sm);
  if (!kernel) return kernel.error();
  if (auto fine = check_code(*kernel, test); !fine) return fine;
  if (test.empty_kernel.empty()) return {};
  const auto empty = code.kernel(test, test.empty_kernel, sm);
  if (!empty) return empty.error();
  return check_code(*empty, test, false);
}

CheckSummary check_suite(const std::vector<BenchTest>& tests,
                         const std::vector<std::uint32_t>& architectures, SuiteCode& code,
                         const std::function<void(const std::string&)>& tell) {
  CheckSummary summary;
  for (const std::uint32_t sm : architectures) {
    for (const BenchTest& test : tests) {
      if (!test.fits(sm)) continue;
      if (test.copy) {
        ++summary.unchecked;
        continue;
      }
      const auto fine = check_test_code(test, sm, code);
      if (!fine) tell("sm_" + std::to_string(sm) + " " + test.id + ": " + fine.error().line());
      const bool expects = test.window || !test.expect.opcodes.empty();
      ++(!fine ? summary.refused : expects ? summary.fine : summary.unchecked);
    }
  }
  return summary;
}

}  // namespace forewarp::cli
