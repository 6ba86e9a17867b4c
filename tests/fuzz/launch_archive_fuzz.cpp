// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as an entry of the cache of launches: what is read is written again as the same bytes,
// up to what a checksum keeps out: map keys in another order, booleans of another value.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/cache/disk_cache.h"
#include "prediction/trace_archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp::tests;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto body = unsealed(bytes)) static_cast<void>(unpack_launch(*body));
  if (const auto launch = unpack_launch(bytes)) {
    const std::string packed = pack_launch(*launch);
    const auto again = unpack_launch(packed);
    if (!again || pack_launch(*again) != packed) std::abort();
  }
  return 0;
}
