// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a run's samples: what is read is written and read back equal; what is refused is one
// line of text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "characterise/samples/samples_file.h"
#include "one_line.h"

namespace {

/// Lines of a file differ where comments were left out.
bool same(std::vector<forewarp::tests::Record> a, std::vector<forewarp::tests::Record> b) {
  for (auto* records : {&a, &b}) {
    for (auto& record : *records) record.line = 0;
  }
  return a == b;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp::tests;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto table = parse_samples(text, "file");
  if (!table) {
    const std::string line = table.error().line();
    if (line.empty() || line.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  const auto again = parse_samples(samples_text(table->records), "again");
  if (!again || !same(table->records, again->records)) std::abort();
  for (const Record& record : table->records) {
    const Centre centre = centre_of(record.samples);
    if (centre.count == 0) std::abort();
  }
  return 0;
}
