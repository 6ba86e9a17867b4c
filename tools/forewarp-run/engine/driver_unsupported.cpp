// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The rest of CUDA's driver interface: each call fails, by name.
#include "driver_calling.h"

int forewarp::cli::unsupported_driver_call(const char* name) {
  return driver_call([&](Machine& machine) {
    machine.unsupported(name);
    return Status::not_supported;
  });
}

#define UNSUPPORTED(name)                                 \
  FOREWARP_EXPORT int name() {                            \
    return forewarp::cli::unsupported_driver_call(#name); \
  }
#include "unsupported_driver_calls.inc"
#undef UNSUPPORTED
