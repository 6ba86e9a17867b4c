// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Decodes all machine code of the files named: bench_decoding [--print] FILE ..
// Prints instructions, those that no form covers, and MB/s of code; with --print the texts as
// well, "/*0010*/ TEXT".
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/file.h"
#include "input/binary/byte_fields.h"
#include "input/binary/cubin.h"
#include "input/binary/encoding_table.h"
#include "input/binary/gpu_code.h"
#include "input/binary/instruction_decoder.h"

namespace {

using namespace forewarp;
using namespace forewarp::input;

struct Totals {
  std::size_t instructions = 0, unknown = 0, bytes = 0;
  double seconds = 0;
};

void decode(const CubinKernel& kernel, const EncodingTable& table, bool print, Totals& totals) {
  const auto start = std::chrono::steady_clock::now();
  std::string all, text;
  std::uint64_t control = 0;
  const std::size_t step = table.wide ? 16 : 8;
  for (std::size_t at = 0; at + step <= kernel.code.size(); at += step) {
    InstructionWord word{field<std::uint64_t>(kernel.code, at), 0};
    if (table.wide) {
      word.high = field<std::uint64_t>(kernel.code, at + 8);
    } else if (at % 32 == 0) {
      control = word.low;
      continue;
    } else {
      word.high = control >> (21 * (at % 32 / 8 - 1)) & 0x1fffff;
    }
    ++totals.instructions;
    text.clear();
    if (!append_instruction(table, word, static_cast<std::uint32_t>(at), text)) {
      ++totals.unknown;
      text = "unknown";
    }
    if (print) {
      char address[24];
      std::snprintf(address, sizeof address, "/*%04zx*/ ", at);
      ((all += address) += text) += '\n';
    }
  }
  totals.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  totals.bytes += kernel.code.size();
  if (print)
    std::printf("Function : %.*s\n%s", static_cast<int>(kernel.name.size()), kernel.name.data(),
                all.c_str());
}

}  // namespace

int main(int count, char** arguments) {
  bool print = false;
  Totals totals;
  for (int i = 1; i < count; ++i) {
    if (std::string_view(arguments[i]) == "--print") {
      print = true;
      continue;
    }
    const auto file = base::read_file(arguments[i]);
    if (!file) continue;
    const auto parts = code_parts(*file);
    if (!parts) continue;
    for (const CodePart& part : *parts) {
      const EncodingTable* table = encoding_for(part.sm);
      if (part.kind != CodeKind::machine || table == nullptr) continue;
      const auto plain = payload_of(part);
      if (!plain) continue;
      const auto cubin = read_cubin(*plain);
      if (!cubin) continue;
      if (print) std::printf("code for sm_%u\n", part.sm);
      for (const CubinKernel& kernel : cubin->kernels) decode(kernel, *table, print, totals);
    }
  }
  std::fprintf(print ? stderr : stdout,
               "%zu instructions, %zu unknown, %.1f MB of code, %.1f MB/s\n", totals.instructions,
               totals.unknown, static_cast<double>(totals.bytes) / 1e6,
               static_cast<double>(totals.bytes) / 1e6 / (totals.seconds + 1e-9));
  return 0;
}
