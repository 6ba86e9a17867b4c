// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// One step of heat in a plane: five points.
__global__ void stencil(const float* __restrict__ in, float* __restrict__ out, int width, int height,
                        float k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  const float centre = in[i];
  out[i] = centre + k * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4 * centre);
}
