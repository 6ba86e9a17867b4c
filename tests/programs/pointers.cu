// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that call functions by pointers that lie in memory; scripts/program-kernels compiles them to pointers.fatbin.
using Function = float (*)(float, float);
__device__ float sum(float a, float b) { return a + b; }
__device__ float product(float a, float b) { return a * b; }
__device__ float difference(float a, float b) { return a - b; }
__device__ Function functions[3] = {sum, product, difference};
__constant__ Function constants[2] = {product, sum};
extern "C" __device__ Function chosen;
__device__ Function chosen = difference;

struct Shape {
  float size;
  __device__ explicit Shape(float of) : size(of) {}
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  using Shape::Shape;
  __device__ float area() const override { return size * size; }
};
struct Triangle : Shape {
  using Shape::Shape;
  __device__ float area() const override { return size * size / 2; }
};

extern "C" __global__ void by_table(const int* which, float* out) {
  const int i = threadIdx.x;
  out[i] = functions[which[i]](i, 2) + constants[i & 1](i, 3);
}
extern "C" __global__ void by_argument(Function function, float* out) { out[threadIdx.x] = function(threadIdx.x, 5); }
extern "C" __global__ void make_shapes(Shape** shapes) {
  const int i = threadIdx.x;
  shapes[i] = i % 2 ? static_cast<Shape*>(new Square(i)) : static_cast<Shape*>(new Triangle(i));
}
extern "C" __global__ void areas(Shape** shapes, float* out) { out[threadIdx.x] = shapes[threadIdx.x]->area(); }
