// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/memory_stretches.h"

#include <algorithm>
#include <vector>

#include "hardware/gpu.h"
#include "memory/memory_profile.h"
#include "prediction/execution.h"

namespace forewarp::prediction {
namespace {

/// A buffer with its traffic; behind `fast_share` of its bytes it lies beyond the first segment.
struct PlacedBuffer {
  std::uint64_t address = 0, bytes = 0;
  double traffic = 0;
  double fast_share = 1;
};

std::vector<PlacedBuffer> place(const Launch& launch, bool& beyond) {
  std::vector<PlacedBuffer> placed;
  const Gpu& gpu = *launch.gpu;
  double end = gpu.memory.context_bytes;
  const double fast = gpu.memory.segments.front().first;
  for (const BoundBuffer& buffer : launch.arguments.buffers) {
    PlacedBuffer& its = placed.emplace_back();
    its.address = buffer.address;
    its.bytes = buffer.bytes;
    const auto bytes = static_cast<double>(buffer.bytes);
    if (bytes <= 0) continue;
    its.fast_share = std::clamp((fast - end) / bytes, 0.0, 1.0);
    beyond = beyond || its.fast_share < 1;
    end += bytes;
  }
  return placed;
}

/// Divides sectors among buffers: an instruction's all count for the buffer of its first recorded
/// access.
void share_traffic(const Launch& launch, const Trace& trace, std::vector<PlacedBuffer>& buffers) {
  if (!trace.profile || !trace.memory) {
    for (PlacedBuffer& buffer : buffers) buffer.traffic = static_cast<double>(buffer.bytes);
    return;
  }
  const AccessStreams& streams = trace.profile->executed.accesses;
  std::vector<bool> known(launch.code.kernel->instructions.size());
  for (const WarpStream& warp : streams.warps) {
    const std::vector<std::uint32_t>& path = streams.paths[warp.path];
    for (std::size_t i = 0; i < path.size(); ++i) {
      const std::uint32_t instruction = streams.shapes[path[i]].instruction;
      if (known[instruction]) continue;
      known[instruction] = true;
      const auto memory = trace.memory->instructions.find(instruction);
      const std::uint64_t base = streams.bases[warp.first_base + i];
      for (PlacedBuffer& buffer : buffers) {
        if (memory == trace.memory->instructions.end()) continue;
        if (base >= buffer.address && base < buffer.address + buffer.bytes)
          buffer.traffic += memory->second.l2_sectors;
      }
    }
  }
}

}  // namespace

std::array<MemoryStretch, 3> memory_stretches(const Launch& launch, const Trace& trace) {
  std::array<MemoryStretch, 3> stretches{};
  const auto& segments = launch.gpu->memory.segments;
  if (segments.size() < 2) return stretches;
  bool beyond = false;
  std::vector<PlacedBuffer> buffers = place(launch, beyond);
  if (!beyond) return stretches;
  share_traffic(launch, trace, buffers);

  std::vector<double> corners{1};
  double all = 0;
  for (const PlacedBuffer& buffer : buffers) {
    all += buffer.traffic;
    if (buffer.traffic > 0 && buffer.fast_share < 1) corners.push_back(buffer.fast_share);
  }
  std::sort(corners.begin(), corners.end());
  double from = 0;
  std::size_t count = 0;
  for (const double to : corners) {
    if (to <= from) continue;
    double slow = 0;
    for (const PlacedBuffer& buffer : buffers) {
      if (buffer.fast_share <= from) slow += buffer.traffic;
    }
    if (slow > 0 && count < stretches.size()) {
      // The second segment decides: the others move their share meanwhile.
      stretches[count++] = {to - from, segments[1].second * all / slow};
    }
    from = to;
  }
  return stretches;
}

}  // namespace forewarp::prediction
