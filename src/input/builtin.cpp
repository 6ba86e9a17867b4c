// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/builtin.h"

#include "input/sass/sass_format.h"

namespace forewarp {

Registry<Reader> builtin_readers() {
  Registry<Reader> readers("input format");
  // A name that is there twice is refused; tests/structure looks for it.
  (void)readers.add(std::make_unique<SassFormat>());
  return readers;
}

}  // namespace forewarp
