// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that name their textures, as CUDA 11 and before allow; scripts/program-kernels compiles them to textures.fatbin.
texture<float, 1> line;
texture<float, 2, cudaReadModeElementType> plane;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;

extern "C" __global__ void read_line(const int* at, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex1Dfetch(line, at[i]);
}

extern "C" __global__ void read_planes(float step, float* out_plane, float* out_bytes) {
  const int x = threadIdx.x, y = blockIdx.x, i = y * blockDim.x + x;
  out_plane[i] = tex2D(plane, x * step, y * step);
  out_bytes[i] = tex2D(bytes, x + 0.5f, y + 0.5f);
}
