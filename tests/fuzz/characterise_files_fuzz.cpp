// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as each of the small files that characterise reads: the list of numbers, the device,
// and what other programs say of one. What is refused is one line of text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "characterise/files/mt4g.h"
#include "characterise/files/nvidia_smi.h"
#include "characterise/numbers/number_list.h"
#include "characterise/samples/device.h"
#include "one_line.h"

namespace {

template <typename T>
void check_refusal(const forewarp::tests::Expected<T>& read) {
  if (read) return;
  const std::string line = read.error().line();
  if (line.empty() || line.find('\n') != std::string::npos) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp::tests;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_refusal(parse_numbers(text, "file"));
  check_refusal(parse_device(text, "file"));
  check_refusal(parse_mt4g(text, "file"));
  check_rows_or_one_line(parse_nvidia_smi(text, "file"));
  return 0;
}
