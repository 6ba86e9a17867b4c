// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_timer.h"

#include <array>
#include <cstdint>

namespace forewarp::cli {
namespace {

/// CUlaunchAttribute of the driver's interface.
struct LaunchAttribute {
  enum Id : std::uint32_t { cooperative = 2, cluster = 4 };
  std::uint32_t id = 0, unused = 0;
  std::uint32_t value[16] = {};
};

/// CUlaunchConfig of the driver's interface.
struct LaunchOrder {
  Extent grid{}, block{};
  std::uint32_t shared = 0;
  void* stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  std::uint32_t count = 0;
};

constexpr int back_to_back = 100;  // launches of a stream or a graph that are timed together
constexpr double us_per_ms = 1000, us_per_s = 1e6;

}  // namespace

double microseconds_since(std::chrono::steady_clock::time_point begun) {
  const auto spent = std::chrono::steady_clock::now() - begun;
  return std::chrono::duration<double>(spent).count() * us_per_s;
}

Expected<void> CudaTimer::start() {
  constexpr unsigned no_wait_for_others = 1;  // beside the default stream
  int code = driver_.call("cuEventCreate", &begin_, 0U);
  if (code == 0) code = driver_.call("cuEventCreate", &end_, 0U);
  if (code == 0) code = driver_.call("cuStreamCreate", &stream_, no_wait_for_others);
  return code == 0 ? Expected<void>() : driver_fault("no events", code);
}

Expected<void> CudaTimer::settle() const {
  const int code = driver_.call("cuCtxSynchronize");
  return code == 0 ? Expected<void>() : driver_fault("the device", code);
}

Expected<void> CudaTimer::give(const CudaLaunch& launch) const {
  const Configuration& shape = *launch.shape;
  void** more = nullptr;
  if (shape.cooperative || shape.cluster[0] > 0) return give_with_attributes(launch);
  const int code = driver_.call("cuLaunchKernel", launch.kernel, shape.grid[0], shape.grid[1],
                                shape.grid[2], shape.block[0], shape.block[1], shape.block[2],
                                shape.shared, stream_, launch.places, more);
  return code == 0 ? Expected<void>() : driver_fault("the launch " + shape.name, code);
}

Expected<void> CudaTimer::give_with_attributes(const CudaLaunch& launch) const {
  const Configuration& shape = *launch.shape;
  std::array<LaunchAttribute, 2> attributes{};
  LaunchOrder order{.grid = shape.grid,
                    .block = shape.block,
                    .shared = shape.shared,
                    .stream = stream_,
                    .attributes = attributes.data()};
  if (shape.cooperative) {
    attributes[order.count++] = {.id = LaunchAttribute::cooperative, .value = {1}};
  }
  if (const Extent& cluster = shape.cluster; cluster[0] > 0) {
    attributes[order.count++] = {.id = LaunchAttribute::cluster,
                                 .value = {cluster[0], cluster[1], cluster[2]}};
  }
  void** more = nullptr;
  const LaunchOrder* const given = &order;
  const int code = driver_.call("cuLaunchKernelEx", given, launch.kernel, launch.places, more);
  return code == 0 ? Expected<void>() : driver_fault("the launch " + shape.name, code);
}

Expected<double> CudaTimer::between_events(const std::function<Expected<void>()>& work) const {
  driver_.call("cuEventRecord", begin_, stream_);
  if (auto done = work(); !done) return done.error();
  driver_.call("cuEventRecord", end_, stream_);
  if (meanwhile) meanwhile();
  if (int code = driver_.call("cuEventSynchronize", end_); code != 0) {
    return driver_fault("a launch", code);
  }
  float ms = 0;
  if (int code = driver_.call("cuEventElapsedTime", &ms, begin_, end_); code != 0) {
    return driver_fault("a time", code);
  }
  return static_cast<double>(ms) * us_per_ms;
}

Expected<double> CudaTimer::in_graph(const CudaLaunch& launch) const {
  constexpr int captured_everywhere = 0;
  constexpr unsigned long long plain = 0;
  void *graph = nullptr, *ready = nullptr;
  int code = driver_.call("cuStreamBeginCapture_v2", stream_, captured_everywhere);
  if (code != 0) return driver_fault("this driver has no graphs", code);
  Expected<void> given;
  for (int i = 0; i < back_to_back && given; ++i) given = give(launch);
  code = driver_.call("cuStreamEndCapture", stream_, &graph);
  if (!given) return given.error();
  if (code == 0) code = driver_.call("cuGraphInstantiateWithFlags", &ready, graph, plain);
  if (code != 0) return driver_fault("a graph", code);
  const auto run = [&]() -> Expected<void> {
    const int launched = driver_.call("cuGraphLaunch", ready, stream_);
    return launched == 0 ? Expected<void>() : driver_fault("a graph", launched);
  };
  auto time = between_events(run);  // the first one uploads it
  if (time) time = between_events(run);
  driver_.call("cuGraphExecDestroy", ready);
  driver_.call("cuGraphDestroy", graph);
  if (!time) return time;
  return *time / back_to_back;
}

Expected<double> CudaTimer::by_host(const CudaLaunch& launch) const {
  const auto begun = std::chrono::steady_clock::now();
  if (auto given = give(launch); !given) return given.error();
  if (int code = driver_.call("cuStreamSynchronize", stream_); code != 0) {
    return driver_fault("a launch", code);
  }
  return microseconds_since(begun);
}

Expected<double> CudaTimer::launch(Timing timing, const CudaLaunch& launch) const {
  switch (timing) {
    case Timing::event:
      return between_events([&] { return give(launch); });
    case Timing::stream: {
      const auto time = between_events([&] {
        Expected<void> given;
        for (int i = 0; i < back_to_back && given; ++i) given = give(launch);
        return given;
      });
      if (!time) return time.error();
      return *time / back_to_back;
    }
    case Timing::graph:
      return in_graph(launch);
    case Timing::host:
      return by_host(launch);
    case Timing::device:
      break;
  }
  return Diagnostic{"timing", "no driver tells the time of a kernel by itself",
                    "a test with another timing, or none",
                    "a profiler does: forewarp-bench counters"};
}

}  // namespace forewarp::cli
