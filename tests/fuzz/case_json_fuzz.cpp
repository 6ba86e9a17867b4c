// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a cases file: every line becomes a case or one line of text, and a case's arguments
// are placed or refused, whatever the kernel's parameters are.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "prediction/arguments/signature.h"
#include "request/files/case_file.h"

namespace {

using namespace forewarp::tests;

Kernel kernel_with(FactSource source) {
  Kernel kernel;
  kernel.name = "k";
  kernel.parameters_source = source;
  kernel.parameters = {{"n", "int", 0, 4, false},
                       {"a", "float", 4, 4, false},
                       {"x", "const float*", 8, 8, true},
                       {"s", "Box", 16, 12, false},
                       {"", "", 32, 8, false}};
  return kernel;
}

void check_line(const Diagnostic& failure) {
  const std::string line = failure.line();
  if (line.empty() || line.find('\n') != std::string::npos) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Kernel stated = kernel_with(FactSource::header_line);
  static const Kernel inferred = kernel_with(FactSource::inferred);
  std::istringstream input(std::string(reinterpret_cast<const char*>(data), size));
  CaseLines lines(input);
  CaseText text;
  while (lines.next(text)) {
    const CaseLine line = parse_case(text, "cases.jsonl");
    if (!line.parsed) {
      check_line(line.parsed.error());
      continue;
    }
    for (const Kernel* kernel : {&stated, &inferred}) {
      const auto bound = bind_arguments(*kernel, line.parsed->launch.arguments);
      if (!bound) check_line(bound.error());
      if (bound && bound->bytes.size() != bound->known.size()) std::abort();
    }
  }
  return 0;
}
