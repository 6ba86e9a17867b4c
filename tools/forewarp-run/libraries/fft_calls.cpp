// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// cuFFT: plans and their execution.
#include <limits>
#include <map>

#include "fft_plan.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

struct FftPlans {
  std::mutex lock;
  std::map<int, FftPlan> known;
  int made = 0;
};
FftPlans& fft_plans() {
  static auto* const only = new FftPlans;  // never destroyed, as threads may call after main()
  return *only;
}

template <class Work>
int with_plan(int number, Work work) {
  const std::lock_guard lock(fft_plans().lock);
  const auto found = fft_plans().known.find(number);
  return found == fft_plans().known.end() ? fft::invalid_plan : work(found->second);
}

bool is_type(int type) {
  switch (static_cast<FftType>(type)) {
    case FftType::r2c:
    case FftType::c2r:
    case FftType::c2c:
    case FftType::d2z:
    case FftType::z2d:
    case FftType::z2z:
      return true;
  }
  return false;
}

int create(int* number) {
  if (number == nullptr) return fft::invalid_value;
  const std::lock_guard lock(fft_plans().lock);
  *number = ++fft_plans().made;
  fft_plans().known[*number] = {};
  return fft::success;
}

int make(int number, std::vector<int> sizes, int type, int batch, std::size_t* work_bytes,
         const FftLayout& in = {}, const FftLayout& out = {}) {
  if (!is_type(type)) return fft::invalid_type;
  double points = 1;
  for (const int size : sizes) {
    if (size <= 0) return fft::invalid_size;
    points *= size;
  }
  if (batch <= 0 || 2 * points > std::numeric_limits<int>::max()) return fft::invalid_size;
  return with_plan(number, [&](FftPlan& plan) {
    plan.sizes = std::move(sizes);
    plan.type = static_cast<FftType>(type);
    plan.batch = batch;
    plan.in = in;
    plan.out = out;
    if (work_bytes != nullptr) *work_bytes = 0;
    return fft::success;
  });
}

int create_and_make(int* number, std::vector<int> sizes, int type, int batch,
                    const FftLayout& in = {}, const FftLayout& out = {}) {
  const int created = create(number);
  return created != fft::success ? created
                                 : make(*number, std::move(sizes), type, batch, nullptr, in, out);
}

/// Layouts of both sides; where one is not given, neither counts.
struct FftLayouts {
  FftLayout in, out;
};
FftLayouts layouts_of(int rank, const int* in_embed, int in_stride, int in_distance,
                      const int* out_embed, int out_stride, int out_distance) {
  if (in_embed == nullptr || out_embed == nullptr) return {};
  return {{{in_embed, in_embed + rank}, in_stride, in_distance},
          {{out_embed, out_embed + rank}, out_stride, out_distance}};
}

int execute(int number, FftType type, const char* function, void* in, void* out, int sign) {
  FftPlan plan;
  const int known = with_plan(number, [&](const FftPlan& found) {
    plan = found;
    return found.type == type ? fft::success : fft::invalid_plan;
  });
  return known != fft::success ? known : do_transform(plan, function, in, out, sign);
}

bool is_rank(int rank, const int* sizes) {
  constexpr int most = 3;
  return rank >= 1 && rank <= most && sizes != nullptr;
}

constexpr int forward = -1, inverse = 1;

}  // namespace

