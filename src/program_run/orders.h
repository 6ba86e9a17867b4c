// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "program_run/device_schedule.h"

namespace forewarp::program_run {

/// The direction that a program states for a copy; the numbers are those of CUDA's runtime.
enum class CopyKind : std::int32_t { on_host, to_device, to_host, on_device, by_address };

/// A copy as asked for. Pitches are distances between rows, slices between planes of rows.
struct CopyOrder {
  std::uint64_t to = 0, from = 0;
  std::uint64_t width = 0, height = 1, depth = 1;  ///< bytes, rows, planes
  std::uint64_t to_pitch = 0, from_pitch = 0, to_slice = 0, from_slice = 0;
  StreamId stream = legacy_stream;
  bool asynchronous = false;
  CopyKind kind = CopyKind::by_address;  ///< as stated, of whatever number
};

struct FillOrder {
  std::uint64_t to = 0;
  std::uint32_t value = 0;
  std::uint32_t element = 1;                                             ///< bytes: 1, 2 or 4
  std::uint64_t width = 0, height = 1, depth = 1, pitch = 0, slice = 0;  ///< width in bytes
  StreamId stream = legacy_stream;
};

}  // namespace forewarp::program_run
