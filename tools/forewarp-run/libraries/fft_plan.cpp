// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// cuFFT: transforms, by FFTW.
#include "fft_plan.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "host_fft.h"
#include "model/library/transform_time.h"

namespace forewarp::cli {
namespace {

/// One side of a transform as FFTW takes it.
struct FftSide {
  std::vector<int> extents;  ///< of the numbers that are there
  const int* embed = nullptr;
  int stride = 1, distance = 0;
  std::uint64_t bytes = 0;  ///< of a number

  [[nodiscard]] long long span(int batch) const {
    // The last number of the last transform.
    long long last = 0;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const int row = embed != nullptr ? embed[i] : extents[i];
      last = last * (i == 0 ? 1 : row) + extents[i] - 1;
    }
    return last * stride + static_cast<long long>(batch - 1) * distance + 1;
  }
};

long long volume_of(const std::vector<int>& extents) {
  long long all = 1;
  for (const int extent : extents) all *= extent;
  return all;
}

/// `real`: this side's numbers are; `half`: the transform keeps half of the complex ones.
FftSide side_of(const FftPlan& plan, const FftLayout& layout, bool real, bool half, bool in_place) {
  FftSide side;
  side.extents = plan.sizes;
  const int kept = plan.sizes.back() / 2 + 1;
  if (half && !real) side.extents.back() = kept;
  std::vector<int> rows = side.extents;
  if (half && real && in_place) rows.back() = 2 * kept;  // padded, so that the result fits
  side.stride = layout.embed.empty() ? 1 : layout.stride;
  side.distance = layout.embed.empty() ? static_cast<int>(volume_of(rows)) : layout.distance;
  side.embed = layout.embed.empty() ? nullptr : layout.embed.data();
  const std::uint64_t number = plan.doubles() ? sizeof(double) : sizeof(float);
  side.bytes = number * (real ? 1 : 2);
  return side;
}

std::string plan_text(const FftPlan& plan) {
  std::string text = plan.batch != 1 ? std::to_string(plan.batch) + " of " : "";
  for (std::size_t i = 0; i < plan.sizes.size(); ++i)
    text += (i == 0 ? "" : "x") + std::to_string(plan.sizes[i]);
  return text;
}

/// FFTW's plan; null: it has none. Estimated, so that the arrays are not touched.
std::shared_ptr<void> planned(const HostFft& host, const FftPlan& plan, void* in, void* out,
                              int sign) {
  constexpr unsigned estimate = 1U << 6, keep_input = 1U << 4;  // of FFTW's interface
  const bool half = plan.from_real() || plan.to_real(), in_place = in == out;
  const FftSide from = side_of(plan, plan.in, plan.from_real(), half, in_place),
                to = side_of(plan, plan.out, plan.to_real(), half, in_place);
  const auto rank = static_cast<int>(plan.sizes.size());
  const unsigned flags = estimate | (!in_place && rank == 1 ? keep_input : 0U);
  void* made = nullptr;
  if (half) {
    const auto make = plan.from_real() ? host.from_real : host.to_real;
    made = make(rank, plan.sizes.data(), plan.batch, in, from.embed, from.stride, from.distance,
                out, to.embed, to.stride, to.distance, flags);
  } else {
    made = host.complex(rank, plan.sizes.data(), plan.batch, in, from.embed, from.stride,
                        from.distance, out, to.embed, to.stride, to.distance, sign, flags);
  }
  if (made == nullptr) return nullptr;
  return {made, host.destroy};
}

Status make_transform(Machine& machine, const FftPlan& plan, const char* function, void* in,
                      void* out, int sign, LibraryCall& call) {
  const auto host = host_fft(plan.doubles());
  if (!host) {
    machine.tell("error", host.error().line());
    return Status::not_supported;
  }
  const bool half = plan.from_real() || plan.to_real();
  const FftSide from = side_of(plan, plan.in, plan.from_real(), half, in == out),
                to = side_of(plan, plan.out, plan.to_real(), half, in == out);
  const auto bytes = [&](const FftSide& side) {
    return static_cast<std::uint64_t>(side.span(plan.batch)) * side.bytes;
  };
  const std::shared_ptr<void> made = planned(**host, plan, in, out, sign);
  if (made == nullptr) {
    machine.tell("error", std::string(function) + " " + plan_text(plan) +
                              ": FFTW has no transform of this layout");
    return Status::not_supported;
  }
  call.function = function;
  call.shape = plan_text(plan);
  call.uses = {
      {"input", address_of(in), bytes(from), !half || plan.sizes.size() == 1 ? false : true},
      {"output", address_of(out), bytes(to), true}};
  model::TransformShape shape;
  shape.sizes.assign(plan.sizes.begin(), plan.sizes.end());
  shape.batch = plan.batch;
  shape.element_bytes = 2.0 * (plan.doubles() ? sizeof(double) : sizeof(float));
  shape.real = half;
  const double points = static_cast<double>(volume_of(plan.sizes)) * plan.batch;
  call.operations = 5 * points * std::log2(std::max(2.0, points / plan.batch));
  call.time = [shape](const Gpu& gpu, const LibraryTables& tables) {
    return model::transform_time(gpu, tables, shape);
  };
  call.compute = [made, execute = (*host)->execute] { execute(made.get()); };
  return Status::success;
}

}  // namespace

int do_transform(const FftPlan& plan, const char* function, void* in, void* out, int sign) {
  if (plan.sizes.empty()) return fft::invalid_plan;
  if (in == nullptr || out == nullptr || (sign != 1 && sign != -1)) return fft::invalid_value;
  const Status status = library_call(plan.stream, false, [&](Machine& machine, LibraryCall& call) {
    return make_transform(machine, plan, function, in, out, sign, call);
  });
  if (status == Status::success) return fft::success;
  return status == Status::not_supported ? fft::not_supported : fft::exec_failed;
}

}  // namespace forewarp::cli
