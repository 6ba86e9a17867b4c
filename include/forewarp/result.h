// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// What is predicted. Times are milliseconds, sizes bytes, clocks MHz, shares 0..1.
#pragma once

#include <array>
#include <cstdint>
#include <forewarp/expected.h>
#include <forewarp/export.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forewarp::FOREWARP_INLINE api {

/// How much a result holds; more takes longer to compute.
enum class Detail : std::uint8_t {
  figures,  ///< the numbers alone; what limits is the tightest bound
  usual,    ///< and what a warp waits for, and the what-ifs that name what limits
  whole,    ///< and the listing, the numbers' sources, what-ifs of two things and the simulated SM
};

/// The time if one resource were the only limit.
struct Bound {
  std::string resource;        ///< issue, fp32, dram, ..
  std::string label;           ///< for reports: "CUDA cores"
  double cycles_per_warp = 0;  ///< SM cycles
  double time_ms = 0;          ///< milliseconds
  double share = 0;            ///< of the predicted time, 0..1
};

/// Something that the prediction rests on and nobody stated.
struct Assumption {
  std::string id;           ///< a word for programs
  std::string text;         ///< a sentence
  std::string change_with;  ///< the option that states it
};

/// Something that was noticed.
struct Finding {
  std::string kind;  ///< a word for programs
  std::string text;  ///< a sentence
};

/// The time if something were free or ideal.
struct WhatIf {
  std::vector<std::string> free;  ///< what is free: one thing, or two at once
  std::string label;              ///< for reports
  double time_ms = 0;             ///< milliseconds
  double ratio = 1;               ///< of it to the predicted time
};

/// One prediction. Copies share it; any number of threads may read one.
class Result {
 public:
  struct State;  ///< what it holds; the library's own

  /// Why there is no prediction; then there are no times.
  [[nodiscard]] FOREWARP_EXPORT std::optional<Error> error() const;
  [[nodiscard]] FOREWARP_EXPORT double time_ms() const;  ///< milliseconds
  /// Milliseconds, from and to: as interval_meaning says.
  [[nodiscard]] FOREWARP_EXPORT std::array<double, 2> interval_ms() const;
  [[nodiscard]] FOREWARP_EXPORT std::string interval_meaning() const;  ///< a sentence
  [[nodiscard]] FOREWARP_EXPORT std::string model() const;             ///< the model that was used
  [[nodiscard]] FOREWARP_EXPORT std::string limited_by() const;        ///< dram, issue, latency, ..
  [[nodiscard]] FOREWARP_EXPORT std::string limited_by_sentence() const;  ///< for people
  [[nodiscard]] FOREWARP_EXPORT std::string kernel() const;               ///< its plain name
  [[nodiscard]] FOREWARP_EXPORT std::string gpu() const;                  ///< its id
  [[nodiscard]] FOREWARP_EXPORT double clock_mhz() const;                 ///< that was assumed
  [[nodiscard]] FOREWARP_EXPORT std::uint32_t blocks_per_sm() const;      ///< resident at once
  [[nodiscard]] FOREWARP_EXPORT std::uint32_t warps_per_sm() const;       ///< resident at once
  [[nodiscard]] FOREWARP_EXPORT double needed_warps() const;       ///< per SM, to hide latency
  [[nodiscard]] FOREWARP_EXPORT double waves() const;              ///< turns that the grid takes
  [[nodiscard]] FOREWARP_EXPORT double latency_cycles() const;     ///< of a lone warp, SM cycles
  [[nodiscard]] FOREWARP_EXPORT double warp_instructions() const;  ///< of the whole grid
  [[nodiscard]] FOREWARP_EXPORT double dram_bytes() const;         ///< read and written, whole grid
  [[nodiscard]] FOREWARP_EXPORT std::vector<Bound> bounds() const;  ///< the tightest first
  [[nodiscard]] FOREWARP_EXPORT std::vector<Assumption> assumptions() const;  ///< all of them
  [[nodiscard]] FOREWARP_EXPORT std::vector<Finding> findings() const;        ///< all of them
  [[nodiscard]] FOREWARP_EXPORT std::vector<WhatIf> what_ifs()
      const;  ///< Detail::whole: best first
  /// Everything, as one JSON object (docs/result.md), without line ends. `listing`: with the
  /// annotated listing and the numbers' sources, where the result has them.
  [[nodiscard]] FOREWARP_EXPORT std::string json(bool listing = false) const;

 private:
  friend struct Access;
  explicit Result(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

/// What of a difference comes from what. The factors of a comparison multiply to its ratio.
struct Factor {
  std::string id;     ///< "clock", "occupancy", "traffic", a resource's name
  std::string label;  ///< for people
  double factor = 1;  ///< on the time
};

/// Two predictions and why they differ. Copies share it; any number of threads may read one.
class Comparison {
 public:
  struct State;  ///< what it holds; the library's own

  [[nodiscard]] FOREWARP_EXPORT Result a() const;            ///< the first side
  [[nodiscard]] FOREWARP_EXPORT Result b() const;            ///< the second side
  [[nodiscard]] FOREWARP_EXPORT double ratio() const;        ///< time of B over A; 0: one has none
  [[nodiscard]] FOREWARP_EXPORT std::string answer() const;  ///< one line
  [[nodiscard]] FOREWARP_EXPORT std::vector<Factor> factors() const;       ///< the largest first
  [[nodiscard]] FOREWARP_EXPORT std::vector<std::string> reasons() const;  ///< sentences
  [[nodiscard]] FOREWARP_EXPORT std::string json() const;  ///< one object (docs/compare.md)

 private:
  friend struct Access;
  explicit Comparison(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace forewarp::FOREWARP_INLINEapi
