// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A program whose kernels name their textures: linear memory, an array that is read between its
// elements, and pitched memory of bytes. What they read is computed here as the programming guide
// has it ("Texture Fetching").
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "runtime.h"

extern "C" const char texture_image[];
asm(".section .rodata\n.balign 16\ntexture_image: .incbin \"" TEXTURES "\"\n.previous\n");

namespace {

struct Format {
  int x = 0, y = 0, z = 0, w = 0, f = 0;
};
/// As the interface has it.
struct TextureReference {
  int normalized = 0, filter = 0, address[3] = {1, 1, 1};
  Format format;
  int srgb = 0;
  unsigned anisotropy = 0;
  int mipmap_filter = 0;
  float mipmap_bias = 0, least_level = 0, most_level = 0;
  int no_trilinear = 0, reserved[14] = {};
};

}  // namespace

extern "C" {
int cudaBindTexture(std::size_t* offset, const TextureReference* reference, const void* at,
                    const Format* format, std::size_t bytes);
int cudaBindTexture2D(std::size_t* offset, const TextureReference* reference, const void* at,
                      const Format* format, std::size_t width, std::size_t height,
                      std::size_t pitch);
int cudaBindTextureToArray(const TextureReference* reference, const void* array,
                           const Format* format);
int cudaUnbindTexture(const TextureReference* reference);
int cudaGetTextureReference(const TextureReference** out, const void* symbol);
int cudaMallocArray(void** out, const Format* format, std::size_t width, std::size_t height,
                    unsigned flags);
int cudaMemcpy2DToArray(void* array, std::size_t x, std::size_t y, const void* from,
                        std::size_t pitch, std::size_t width, std::size_t height, int kind);
void __cudaRegisterTexture(void** handle, const void* host, const char* device, const char* name,
                           int dimensions, int as_float, int ext);
}

namespace {

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = texture_image;
  const void* more = nullptr;
};
const Wrapper wrapper;
char read_line, read_planes;
TextureReference line, plane, bytes;

struct Registration {
  Registration() {
    void** const handle = __cudaRegisterFatBinary(&wrapper);
    register_kernel(handle, &read_line, "read_line");
    register_kernel(handle, &read_planes, "read_planes");
    __cudaRegisterTexture(handle, &line, "line", "::line", 1, 0, 0);
    __cudaRegisterTexture(handle, &plane, "plane", "::plane", 2, 0, 0);
    __cudaRegisterTexture(handle, &bytes, "bytes", "::bytes", 2, 1, 0);
    __cudaRegisterFatBinaryEnd(handle);
  }
} const registration;

void check(int code, const char* what) {
  if (code == 0) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(code));
  std::exit(2);
}
#define CHECK(call) check(call, #call)

template <class T>
T* on_device(std::size_t count) {
  void* made = nullptr;
  CHECK(cudaMalloc(&made, count * sizeof(T)));
  return static_cast<T*>(made);
}

template <class T>
T* on_device(const std::vector<T>& values) {
  T* const made = on_device<T>(values.size());
  CHECK(cudaMemcpy(made, values.data(), values.size() * sizeof(T), to_device));
  return made;
}

template <class T>
std::vector<T> on_host(const T* from, std::size_t count) {
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), from, count * sizeof(T), to_host));
  return values;
}

constexpr Format floats{32, 0, 0, 0, 2}, octets{8, 0, 0, 0, 1};
constexpr int width = 24, height = 10, pitch = 32;

/// Elements by their numbers, in an order that no address has by itself.
int wrong_in_line() {
  constexpr int count = 256;
  std::vector<float> values(count);
  std::vector<int> order(count);
  for (int i = 0; i < count; ++i) {
    values[i] = 0.5f * static_cast<float>(i);
    order[i] = i * 77 % count;
  }
  float* const out = on_device<float>(count);
  const TextureReference* reference = nullptr;
  CHECK(cudaGetTextureReference(&reference, &line));
  // Without the format that nvcc's code gives it.
  if (cudaBindTexture(nullptr, reference, on_device(values), &floats, count * 4) != 20) return 1;
  line.format = floats;
  std::size_t offset = 1;
  CHECK(cudaBindTexture(&offset, reference, on_device(values), &floats, count * 4));
  void* arguments[2];
  int* at = on_device(order);
  float* to = out;
  arguments[0] = &at;
  arguments[1] = &to;
  CHECK(cudaLaunchKernel(&read_line, {2}, {count / 2}, arguments, 0, nullptr));
  CHECK(cudaUnbindTexture(reference));
  const auto got = on_host(out, count);
  int wrong = offset != 0 ? 1 : 0;
  for (int i = 0; i < count; ++i) wrong += got[i] != values[order[i]];
  return wrong;
}

/// Between elements: weights in steps of 1/256, coordinates clamped to the edge.
float between(const std::vector<float>& values, float x, float y) {
  const float from_x = x - 0.5f, from_y = y - 0.5f;
  const float left = std::floor(from_x), top = std::floor(from_y);
  const float a = std::nearbyint((from_x - left) * 256) / 256;
  const float b = std::nearbyint((from_y - top) * 256) / 256;
  const auto value = [&](float column, float row) {
    const int i = std::clamp(static_cast<int>(column), 0, width - 1);
    const int j = std::clamp(static_cast<int>(row), 0, height - 1);
    return values[static_cast<std::size_t>(j * width + i)];
  };
  return (1 - a) * (1 - b) * value(left, top) + a * (1 - b) * value(left + 1, top) +
         (1 - a) * b * value(left, top + 1) + a * b * value(left + 1, top + 1);
}

int wrong_in_planes() {
  std::vector<float> values(width * height);
  std::vector<unsigned char> octet(pitch * height);
  for (int i = 0; i < width * height; ++i) values[i] = static_cast<float>(i % 13) - 6;
  for (int i = 0; i < pitch * height; ++i) octet[i] = static_cast<unsigned char>(i * 5);
  void* array = nullptr;
  CHECK(cudaMallocArray(&array, &floats, width, height, 0));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), width * 4, width * 4, height, to_device));
  plane.filter = 1;
  plane.format = floats, bytes.format = octets;
  CHECK(cudaBindTextureToArray(&plane, array, &floats));
  CHECK(cudaBindTexture2D(nullptr, &bytes, on_device(octet), &octets, width, height, pitch));
  float step = 0.8f;
  float *out_plane = on_device<float>(width * height),
        *out_bytes = on_device<float>(width * height);
  void* arguments[] = {&step, &out_plane, &out_bytes};
  CHECK(cudaLaunchKernel(&read_planes, {height}, {width}, arguments, 0, nullptr));
  const auto from_plane = on_host(out_plane, width * height);
  const auto from_bytes = on_host(out_bytes, width * height);
  int wrong = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int i = y * width + x;
      const float sum = between(values, static_cast<float>(x) * step, static_cast<float>(y) * step);
      wrong += std::fabs(from_plane[i] - sum) > 1e-5f;
      wrong += from_bytes[i] != static_cast<float>(octet[y * pitch + x]) / 255;
    }
  }
  return wrong;
}

}  // namespace

int main() {
  const int wrong = wrong_in_line() + wrong_in_planes();
  std::printf("%s %d values differ\n", wrong == 0 ? "PASS" : "MISS", wrong);
  return wrong == 0 ? 0 : 1;
}
