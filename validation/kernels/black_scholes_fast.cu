// SPDX-License-Identifier: Apache-2.0
// The same kernel, compiled with -use_fast_math.
#include "black_scholes.cu"
