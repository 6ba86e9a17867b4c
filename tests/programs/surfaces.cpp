// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A program whose kernels write surfaces, and read as textures what they wrote. All that they write
// is computed here by the programming guide ("Surface Functions", "Cubemap Textures", "Texture
// Gather").
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime.h"

extern "C" const char surface_image[];
asm(".section .rodata\n.balign 16\nsurface_image: .incbin \"" SURFACES "\"\n.previous\n");

namespace {

struct Format {
  int x = 0, y = 0, z = 0, w = 0, f = 0;
};
struct Extent {
  std::size_t width = 0, height = 0, depth = 0;
};
// As the interface has them.
struct Resource {
  int kind = 0;
  void* array = nullptr;
  char rest[48] = {};
};
struct Reading {
  int address[3] = {1, 1, 1}, filter = 0, read = 0, srgb = 0;
  float border[4] = {};
  int normalized = 0;
  unsigned anisotropy = 0;
  int mipmap_filter = 0;
  float mipmap_bias = 0, least_level = 0, most_level = 0;
  int no_trilinear = 0;
};
struct Place {
  std::size_t x = 0, y = 0, z = 0;
};
struct Pitched {
  void* at = nullptr;
  std::size_t pitch = 0, width = 0, height = 0;
};
struct VolumeCopy {
  void* from_array = nullptr;
  Place from_place;
  Pitched from;
  void* to_array = nullptr;
  Place to_place;
  Pitched to;
  Extent extent;
  int kind = 0;
};
static_assert(sizeof(Resource) == 64 && sizeof(Reading) == 68 && sizeof(VolumeCopy) == 160);
using Object = unsigned long long;

}  // namespace

extern "C" {
int cudaMallocArray(void** out, const Format* format, std::size_t width, std::size_t height,
                    unsigned flags);
int cudaMalloc3DArray(void** out, const Format* format, Extent extent, unsigned flags);
int cudaMemcpy2DToArray(void* array, std::size_t x, std::size_t y, const void* from,
                        std::size_t pitch, std::size_t width, std::size_t height, int kind);
int cudaMemcpy2DFromArray(void* to, std::size_t pitch, const void* array, std::size_t x,
                          std::size_t y, std::size_t width, std::size_t height, int kind);
int cudaMemcpy3D(const VolumeCopy* copy);
int cudaCreateSurfaceObject(Object* out, const Resource* resource);
int cudaDestroySurfaceObject(Object object);
int cudaCreateTextureObject(Object* out, const Resource* resource, const Reading* reading,
                            const void* view);
int cudaBindSurfaceToArray(const void* reference, const void* array, const Format* format);
void __cudaRegisterSurface(void** handle, const void* host, const char* device, const char* name,
                           int dimensions, int ext);
}

namespace {

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = surface_image;
  const void* more = nullptr;
};
const Wrapper wrapper;
char double_rows, read_outside, write_outside, write_all, from_tables, faces, named;

struct Registration {
  Registration() {
    void** const handle = __cudaRegisterFatBinary(&wrapper);
    const auto kernel = [&](const char& stub, const char* name) {
      register_kernel(handle, &stub, name);
    };
    kernel(double_rows, "double_rows");
    kernel(read_outside, "read_outside");
    kernel(write_outside, "write_outside");
    kernel(write_all, "write_all");
    kernel(from_tables, "from_tables");
    kernel(faces, "faces");
    __cudaRegisterSurface(handle, &named, "named", "::named", 2, 0);
    __cudaRegisterFatBinaryEnd(handle);
  }
} const registration;

void check(int code, const char* what) {
  if (code == 0) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(code));
  std::exit(2);
}
#define CHECK(call) check(call, #call)

constexpr int width = 24, height = 12;
constexpr unsigned may_store = 2, layered = 1, cubemap = 4;
constexpr Format floats{32, 0, 0, 0, 2};

template <class T>
T* on_device(std::size_t count) {
  void* made = nullptr;
  CHECK(cudaMalloc(&made, count * sizeof(T)));
  return static_cast<T*>(made);
}

template <class T>
std::vector<T> on_host(const T* from, std::size_t count) {
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), from, count * sizeof(T), to_host));
  return values;
}

