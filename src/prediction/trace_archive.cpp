// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/trace_archive.h"

#include <array>
#include <cstring>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

namespace forewarp::prediction {
namespace {

// Fields are listed by hand below; this fails to compile when one is added and not listed.
static_assert(sizeof(MemoryProfile) == sizeof(std::map<int, int>) + 28 * sizeof(double) +
                                           sizeof(std::vector<std::string>),
              "list the new field of MemoryProfile in `fields`, and count it here");

class Packer {
 public:
  static constexpr bool reads = false;
  void bytes(void* from, std::size_t size) { out_.append(static_cast<const char*>(from), size); }
  [[nodiscard]] bool good() const { return true; }
  void enter() {}
  void leave() {}
  /// Writes how many elements follow, each of at least `least` bytes.
  std::size_t count(std::size_t size, std::size_t /*least*/) {
    auto number = static_cast<std::uint64_t>(size);
    bytes(&number, sizeof number);
    return size;
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class Unpacker {
 public:
  static constexpr bool reads = true;
  explicit Unpacker(std::string_view in) : in_(in) {}
  void bytes(void* to, std::size_t size) {
    if (size > in_.size()) {
      good_ = false;
      in_ = {};
      return;
    }
    if (size != 0) std::memcpy(to, in_.data(), size);  // an empty vector has no address
    in_.remove_prefix(size);
  }
  [[nodiscard]] bool good() const { return good_; }
  /// Limits the depth of recursive types, so that no input overflows the stack.
  void enter() {
    constexpr int deepest = 200;
    if (++depth_ > deepest) good_ = false;
  }
  void leave() { --depth_; }
  [[nodiscard]] bool ended() const { return good_ && in_.empty(); }
  std::size_t count(std::size_t /*size*/, std::size_t least) {
    std::uint64_t number = 0;
    bytes(&number, sizeof number);
    if (number > in_.size() / least) good_ = false;
    return good_ ? static_cast<std::size_t>(number) : 0;
  }

 private:
  std::string_view in_;
  int depth_ = 0;
  bool good_ = true;
};

// One function per type both writes and reads it, so that the two cannot differ.
template <class A, class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void field(A& archive, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    std::uint8_t byte = value ? 1 : 0;
    archive.bytes(&byte, 1);
    value = byte != 0;
  } else {
    archive.bytes(&value, sizeof value);
  }
}

template <class A>
void field(A& archive, std::string& text) {
  text.resize(archive.count(text.size(), 1));
  archive.bytes(text.data(), text.size());
}

template <class A, class T, std::size_t N>
void field(A& archive, std::array<T, N>& values) {
  for (T& value : values) field(archive, value);
}

template <class A, class T>
void field(A& archive, std::vector<T>& values);
template <class A, class K, class V>
void field(A& archive, std::map<K, V>& values);
template <class A>
void field(A& archive, TraceStep& step);

template <class A, class... T>
void fields(A& archive, T&... values) {
  (field(archive, values), ...);
}

template <class A>
void field(A& archive, Diagnostic& d) {
  fields(archive, d.place, d.found, d.expected, d.way_out);
}

template <class A>
void field(A& archive, std::optional<Diagnostic>& value) {
  bool present = value.has_value();
  field(archive, present);
  if (A::reads && present) value.emplace();
  if (present) field(archive, *value);
}

template <class A>
void field(A& archive, InstructionCount& c) {
  fields(archive, c.warps, c.active, c.lanes);
}
template <class A>
void field(A& archive, BranchCount& c) {
  fields(archive, c.executed, c.active, c.taken, c.divergent);
}
template <class A>
void field(A& archive, LoopTrips& trips) {
  fields(archive, trips.loop, trips.histogram);
}
template <class A>
void field(A& archive, PathGroup& g) {
  fields(archive, g.signature, g.warps, g.instructions, g.block, g.warp);
}
template <class A>
void field(A& archive, AccessFinding& f) {
  fields(archive, f.kind, f.instruction, f.space, f.bytes, f.address, f.block, f.thread, f.lanes,
         f.end);
}
template <class A>
void field(A& archive, PathProfile& p) {
  fields(archive, p.instructions, p.branches, p.loops, p.groups, p.left_out_warps,
         p.warp_instructions, p.thread_instructions, p.executed_blocks, p.blocks,
         p.executed_instructions, p.relative_error, p.cut, p.uneven, p.unasked, p.looked_for_code,
         p.unseen_branch, p.waiting_loops, p.ordered, p.findings, p.assumed, p.halved, p.scattered);
}
template <class A>
void field(A& archive, Stratum& s) {
  fields(archive, s.size, s.kind, s.blocks);
}
template <class A>
void field(A& archive, TraceStep& s) {
  archive.enter();
  fields(archive, s.first, s.last, s.jumps, s.trips, s.leaves_at_end, s.body, s.hash);
  archive.leave();
}
template <class A>
void field(A& archive, AsyncEvent& e) {
  fields(archive, e.kind, e.instruction, e.barrier, e.count, e.bytes, e.same_time);
}
template <class A>
void field(A& archive, WarpTrace& t) {
  fields(archive, t.place.block, t.place.warp, t.steps, t.events, t.instructions, t.recorded);
}
template <class A>
void field(A& archive, InstructionMemory& m) {
  // It has numbers and codes only, so its bytes can be copied.
  static_assert(std::is_trivially_copyable_v<InstructionMemory>);
  archive.bytes(&m, sizeof m);
}
template <class A>
void field(A& archive, MemoryProfile& m) {
  fields(archive, m.instructions, m.global_load_requests, m.global_load_sectors,
         m.global_store_sectors, m.atomic_sectors, m.local_load_sectors, m.local_store_sectors,
         m.shared_requests, m.shared_wavefronts, m.fetch_requests, m.l2_read_sectors,
         m.l2_write_sectors, m.l1_hit_rate, m.l2_hit_rate, m.dram_read_bytes, m.dram_write_bytes,
         m.unique_read_bytes, m.unique_written_bytes, m.unique_bytes, m.local_bytes, m.pages,
         m.page_bytes, m.l1_bytes, m.l2_bytes, m.sectors_error, m.hit_error, m.dram_error,
         m.replayed_share, m.hottest_turns, m.notes);
}
template <class A>
void field(A& archive, ArchivedLaunch& l) {
  fields(archive, l.profile.executed.plan.strata, l.profile.executed.paths,
         l.profile.executed.spent_instructions, l.profile.zeroed, l.profile.unsized,
         l.profile.spent_instructions, l.profile.typical, l.profile.longest.blocks,
         l.profile.longest.block, l.profile.longest.warps, l.memory);
}

template <class A, class T>
void field(A& archive, std::vector<T>& values) {
  constexpr std::size_t least = std::is_arithmetic_v<T> ? sizeof(T) : sizeof(std::uint64_t);
  values.resize(archive.count(values.size(), least));
  for (T& value : values) {
    if (archive.good()) field(archive, value);
  }
}

template <class A, class K, class V>
void field(A& archive, std::map<K, V>& values) {
  std::size_t left = archive.count(values.size(), sizeof(K));
  if constexpr (A::reads) {
    for (; left > 0 && archive.good(); --left) {
      K key{};
      field(archive, key);
      field(archive, values[key]);
    }
  } else {
    for (auto& [key, value] : values) {
      K copy = key;
      fields(archive, copy, value);
    }
  }
}

}  // namespace

LaunchProfile without_accesses(const LaunchProfile& profile) {
  LaunchProfile kept;
  kept.executed.plan = profile.executed.plan;
  kept.executed.paths = profile.executed.paths;
  kept.executed.spent_instructions = profile.executed.spent_instructions;
  kept.zeroed = profile.zeroed;
  kept.unsized = profile.unsized;
  kept.spent_instructions = profile.spent_instructions;
  kept.typical = profile.typical;
  kept.longest = profile.longest;
  return kept;
}

std::string pack_launch(const ArchivedLaunch& launch) {
  Packer packer;
  // The same function reads and writes; a packer changes nothing.
  field(packer,
        const_cast<ArchivedLaunch&>(launch));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return packer.take();
}

std::optional<ArchivedLaunch> unpack_launch(std::string_view bytes) {
  Unpacker unpacker(bytes);
  ArchivedLaunch launch;
  field(unpacker, launch);
  if (!unpacker.ended()) return {};
  return launch;
}

}  // namespace forewarp::prediction
