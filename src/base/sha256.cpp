// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

#include <sha256.h>
#include <sys/types.h>

namespace forewarp::base {

std::string sha256_of(std::string_view bytes) {
  char digits[SHA256_DIGEST_STRING_LENGTH] = {};
  SHA256Data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), digits);
  return digits;
}

}  // namespace forewarp::base
