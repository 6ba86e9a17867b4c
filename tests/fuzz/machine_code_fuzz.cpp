// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a cubin, fatbin, executable or archive, and as instruction words of every family:
// nothing is read outside of them, and every kernel that comes out can be walked over.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "input/binary/binary_kernels.h"
#include "input/binary/cubin.h"
#include "input/binary/instruction_decoder.h"
#include "kernel_walk.h"

namespace {

using namespace forewarp::tests;

void decode_words(std::string_view bytes) {
  for (const std::uint32_t sm : {52U, 61U, 70U, 75U, 80U, 90U}) {
    const EncodingTable* table = encoding_for(sm);
    if (table == nullptr) continue;
    for (std::size_t at = 0; at + 16 <= bytes.size(); at += 16) {
      InstructionWord word;
      std::memcpy(&word.low, bytes.data() + at, 8);
      std::memcpy(&word.high, bytes.data() + at + 8, 8);
      std::string text;
      if (append_instruction(*table, word, 0, text)) require(!text.empty());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  decode_words(bytes.substr(0, 512));
  auto parts = code_parts(bytes);
  if (!parts) return 0;
  for (const CodePart& part : *parts) {
    if (part.plain_bytes > (1U << 20U)) return 0;
    if (encoding_for(part.sm) == nullptr || part.kind != CodeKind::machine) continue;
    auto stream = kernels_of({part}, "input");
    require(static_cast<bool>(stream));
    for (int count = 0; count < 64; ++count) {
      auto kernel = (*stream)->next();
      if (!kernel || !*kernel) break;
      walk(**kernel);
    }
  }
  return 0;
}
