// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Includes whatever must not be compiled for AVX2 first, so that no other file can link to an AVX2
// copy of it.
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "execution/state/half_number.h"
#include "execution/state/lane_handlers.h"
#include "execution/state/operands.h"
#include "execution/state/row_functions.h"
#include "execution/state/video_form.h"

#define FOREWARP_LANES avx2
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,popcnt,lzcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,popcnt,lzcnt")
#endif
#include "execution/lane/tables.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
#endif

namespace forewarp::execution {
namespace {

bool can_run_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

}  // namespace

const HandlerTable& avx2_lane_handlers() {
  return avx2::handlers;
}

const RowFunctions& avx2_row_functions() {
  return avx2::rows;
}

const HandlerTable& lane_handlers() {
  return can_run_avx2() ? avx2_lane_handlers() : portable_lane_handlers();
}

const RowFunctions& row_functions() {
  static const RowFunctions& chosen =
      can_run_avx2() ? avx2_row_functions() : portable_row_functions();
  return chosen;
}

}  // namespace forewarp::execution