void* new_plane() {
  void* array = nullptr;
  CHECK(cudaMallocArray(&array, &floats, width, height, may_store));
  return array;
}
void* new_volume(const Format& format, const Extent& extent, unsigned flags) {
  void* array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
  return array;
}
Object surface_of(void* array) {
  Resource resource;
  resource.array = array;
  Object made = 0;
  CHECK(cudaCreateSurfaceObject(&made, &resource));
  return made;
}
Object texture_of(void* array, bool normalized = false) {
  Resource resource;
  resource.array = array;
  Reading reading;
  reading.normalized = normalized;
  Object made = 0;
  CHECK(cudaCreateTextureObject(&made, &resource, &reading, nullptr));
  return made;
}
std::vector<float> plane(const void* array) {
  std::vector<float> values(width * height);
  CHECK(cudaMemcpy2DFromArray(values.data(), width * 4, array, 0, 0, width * 4, height, to_host));
  return values;
}
template <class T>
std::vector<T> volume(void* array, const Extent& extent) {
  std::vector<T> values(extent.width * std::max<std::size_t>(1, extent.height) * extent.depth);
  VolumeCopy copy;
  copy.from_array = array;
  copy.extent = {extent.width, std::max<std::size_t>(1, extent.height), extent.depth};
  copy.to = {values.data(), extent.width * sizeof(T), extent.width, copy.extent.height};
  copy.kind = to_host;
  CHECK(cudaMemcpy3D(&copy));
  return values;
}

template <class... Arguments>
void launch(const char& kernel, Dim3 grid, Dim3 block, Arguments... values) {
  void* pointers[] = {&values...};
  CHECK(cudaLaunchKernel(&kernel, grid, block, pointers, 0, nullptr));
}

/// Two planes: elements by their numbers, and what double_rows makes of them.
struct Planes {
  void *first = new_plane(), *second = new_plane();
  Object in = surface_of(first), out = surface_of(second);
  Planes() {
    std::vector<float> values(width * height);
    for (int i = 0; i < width * height; ++i) values[i] = static_cast<float>(i);
    CHECK(cudaMemcpy2DToArray(first, 0, 0, values.data(), width * 4, width * 4, height, to_device));
    launch(double_rows, {height}, {width}, in, out);
  }
};

int wrong_in_rows(const Planes& planes) {
  const auto values = plane(planes.second);
  int wrong = 0;
  for (int i = 0; i < width * height; ++i)
    wrong += values[i] != static_cast<float>(2 * i + i / width);
  return wrong;
}

int wrong_outside(const Planes& planes) {
  float *zeros = on_device<float>(32), *nearest = on_device<float>(32);
  launch(read_outside, {1}, {32}, planes.in, zeros, nearest);
  const auto z = on_host(zeros, 32), n = on_host(nearest, 32);
  int wrong = 0;
  for (int i = 0; i < 32; ++i) {
    const int x = i - 4;
    wrong += z[i] != static_cast<float>(x < 0 || x >= width ? 0 : width + x);
    wrong += n[i] != static_cast<float>(std::clamp(x, 0, width - 1));
  }
  return wrong;
}

int wrong_in_dimensions() {
  struct Short4 {
    short x, y, z, w;
  };
  struct Float4 {
    float x, y, z, w;
  };
  constexpr Extent size{5, 3, 2};
  const Format bytes{8, 0, 0, 0, 0}, shorts{16, 0, 0, 0, 1}, short4{16, 16, 16, 16, 0},
      float4{32, 32, 32, 32, 2};
  void* const line = new_volume(bytes, {5, 0, 0}, may_store);
  void* const box = new_volume(short4, size, may_store);
  void* const layers = new_volume(float4, size, may_store | layered);
  void* const lines = new_volume(shorts, {5, 0, 2}, may_store | layered);
  launch(write_all, {2}, {5, 3}, surface_of(line), surface_of(box), surface_of(layers),
         surface_of(lines));
  const auto of_box = volume<Short4>(box, size);
  const auto of_layers = volume<Float4>(layers, size);
  const auto of_lines = volume<unsigned short>(lines, {5, 0, 2});
  int wrong = 0;
  for (int i = 0; i < 30; ++i) {
    const int x = i % 5, y = i / 5 % 3, z = i / 15;
    const Short4& b = of_box[i];
    wrong += b.x != x || b.y != y || b.z != z || b.w != x + y + z;
    const Float4& l = of_layers[i];
    wrong += l.x != static_cast<float>(-x) || l.y != static_cast<float>(y) ||
             l.z != static_cast<float>(z) || l.w != static_cast<float>(x + y + z);
  }
  for (int i = 0; i < 10; ++i) wrong += of_lines[i] != 1000 * (i / 5) + i % 5;
  return wrong;
}

