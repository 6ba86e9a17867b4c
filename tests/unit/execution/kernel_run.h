// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "execution/grid/grid_runner.h"
#include "program/kernel.h"

namespace forewarp::tests {

/// Counts what the executor reports, per instruction.
struct CountingSink : NoSink {
  std::vector<std::uint64_t> warps;
  std::uint64_t total = 0;
  std::uint64_t lanes = 0;
  std::uint64_t load_sectors = 0, store_sectors = 0;  ///< of global memory, 32 bytes each
  std::set<std::uint64_t> loaded;                     ///< the different ones

  [[nodiscard]] CountingSink empty() const { return {}; }
  void merge(const CountingSink& other) {
    if (warps.size() < other.warps.size()) warps.resize(other.warps.size());
    for (std::size_t i = 0; i < other.warps.size(); ++i) warps[i] += other.warps[i];
    total += other.total;
    lanes += other.lanes;
    load_sectors += other.load_sectors;
    loaded.insert(other.loaded.begin(), other.loaded.end());
    store_sectors += other.store_sectors;
  }
  void executed(const Warp&, std::uint32_t instruction, LaneMask, LaneMask effective) {
    if (warps.size() <= instruction) warps.resize(instruction + 1);
    ++warps[instruction];
    ++total;
    lanes += static_cast<std::uint64_t>(std::popcount(effective));
  }
  void accessed(const Warp&, const MemoryAccess& access) {
    if (access.space != MemorySpace::global && access.space != MemorySpace::generic) return;
    std::set<std::uint64_t> sectors;
    for (unsigned i = 0; i < lane_count; ++i) {
      if (has_lane(access.lanes, i)) sectors.insert(access.address[i] / 32);
    }
    if (access.kind == AccessKind::load) {
      load_sectors += sectors.size();
      loaded.insert(sectors.begin(), sectors.end());
    }
    if (access.kind == AccessKind::store) store_sectors += sectors.size();
  }
};

/// A kernel of a committed listing, with arguments, run on the CPU.
class KernelRun {
 public:
  /// `listing` is a file below tests/fixtures; `kernel` may be empty when it has one.
  explicit KernelRun(const std::string& listing, const std::string& kernel = "",
                     std::uint32_t sm = 0);  ///< 0: the listing has one architecture

  /// Passes a number or a structure.
  template <class T>
  KernelRun& pass(const T& value) {
    const std::size_t at = (input_.parameters.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    input_.parameters.resize(at + sizeof(T));
    std::memcpy(input_.parameters.data() + at, &value, sizeof(T));
    return *this;
  }
  /// Passes a pointer to a buffer that holds `values`.
  template <class T>
  KernelRun& pass_buffer(const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
    return pass(add_buffer({bytes, bytes + values.size() * sizeof(T)}));
  }
  /// Content of a user constant bank.
  template <class T>
  KernelRun& constants(const std::vector<T>& values, std::uint32_t bank = 3) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
    input_.banks.push_back({bank, {bytes, bytes + values.size() * sizeof(T)}});
    return *this;
  }

  /// As if the compiler had been told to use so many registers.
  KernelRun& registers(std::uint32_t count) {
    kernel_.resources.registers = count;
    return *this;
  }

  /// Runs the grid; the failure's line, or nothing.
  [[nodiscard]] std::optional<std::string> run(Extent grid, Extent block,
                                               std::uint32_t dynamic_shared = 0,
                                               std::uint32_t threads = 1);

  /// What the buffer of the given order holds afterwards; empty when a byte is unknown.
  template <class T>
  [[nodiscard]] std::vector<T> result(std::size_t buffer) {
    const ExecutionBuffer& from = input_.buffers.at(buffer);
    std::vector<T> values(from.bytes / sizeof(T));
    auto* bytes = reinterpret_cast<std::uint8_t*>(values.data());
    if (!run_.memory || !run_.memory->read(from.address, {bytes, from.bytes})) return {};
    return values;
  }

  [[nodiscard]] ExecutionInput& input() { return input_; }
  [[nodiscard]] const CountingSink& counts() const { return counts_; }
  [[nodiscard]] const GridRun& outcome() const { return run_; }
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }

 private:
  std::uint64_t add_buffer(std::vector<std::uint8_t> bytes);
  void expect_equal_without_values(const Program& program, const std::vector<std::uint64_t>& blocks,
                                   GridOptions options) const;

  Kernel kernel_;
  ExecutionInput input_;
  CountingSink counts_;
  GridRun run_;
};

/// The architectures that an execution fixture is compiled for.
[[nodiscard]] const std::vector<std::uint32_t>& fixture_architectures();

}  // namespace forewarp::tests
