// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as the value of each option; an argument that is read prints as one that reads the
// same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "request/argument_text.h"
#include "request/option_text.h"
#include "sweep/sweep.h"

namespace {

using namespace forewarp::tests;

template <typename T>
void check(const Expected<T>& result) {
  if (!result && result.error().line().find('\n') != std::string::npos) std::abort();
}

void check_argument(const std::string& text) {
  const auto argument = parse_argument(text);
  check(argument);
  if (!argument) return;
  const std::string printed = text_of(argument->value);
  const auto again = parse_argument_value(printed, "");
  if (!again || text_of(*again) != printed) std::abort();
}

void check_sweep(const std::string& text) {
  const auto sweep = Sweep::parse({text});
  check(sweep);
  if (!sweep) return;
  Case request;
  PredictOptions options;
  for (const std::uint64_t point : {std::uint64_t{0}, sweep->count() / 2, sweep->count() - 1}) {
    sweep->apply(point, request, options);
    static_cast<void>(sweep->axes()[0].text(point));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_argument(text);
  check_sweep(text);
  check(parse_extent(text, "--grid"));
  check(parse_clock(text));
  check(parse_sample(text));
  check(parse_trip(text));
  check(parse_branch_probability(text));
  check(parse_override(text));
  return 0;
}
