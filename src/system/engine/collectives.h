// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <simgrid/s4u/Semaphore.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/engine/library_place.h"
#include "system/engine/predicted_kernel.h"
#include "system/engine/ring_plan.h"
#include "system/engine/world.h"

namespace forewarp::system {

/// How an all-reduce moves its data.
///
/// ring: 2 (p - 1) steps, each process gives n / p bytes to the next: 2 (p - 1) (a + n / (p b))
/// where nothing else is on the links (a: latency, b: bytes per second).
///
/// tree: a reduction along a binomial tree and a broadcast back: 2 ceil(log2 p) (a + n / b).
///
/// hierarchical: on m islands of k processes each, a ring within each island leaves every process
/// with its k-th of the sum, `across` reduces the k-ths of all islands, and a ring within each
/// island hands them on. With rings across, where the k rings share one way of B bytes per second
/// out of an island: 2 (k - 1) (a + n / (k b)) + 2 (m - 1) (A + n / (m B)).
///
/// library: as a library of collectives does it, by one kernel on each GPU that does all steps
/// (model/collective): algorithm and protocol by size, from the moment at which all are there.
///
/// automatic: library where all are GPUs whose links name hardware that GPUs exchange data over,
/// else ring.
enum class ReduceWay : std::uint8_t { ring, tree, hierarchical, library, automatic };

/// closed: rings as their closed form (RingPlan), as flows of all bytes of a phase on the links, so
/// that what else passes them is slowed and slows. automatic: so where nothing else is on its links
/// as it begins and all steps of a ring take the same time, as messages elsewhere.
enum class ReduceLevel : std::uint8_t { automatic, closed, messages };

struct ReduceHow {
  ReduceWay way = ReduceWay::automatic;
  ReduceWay across = ReduceWay::ring;  ///< islands: ring or tree
  ReduceLevel level = ReduceLevel::automatic;
};

[[nodiscard]] std::optional<ReduceWay> reduce_way_named(std::string_view name);
[[nodiscard]] std::optional<ReduceLevel> reduce_level_named(std::string_view name);

/// How all-reduces were simulated.
struct ReduceCounts {
  std::uint64_t closed = 0;     ///< as closed forms
  std::uint64_t disturbed = 0;  ///< of these, slowed by what came onto their links meanwhile
  std::uint64_t messages = 0;   ///< as messages, tree and all
  std::uint64_t library = 0;    ///< collectives as a library does them
  std::uint64_t library_messages = 0;
  std::string reason;  ///< for the first of rings that were messages without being asked to
};

/// Operations of a group of processes, made of messages. Every process of the group has to call
/// them in the same order. `bytes` are those of one process's data; roots are numbers in the group.
class Collectives {
 public:
  /// Without `library` everything is made of messages.
  explicit Collectives(World& world, const CollectiveLibrary* library = nullptr,
                       IntervalPlace place = IntervalPlace::expected)
      : world_(world), library_(library), place_(place) {}

  struct Call {
    Process& process;
    std::span<const std::uint32_t> ranks;  ///< of the group, in order
    std::uint32_t own = 0;                 ///< where among them the process is
    std::uint32_t group = 0;               ///< number of the group
  };

  void barrier(const Call& call);
  void broadcast(const Call& call, double bytes, std::uint32_t root,
                 ReduceWay way = ReduceWay::automatic);
  void reduce(const Call& call, double bytes, std::uint32_t root);
  void all_reduce(const Call& call, double bytes, const ReduceHow& how);
  /// `bytes` of the whole result, of which every process gives an equal part.
  void all_gather(const Call& call, double bytes, ReduceWay way = ReduceWay::automatic);
  /// `bytes` of each process's data, of whose sum every process gets an equal part.
  void reduce_scatter(const Call& call, double bytes, ReduceWay way = ReduceWay::automatic);
  /// The root gives or takes `bytes` from each, one after the other.
  void scatter(const Call& call, double bytes, std::uint32_t root);
  void gather(const Call& call, double bytes, std::uint32_t root);
  /// Everybody gives `bytes` to everybody else, in p - 1 rounds.
  void all_to_all(const Call& call, double bytes);

  /// Of a message between two GPUs by a kernel of the library; nullopt: it is none of the
  /// library's.
  [[nodiscard]] std::optional<MessageTime> message_time(std::size_t from, std::size_t to,
                                                        double bytes);

  [[nodiscard]] const ReduceCounts& reduces() const { return reduces_; }
  /// What collectives of a library took for granted, each once.
  [[nodiscard]] std::vector<std::string> assumptions() const;

 private:
  /// Where processes come together before a closed form begins.
  struct Gathering {
    double bytes = 0;
    CollectiveKind kind{};
    std::uint32_t root = 0;
    std::uint32_t there = 0, gone = 0;
    simgrid::s4u::SemaphorePtr all_there{};
    Instant last;        ///< who came last, and when
    bool closed = true;  ///< else all of them go on with messages
  };
  struct Plan {
    Islands islands;  ///< of a hierarchical one
    RingPlan rings;
  };

  /// One collective in progress, seen from one process.
  struct Round;
  Round begin(const Call& call, std::uint8_t what);
  static std::uint64_t& begun(const Call& call);

  const Plan& plan_of(const Call& call, ReduceWay way);
  void ring(const Call& call, double bytes, std::uint32_t rounds);
  void hierarchical(const Call& call, double bytes, ReduceWay across);
  /// Whether the all-reduce is a closed form, which then is done.
  bool as_closed_form(const Call& call, double bytes, const ReduceHow& how);
  bool gather(const Call& call, double bytes, bool must, const RingPlan& plan);
  void flow(const RingPlan& plan, double bytes);
  const LibraryPlace& library_place_of(const Call& call);
  bool is_library(const Call& call, ReduceWay way);
  void by_library(const Call& call, CollectiveKind kind, double bytes, std::uint32_t root = 0);
  void exchange(const LibraryPlace& place, CollectiveKind kind, double bytes);

  World& world_;
  const CollectiveLibrary* library_;
  IntervalPlace place_;
  std::map<std::uint32_t, LibraryPlace> library_places_;               ///< by group
  std::map<std::pair<std::size_t, std::size_t>, LibraryPlace> pairs_;  ///< by units
  std::map<std::pair<std::uint32_t, ReduceWay>, Plan> plans_;          ///< by group
  std::map<std::pair<std::uint32_t, std::uint64_t>, Gathering> gatherings_;
  ReduceCounts reduces_;
};

}  // namespace forewarp::system
