// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of variables that the host reads and writes as its own; scripts/program-kernels compiles them to managed.fatbin.
extern "C" __managed__ int flag;
extern "C" __managed__ int input;
__managed__ int flag;
__managed__ int input = 3;

extern "C" __global__ void raise_flag() { flag = 1; }
extern "C" __global__ void take_input(int* out) { *out = input; }
