// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as an evaluation of models, and as a workload: a value or one line.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "driver/workload_run.h"
#include "validation/evaluation/evaluation_plan.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto plan = forewarp::tests::parse_plan(text, "plan.toml");
  if (!plan && plan.error().line().find('\n') != std::string::npos) std::abort();
  const auto workload = forewarp::tests::parse_workload(text);
  if (workload && !forewarp::tests::parse_workload(forewarp::tests::workload_text(*workload)))
    std::abort();
  return 0;
}
