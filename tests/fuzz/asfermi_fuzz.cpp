// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as assembly for Fermi: a kernel that can be walked over, or one line.
#include <cstddef>
#include <cstdint>
#include <string>

#include "input/asfermi/asfermi_reader.h"
#include "kernel_walk.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp::tests;
  const std::string text(reinterpret_cast<const char*>(data), size);
  AsfermiReader reader(InputSource::of_text("fuzz.asfermi", text));
  for (;;) {
    const auto kernel = reader.next();
    if (!kernel) {
      require(kernel.error().line().find('\n') == std::string::npos);
      return 0;
    }
    if (!*kernel) return 0;
    walk(**kernel);
  }
}
