// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "library_calling.h"

namespace forewarp::cli {

/// Statuses of cuFFT.
namespace fft {
constexpr int success = 0, invalid_plan = 1, invalid_type = 3, invalid_value = 4, exec_failed = 6,
              invalid_size = 8, not_supported = 16;
}

/// Types of transforms; the numbers are those of cuFFT.
enum class FftType : int { r2c = 0x2a, c2r = 0x2c, c2c = 0x29, d2z = 0x6a, z2d = 0x6c, z2z = 0x69 };

/// Where the numbers of one side lie, in elements; no `embed`: one behind the other.
struct FftLayout {
  std::vector<int> embed;
  int stride = 1, distance = 0;
};

/// A plan of cuFFT.
struct FftPlan {
  std::vector<int> sizes;  ///< empty: not made yet
  FftType type = FftType::c2c;
  int batch = 1;
  FftLayout in, out;
  StreamId stream = program_run::legacy_stream;

  [[nodiscard]] bool doubles() const {
    return type == FftType::d2z || type == FftType::z2d || type == FftType::z2z;
  }
  [[nodiscard]] bool from_real() const { return type == FftType::r2c || type == FftType::d2z; }
  [[nodiscard]] bool to_real() const { return type == FftType::c2r || type == FftType::z2d; }
};

/// Does a plan's transforms in its stream; the status that cuFFT returns. `sign`: -1 forward.
int do_transform(const FftPlan& plan, const char* function, void* in, void* out, int sign);

}  // namespace forewarp::cli
