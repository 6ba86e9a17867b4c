// SPDX-License-Identifier: Apache-2.0
// The same four kernels as a compiler leaves them that may not optimise.
#include "four_kernels.cu"
