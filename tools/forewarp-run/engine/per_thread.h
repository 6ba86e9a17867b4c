// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "engine.h"

/// Host code that is compiled for a default stream per thread calls variants, whose names end in
/// _ptsz where the call has a stream and in _ptds where it is for the default stream:
/// PER_THREAD(call, suffix, parameters) makes one of the plain call.
namespace forewarp::cli {

template <class Call>
struct Parameters;
template <class... Each>
struct Parameters<int(Each...)> {
  template <std::size_t Place>
  using At = std::tuple_element_t<Place, std::tuple<Each...>>;
};

}  // namespace forewarp::cli

#define FOREWARP_PARAMETER(call, i) forewarp::cli::Parameters<decltype(call)>::At<i> p##i
#define FOREWARP_PARAMETERS_1(call) FOREWARP_PARAMETER(call, 0)
#define FOREWARP_PARAMETERS_2(call) FOREWARP_PARAMETERS_1(call), FOREWARP_PARAMETER(call, 1)
#define FOREWARP_PARAMETERS_3(call) FOREWARP_PARAMETERS_2(call), FOREWARP_PARAMETER(call, 2)
#define FOREWARP_PARAMETERS_4(call) FOREWARP_PARAMETERS_3(call), FOREWARP_PARAMETER(call, 3)
#define FOREWARP_PARAMETERS_5(call) FOREWARP_PARAMETERS_4(call), FOREWARP_PARAMETER(call, 4)
#define FOREWARP_PARAMETERS_6(call) FOREWARP_PARAMETERS_5(call), FOREWARP_PARAMETER(call, 5)
#define FOREWARP_PARAMETERS_7(call) FOREWARP_PARAMETERS_6(call), FOREWARP_PARAMETER(call, 6)
#define FOREWARP_PARAMETERS_8(call) FOREWARP_PARAMETERS_7(call), FOREWARP_PARAMETER(call, 7)
#define FOREWARP_PARAMETERS_9(call) FOREWARP_PARAMETERS_8(call), FOREWARP_PARAMETER(call, 8)
#define FOREWARP_PARAMETERS_10(call) FOREWARP_PARAMETERS_9(call), FOREWARP_PARAMETER(call, 9)
#define FOREWARP_PARAMETERS_11(call) FOREWARP_PARAMETERS_10(call), FOREWARP_PARAMETER(call, 10)
#define FOREWARP_ARGUMENTS_1 p0
#define FOREWARP_ARGUMENTS_2 FOREWARP_ARGUMENTS_1, p1
#define FOREWARP_ARGUMENTS_3 FOREWARP_ARGUMENTS_2, p2
#define FOREWARP_ARGUMENTS_4 FOREWARP_ARGUMENTS_3, p3
#define FOREWARP_ARGUMENTS_5 FOREWARP_ARGUMENTS_4, p4
#define FOREWARP_ARGUMENTS_6 FOREWARP_ARGUMENTS_5, p5
#define FOREWARP_ARGUMENTS_7 FOREWARP_ARGUMENTS_6, p6
#define FOREWARP_ARGUMENTS_8 FOREWARP_ARGUMENTS_7, p7
#define FOREWARP_ARGUMENTS_9 FOREWARP_ARGUMENTS_8, p8
#define FOREWARP_ARGUMENTS_10 FOREWARP_ARGUMENTS_9, p9
#define FOREWARP_ARGUMENTS_11 FOREWARP_ARGUMENTS_10, p10

#define PER_THREAD(call, suffix, count)                                 \
  FOREWARP_EXPORT int call##suffix(FOREWARP_PARAMETERS_##count(call)) { \
    const forewarp::cli::DefaultStream own(true);                       \
    return call(FOREWARP_ARGUMENTS_##count);                            \
  }
