// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "result/result_json.h"
#include "test_paths.h"

namespace forewarp::tests {

/// The results of one file of tests/golden/results; reports are tested from these, without a model.
inline std::vector<Result> stored_results(const std::string& name) {
  const std::string path = std::string(FOREWARP_SOURCE_DIR) + "/tests/golden/results/" + name;
  const Expected<std::string> text = read_file(path);
  if (!text) {
    ADD_FAILURE() << text.error().line();
    return {};
  }
  Expected<std::vector<Result>> results = results_from_json(*text);
  if (!results) {
    ADD_FAILURE() << path << ": " << results.error().line();
    return {};
  }
  return std::move(*results);
}

inline Result stored_result(const std::string& name) {
  std::vector<Result> results = stored_results(name);
  return results.empty() ? Result{} : std::move(results.front());
}

}  // namespace forewarp::tests
