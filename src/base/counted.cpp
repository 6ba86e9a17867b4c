// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/counted.h"

#include <cstddef>

#include "base/text.h"

namespace forewarp::base {

std::string counted(double value, int digits) {
  std::string text = significant(value, digits);
  const std::size_t first = !text.empty() && text.front() == '-' ? 1 : 0;
  std::size_t end = text.find_first_not_of("0123456789", first);
  if (end == std::string::npos) end = text.size();
  for (std::size_t at = end; at > first + 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace forewarp::base
