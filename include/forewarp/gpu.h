// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// A GPU as numbers, each with its unit, source and confidence. A GPU is a file of data/gpus
/// (docs/data.md says which facts there are); nothing of it is in the library.
#pragma once

#include <cstdint>
#include <forewarp/expected.h>
#include <forewarp/export.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::FOREWARP_INLINE api {

/// One number, list or word of a GPU's file.
struct Fact {
  std::string path;            ///< "memory.bandwidth_gbs"
  double value = 0;            ///< if it is one number
  std::vector<double> values;  ///< if it is a list
  std::string text;            ///< if it is a word
  std::string unit;            ///< "MHz", "cycles", "bytes", ..; empty: none
  std::string source;          ///< where the number comes from
  std::string confidence;      ///< measured, vendor, derived, ..
};

/// One number of a GPU given another value.
struct FactChange {
  std::string path;   ///< of docs/data.md, without "hw."
  std::string value;  ///< a number, a word, or "x2", which multiplies the GPU's own
};

/// A rate of one kind of instruction in one unit.
struct Rate {
  std::string unit;     ///< "GB/s", "B/cycle/SM", ..
  double value = 0;     ///< in that unit
  std::string formula;  ///< from warp instructions per cycle and SM (Volkov 2016, 1.3)
};

/// A GPU, with the changes that were made to it. Copies share the numbers; any number of threads
/// may use one.
class Gpu {
 public:
  struct State;  ///< what it holds; the library's own

  [[nodiscard]] FOREWARP_EXPORT std::string id() const;    ///< name of its file: "gtx970"
  [[nodiscard]] FOREWARP_EXPORT std::string name() const;  ///< as it is sold
  [[nodiscard]] FOREWARP_EXPORT std::string chip() const;  ///< "GM204"
  [[nodiscard]] FOREWARP_EXPORT std::string compute_capability() const;  ///< "5.2"
  [[nodiscard]] FOREWARP_EXPORT std::uint32_t sm() const;  ///< architecture: 52 for sm_52
  /// The name by which it was asked for, which leads to it again.
  [[nodiscard]] FOREWARP_EXPORT std::string asked_as() const;
  [[nodiscard]] FOREWARP_EXPORT std::uint32_t sms() const;     ///< streaming multiprocessors
  [[nodiscard]] FOREWARP_EXPORT double core_lanes() const;     ///< CUDA cores of an SM
  [[nodiscard]] FOREWARP_EXPORT double base_mhz() const;       ///< clock, MHz; 0: unknown
  [[nodiscard]] FOREWARP_EXPORT double boost_mhz() const;      ///< clock, MHz; 0: unknown
  [[nodiscard]] FOREWARP_EXPORT double sustained_mhz() const;  ///< clock, MHz; 0: unknown
  [[nodiscard]] FOREWARP_EXPORT double memory_bytes() const;   ///< of device memory; 0: unknown
  [[nodiscard]] FOREWARP_EXPORT double memory_gbs() const;     ///< on paper, decimal GB/s
  [[nodiscard]] FOREWARP_EXPORT double memory_reached_gbs() const;  ///< by reading, decimal GB/s
  [[nodiscard]] FOREWARP_EXPORT double l2_bytes() const;            ///< 0: unknown
  [[nodiscard]] FOREWARP_EXPORT std::uint32_t warp_lanes() const;   ///< threads of a warp
  [[nodiscard]] FOREWARP_EXPORT std::uint32_t max_warps_per_sm() const;       ///< that an SM holds
  [[nodiscard]] FOREWARP_EXPORT std::uint32_t max_threads_per_block() const;  ///< that it takes

  /// What a launch costs beside the kernel, microseconds: as a host's clock sees it, from one to
  /// the next in a stream, and from one to the next in a graph.
  [[nodiscard]] FOREWARP_EXPORT double host_launch_us() const;
  [[nodiscard]] FOREWARP_EXPORT double stream_launch_us() const;  ///< see host_launch_us()
  [[nodiscard]] FOREWARP_EXPORT double graph_launch_us() const;   ///< see host_launch_us()

  /// Every fact, by path.
  [[nodiscard]] FOREWARP_EXPORT std::vector<Fact> facts() const;
  /// One fact. Refused: a path that the GPU has no fact for.
  [[nodiscard]] FOREWARP_EXPORT Expected<Fact> fact(std::string_view path) const;
  /// The same GPU with another number: a what-if. Refused: a path that there is none of, a value
  /// that is none of it.
  [[nodiscard]] FOREWARP_EXPORT Expected<Gpu> with(std::string_view path,
                                                   std::string_view value) const;
  /// The same with a number.
  [[nodiscard]] FOREWARP_EXPORT Expected<Gpu> with(std::string_view path, double value) const;
  /// The changes that were made to it, in their order.
  [[nodiscard]] FOREWARP_EXPORT const std::vector<FactChange>& changes() const;
  /// A rate in every unit in which sources state one. `clock_mhz`: 0: the sustained clock; `bytes`
  /// that one warp instruction moves: 0: four for each lane; `instructions` of this kind that a
  /// warp executes. Refused: a unit that is none, with the valid ones; a negative rate.
  [[nodiscard]] FOREWARP_EXPORT Expected<std::vector<Rate>> rates(double value,
                                                                  std::string_view unit,
                                                                  double clock_mhz = 0,
                                                                  double bytes = 0,
                                                                  double instructions = 1) const;
  /// All of it as one JSON object: id name chip cc sms .. and, unless they are not wanted,
  /// facts{PATH {value unit source confidence}}.
  [[nodiscard]] FOREWARP_EXPORT std::string json(bool with_facts = true) const;

 private:
  friend struct Access;
  explicit Gpu(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace forewarp::FOREWARP_INLINEapi