int wrong_in_tables(const Planes& planes) {
  const Object textures[] = {texture_of(planes.first), texture_of(planes.second)};
  const Object surfaces[] = {planes.out, planes.in};
  Object *table = on_device<Object>(2), *targets = on_device<Object>(2);
  CHECK(cudaMemcpy(table, textures, sizeof textures, to_device));
  CHECK(cudaMemcpy(targets, surfaces, sizeof surfaces, to_device));
  void* const by_name = new_plane();
  CHECK(cudaBindSurfaceToArray(&named, by_name, &floats));
  float* const out = on_device<float>(2 * width);
  launch(from_tables, {2}, {width}, table, targets, out);
  const auto got = on_host(out, 2 * width);
  const auto first = plane(planes.first), second = plane(planes.second), third = plane(by_name);
  int wrong = 0;
  for (int i = 0; i < width; ++i) {
    const auto element = [&](int row) { return static_cast<float>(row * width + i); };
    const float values[] = {element(3) + 2 * element(2) + 2, 2 * element(3) + 3 + element(2)};
    for (int n = 0; n < 2; ++n)
      wrong += got[n * width + i] != values[n] || third[n * width + i] != values[n] + 1;
    wrong += second[5 * width + i] != values[0] || first[5 * width + i] != values[1];
  }
  return wrong;
}

/// Directions have their largest part first, so each meets its own face; neighbours are given from
/// the lower left on.
int wrong_in_faces(const Planes& planes) {
  constexpr int side = 2;
  void* const cube = new_volume(floats, {side, side, 6}, cubemap);
  float values[6 * side * side];
  for (int i = 0; i < 6 * side * side; ++i) values[i] = static_cast<float>(i);
  VolumeCopy copy;
  copy.from = {values, side * 4, side, side};
  copy.to_array = cube;
  copy.extent = {side, side, 6};
  copy.kind = to_device;
  CHECK(cudaMemcpy3D(&copy));
  float *out = on_device<float>(6), *around = on_device<float>(24);
  launch(faces, {1}, {6}, texture_of(cube, true), texture_of(planes.first), out, around);
  const auto got = on_host(out, 6), near = on_host(around, 24);
  // (s, t) of each face, by the guide's table: s = -z z x x x -x, t = -y -y z -z -y -y.
  const int at[6][2] = {{0, 0}, {1, 0}, {1, 1}, {1, 0}, {1, 0}, {0, 0}};
  int wrong = 0;
  for (int i = 0; i < 6; ++i) {
    wrong += got[i] != static_cast<float>(4 * i + 2 * at[i][1] + at[i][0]);
    const int expected[] = {2 * width + i, 2 * width + i + 1, width + i + 1, width + i};
    for (int k = 0; k < 4; ++k) wrong += near[4 * i + k] != static_cast<float>(expected[k]);
  }
  return wrong;
}

}  // namespace

int main(int count, char** words) {
  const Planes planes;
  if (count > 1 && std::strcmp(words[1], "outside") == 0) {
    launch(write_outside, {1}, {32}, planes.out);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
  }
  const int wrong = wrong_in_rows(planes) + wrong_outside(planes) + wrong_in_dimensions() +
                    wrong_in_tables(planes) + wrong_in_faces(planes);
  CHECK(cudaDestroySurfaceObject(planes.in));
  std::printf("%s %d values differ\n", wrong == 0 ? "PASS" : "MISS", wrong);
  return wrong == 0 ? 0 : 1;
}
