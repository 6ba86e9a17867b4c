// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "fft_plan.h"
#include "library_calling.h"

#define FOREWARP_UNSUPPORTED(name, status)                    \
  FOREWARP_EXPORT int name() {                                \
    return forewarp::cli::unsupported_library(#name, status); \
  }
#define UNSUPPORTED_BLAS(name) FOREWARP_UNSUPPORTED(name, forewarp::cli::blas::not_supported)
#define UNSUPPORTED_FFT(name) FOREWARP_UNSUPPORTED(name, forewarp::cli::fft::not_supported)
constexpr int random_internal_error = 999;
#define UNSUPPORTED_RANDOM(name) FOREWARP_UNSUPPORTED(name, random_internal_error)
#include "unsupported_functions.inc"
