// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The rest of CUDA's runtime interface: each call fails, by name.
#include "engine.h"

#define UNSUPPORTED(name)                              \
  FOREWARP_EXPORT int name() {                         \
    return forewarp::cli::unsupported(#name);   \
  }
#include "unsupported_calls.inc"
#undef UNSUPPORTED
