// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as CUDA or OpenCL source, and as what a disassembler says of lines: header lines and
// markers that are made of them leave the listing's own lines as they are.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "input/toolkit/opencl_source.h"
#include "input/toolkit/source_markers.h"
#include "input/toolkit/source_signatures.h"
#include "input/toolkit/source_structures.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp::tests;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string listing = "\t\tFunction : _Z1ki\n        /*0000*/  EXIT ;\n";
  const SourceStructures structures(text);
  std::vector<std::string> types = structures.names();
  for (const SourceSignature& one : signatures_in(text)) {
    for (const auto& parameter : one.parameters) types.push_back(parameter.type);
  }
  types.resize(std::min<std::size_t>(types.size(), 64));  // each is read from its text
  for (const std::string& type : types) {
    const auto one = structures.find(type);
    if (!one) continue;
    if (one->fields.empty()) std::abort();
    for (const auto& field : one->fields) {
      if (field.offset + field.size > one->size || field.name.empty()) std::abort();
    }
  }
  for (const std::string& made : {with_parameter_lines(listing, signatures_in(text), structures),
                                  with_parameter_lines(listing, opencl_kernels_in(text).signatures),
                                  with_source_markers(listing, text, {"/k.cu", "/cuda/"})}) {
    std::string own;
    for (std::size_t at = 0; at < made.size();) {
      const std::size_t end = std::min(made.find('\n', at), made.size() - 1) + 1;
      const std::string line = made.substr(at, end - at);
      if (line.find("// ") != 0 && line.find("//##") == std::string::npos) own += line;
      at = end;
    }
    if (own != listing) std::abort();
  }
  return 0;
}
