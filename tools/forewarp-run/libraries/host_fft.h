// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"

namespace forewarp::cli {

/// As much of FFTW as calls here need: the interface for many transforms of one size.
struct HostFft {
  using PlanComplex = void* (*)(int rank, const int* n, int many, void* in, const int* in_embed,
                                int in_stride, int in_distance, void* out, const int* out_embed,
                                int out_stride, int out_distance, int sign, unsigned flags);
  using PlanReal = void* (*)(int rank, const int* n, int many, void* in, const int* in_embed,
                             int in_stride, int in_distance, void* out, const int* out_embed,
                             int out_stride, int out_distance, unsigned flags);
  PlanComplex complex = nullptr;
  PlanReal from_real = nullptr, to_real = nullptr;
  void (*execute)(const void* plan) = nullptr;
  void (*destroy)(void* plan) = nullptr;
};

/// The machine's FFTW for floats or doubles, loaded at the first call; refuses where there is none,
/// with the command that installs it.
Expected<const HostFft*> host_fft(bool doubles);

}  // namespace forewarp::cli
