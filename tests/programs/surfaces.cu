// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that read and write surfaces, by object, by name and out of tables; scripts/program-kernels compiles them to surfaces.fatbin.
surface<void, 2> named;

/// Every element doubled, with its row's number added.
extern "C" __global__ void double_rows(cudaSurfaceObject_t in, cudaSurfaceObject_t out) {
  const int x = threadIdx.x * sizeof(float), y = blockIdx.x;
  float value;
  surf2Dread(&value, in, x, y);
  surf2Dwrite(2 * value + y, out, x, y);
}

/// Four elements to the left of the row and beyond it: zeros, and the nearest element.
extern "C" __global__ void read_outside(cudaSurfaceObject_t in, float* zeros, float* nearest) {
  const int i = threadIdx.x, x = (i - 4) * static_cast<int>(sizeof(float));
  surf2Dread(zeros + i, in, x, 1, cudaBoundaryModeZero);
  surf2Dread(nearest + i, in, x, -7, cudaBoundaryModeClamp);
  surf2Dwrite(-1.0f, in, x, 1000, cudaBoundaryModeZero);
}

extern "C" __global__ void write_outside(cudaSurfaceObject_t out) {
  surf2Dwrite(1.0f, out, 0, 1000);
}

/// Elements of 1, 2, 8 and 16 bytes, in one to three dimensions and in layers.
extern "C" __global__ void write_all(cudaSurfaceObject_t line, cudaSurfaceObject_t volume, cudaSurfaceObject_t layers,
                                     cudaSurfaceObject_t layered_lines) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  surf1Dwrite(static_cast<signed char>(-x), line, x);
  surf3Dwrite(make_short4(x, y, z, x + y + z), volume, x * sizeof(short4), y, z);
  short4 back;
  surf3Dread(&back, volume, x * sizeof(short4), y, z);
  signed char left;
  surf1Dread(&left, line, x);
  surf2DLayeredwrite(make_float4(left, back.y, back.z, back.w), layers, x * sizeof(float4), y, z);
  surf1DLayeredwrite(static_cast<unsigned short>(1000 * z + x), layered_lines, x * sizeof(unsigned short), z);
}

/// By name, and as a texture what a launch before has written; the textures come from a table.
extern "C" __global__ void from_tables(const cudaTextureObject_t* textures, const cudaSurfaceObject_t* surfaces, float* out) {
  const int x = threadIdx.x, n = blockIdx.x;
  const float value = tex2D<float>(textures[n], x, 3.0f) + tex2D<float>(textures[1 - n], x, 2.0f);
  surf2Dwrite(value, surfaces[n], x * sizeof(float), 5);
  surf2Dwrite(value + 1, named, x * sizeof(float), n);
  out[n * blockDim.x + x] = value;
}

/// The face that a direction meets, and one channel of four neighbours.
extern "C" __global__ void faces(cudaTextureObject_t cube, cudaTextureObject_t plane, float* out, float4* around) {
  const float directions[6][3] = {{2, 0.5f, 0.5f}, {-2, 0.5f, 0.5f}, {0.5f, 2, 0.5f}, {0.5f, -2, 0.5f}, {0.5f, 0.5f, 2}, {0.5f, 0.5f, -2}};
  const int i = threadIdx.x;
  out[i] = texCubemap<float>(cube, directions[i][0], directions[i][1], directions[i][2]);
  around[i] = tex2Dgather<float4>(plane, i + 1.0f, 2.0f);
}