FOREWARP_EXPORT int cufftCreate(int* plan) {
  return create(plan);
}
FOREWARP_EXPORT int cufftDestroy(int plan) {
  const std::lock_guard lock(fft_plans().lock);
  return fft_plans().known.erase(plan) != 0 ? fft::success : fft::invalid_plan;
}
FOREWARP_EXPORT int cufftPlan1d(int* plan, int nx, int type, int batch) {
  return create_and_make(plan, {nx}, type, batch);
}
FOREWARP_EXPORT int cufftPlan2d(int* plan, int nx, int ny, int type) {
  return create_and_make(plan, {nx, ny}, type, 1);
}
FOREWARP_EXPORT int cufftPlan3d(int* plan, int nx, int ny, int nz, int type) {
  return create_and_make(plan, {nx, ny, nz}, type, 1);
}
FOREWARP_EXPORT int cufftPlanMany(int* plan, int rank, int* n, int* in_embed, int in_stride,
                                  int in_distance, int* out_embed, int out_stride, int out_distance,
                                  int type, int batch) {
  if (!is_rank(rank, n)) return fft::invalid_size;
  const FftLayouts layouts =
      layouts_of(rank, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance);
  return create_and_make(plan, {n, n + rank}, type, batch, layouts.in, layouts.out);
}
FOREWARP_EXPORT int cufftMakePlan1d(int plan, int nx, int type, int batch, std::size_t* bytes) {
  return make(plan, {nx}, type, batch, bytes);
}
FOREWARP_EXPORT int cufftMakePlan2d(int plan, int nx, int ny, int type, std::size_t* bytes) {
  return make(plan, {nx, ny}, type, 1, bytes);
}
FOREWARP_EXPORT int cufftMakePlan3d(int plan, int nx, int ny, int nz, int type,
                                    std::size_t* bytes) {
  return make(plan, {nx, ny, nz}, type, 1, bytes);
}
FOREWARP_EXPORT int cufftMakePlanMany(int plan, int rank, int* n, int* in_embed, int in_stride,
                                      int in_distance, int* out_embed, int out_stride,
                                      int out_distance, int type, int batch, std::size_t* bytes) {
  if (!is_rank(rank, n)) return fft::invalid_size;
  const FftLayouts layouts =
      layouts_of(rank, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance);
  return make(plan, {n, n + rank}, type, batch, bytes, layouts.in, layouts.out);
}
FOREWARP_EXPORT int cufftSetStream(int plan, void* stream) {
  return with_plan(plan, [&](FftPlan& known) {
    known.stream = stream_of(stream);
    return fft::success;
  });
}
FOREWARP_EXPORT int cufftSetAutoAllocation(int /*plan*/, int /*automatic*/) {
  return fft::success;
}
FOREWARP_EXPORT int cufftSetWorkArea(int /*plan*/, void* /*area*/) {
  return fft::success;
}
FOREWARP_EXPORT int cufftGetSize(int /*plan*/, std::size_t* bytes) {
  if (bytes == nullptr) return fft::invalid_value;
  *bytes = 0;
  return fft::success;
}
FOREWARP_EXPORT int cufftGetVersion(int* version) {
  constexpr int of_toolkit_11_8 = 10900;
  if (version == nullptr) return fft::invalid_value;
  *version = of_toolkit_11_8;
  return fft::success;
}
FOREWARP_EXPORT int cufftExecC2C(int plan, void* in, void* out, int sign) {
  return execute(plan, FftType::c2c, "cufftExecC2C", in, out, sign);
}
FOREWARP_EXPORT int cufftExecZ2Z(int plan, void* in, void* out, int sign) {
  return execute(plan, FftType::z2z, "cufftExecZ2Z", in, out, sign);
}
FOREWARP_EXPORT int cufftExecR2C(int plan, void* in, void* out) {
  return execute(plan, FftType::r2c, "cufftExecR2C", in, out, forward);
}
FOREWARP_EXPORT int cufftExecD2Z(int plan, void* in, void* out) {
  return execute(plan, FftType::d2z, "cufftExecD2Z", in, out, forward);
}
FOREWARP_EXPORT int cufftExecC2R(int plan, void* in, void* out) {
  return execute(plan, FftType::c2r, "cufftExecC2R", in, out, inverse);
}
FOREWARP_EXPORT int cufftExecZ2D(int plan, void* in, void* out) {
  return execute(plan, FftType::z2d, "cufftExecZ2D", in, out, inverse);
}
