// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a list of tests and as a device of given distributions: what is refused is one line.
#include <cstdint>
#include <string_view>

#include "configuration.h"
#include "one_line.h"
#include "synthetic_device.h"
#include "test_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp::cli;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tests = read_tests(text, "file");
  forewarp::tests::check_rows_or_one_line(tests);
  if (tests) {
    for (const BenchTest& test : *tests) {
      forewarp::tests::check_rows_or_one_line(configurations(test, {{"sms", 10}, {"l2", 1e6}}));
    }
  }
  if (const auto device = SyntheticDevice::read(text, "file"); !device) {
    if (device.error().line().find('\n') != std::string::npos) __builtin_trap();
  }
  return 0;
}
