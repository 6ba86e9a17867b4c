// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cache_hierarchy.h"

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "memory/carve_out.h"
#include "program/modifier.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Gpu board(const std::string& id) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  auto gpu = database.load(id);
  if (!gpu) ADD_FAILURE() << gpu.error().line();
  return gpu ? *gpu : Gpu();
}

AccessShape shape(AccessKind kind, MemorySpace space = MemorySpace::global) {
  AccessShape result;
  result.kind = kind;
  result.space = space;
  return result;
}

/// The caches of a board with two SMs.
class Caches {
 public:
  explicit Caches(const std::string& id)
      : gpu_(board(id)),
        caches_(gpu_, {l1_beside(gpu_, 1, 0), gpu_.l1.read_only_bytes, gpu_.l2.bytes, 2, 0}) {}

  SectorCounts load(std::uint64_t line, std::uint8_t sectors, std::uint32_t sm = 0,
                    CacheHint hint = CacheHint::usual, MemorySpace space = MemorySpace::global) {
    return access(shape(AccessKind::load, space), hint, line, sectors, sm);
  }
  SectorCounts store(std::uint64_t line, std::uint8_t sectors, std::uint8_t full,
                     std::uint32_t sm = 0, MemorySpace space = MemorySpace::global) {
    return access(shape(AccessKind::store, space), CacheHint::usual, line, sectors, sm, full);
  }
  SectorCounts add(std::uint64_t line, std::uint8_t sectors) {
    return access(shape(AccessKind::reduction), CacheHint::usual, line, sectors, 0);
  }
  CacheHierarchy& caches() { return caches_; }

 private:
  SectorCounts access(const AccessShape& its, CacheHint hint, std::uint64_t line,
                      std::uint8_t sectors, std::uint32_t sm, std::uint8_t full = 0) {
    SectorCounts counts;
    caches_.access(sm, cache_route(its, hint, gpu_), {line, sectors, full}, counts);
    return counts;
  }

  Gpu gpu_;
  CacheHierarchy caches_;
};

TEST(CacheHierarchy, LoadsHitInTheirSmThenInL2) {
  Caches v100("v100-pcie-16");
  const SectorCounts first = v100.load(1, 0b1111);
  EXPECT_EQ(first.sectors, 4U);
  EXPECT_EQ(first.l1_hits, 0U);
  EXPECT_EQ(first.l2, 4U);
  EXPECT_EQ(first.l2_hits, 0U);
  EXPECT_EQ(first.fetched, 4U);
  const SectorCounts again = v100.load(1, 0b0110);
  EXPECT_EQ(again.l1_hits, 2U);
  EXPECT_EQ(again.l2, 0U);
  const SectorCounts other = v100.load(1, 0b0001, 1);
  EXPECT_EQ(other.l1_hits, 0U);
  EXPECT_EQ(other.l2_hits, 1U);
  EXPECT_EQ(other.fetched, 0U);
  v100.caches().clear_l1();  // the next kernel
  EXPECT_EQ(v100.load(1, 0b1111).l1_hits, 0U);
}

TEST(CacheHierarchy, WhatIsUnderWayIsWaitedFor) {
  Caches v100("v100-pcie-16");
  v100.load(1, 0b1111);
  const SectorCounts beside = v100.load(1, 0b1111);
  EXPECT_EQ(beside.l1_hits, 4U);
  EXPECT_EQ(beside.lines_past_l1, 1U) << "sent for in this turn";
  EXPECT_EQ(beside.lines_past_l2, 1U) << "from device memory";
  const SectorCounts elsewhere = v100.load(1, 0b1111, 1);
  EXPECT_EQ(elsewhere.lines_past_l1, 1U);
  EXPECT_EQ(elsewhere.lines_past_l2, 0U) << "another SM comes later";
  EXPECT_EQ(v100.load(1, 0b1111, 1).lines_past_l1, 1U);
  EXPECT_EQ(v100.load(1, 0b1111, 1).lines_past_l2, 0U) << "it came from L2";
  v100.caches().next_turn();
  EXPECT_EQ(v100.load(1, 0b1111).lines_past_l1, 0U);
  Caches p4("p4");  // its global loads go past L1
  p4.load(1, 0b0001);
  EXPECT_EQ(p4.load(1, 0b0001).lines_past_l2, 1U);
  EXPECT_EQ(p4.load(1, 0b0001, 1).lines_past_l2, 0U);
  p4.caches().next_turn();
  EXPECT_EQ(p4.load(1, 0b0001).lines_past_l2, 0U);
}

/// Place units of reads and of what is written back.
double read_places(const SectorCounts& c) {
  return static_cast<double>(c.read_places) - static_cast<double>(c.read_joined);
}
double write_places(const SectorCounts& c) {
  return static_cast<double>(c.write_places) - static_cast<double>(c.write_joined);
}

// A visit of device memory for a part of a line is a place; neighbours' parts of the same line in
// the same turn, or the next, belong to it, and if they complete the line it costs its bytes only.
TEST(CacheHierarchy, PartsOfLinesArePlaces) {
  Caches a40("a40");  // its L2 fetches sectors
  EXPECT_EQ(read_places(a40.load(1, 0b0001)), lone_place);
  EXPECT_EQ(read_places(a40.load(1, 0b0010)), 0);
  a40.caches().next_turn();
  EXPECT_EQ(read_places(a40.load(1, 0b1100)), -double{lone_place}) << "whole after all";
  EXPECT_EQ(read_places(a40.load(2, 0b1111)), 0);
  EXPECT_EQ(read_places(a40.load(3, 0b0001)), lone_place);
  a40.caches().next_turn();
  a40.caches().next_turn();
  EXPECT_EQ(read_places(a40.load(3, 0b1110)), lone_place) << "device memory has gone on";
  EXPECT_EQ(read_places(a40.load(3, 0b0001)), 0) << "a hit";
  Caches a100("a100-pcie-40");  // its L2 fetches pairs of sectors
  EXPECT_EQ(read_places(a100.load(1, 0b0101)), 0);
}

TEST(CacheHierarchy, WritesToPartsOfLinesArePlacesUntilTheyFillThem) {
  Caches a40("a40");
  EXPECT_EQ(write_places(a40.store(1, 0b0011, 0b0011)), lone_place);
  EXPECT_EQ(write_places(a40.store(1, 0b0011, 0b0011)), 0);
  for (int turn = 0; turn < 5; ++turn) a40.caches().next_turn();
  EXPECT_EQ(write_places(a40.store(1, 0b1100, 0b1100)), -double{lone_place})
      << "it is written back at once, however late";
  EXPECT_EQ(write_places(a40.store(1, 0b1100, 0b1100)), 0);
  EXPECT_EQ(write_places(a40.store(2, 0b1111, 0b1111)), 0);
  const SectorCounts part = a40.store(3, 0b0001, 0);
  EXPECT_EQ(read_places(part), lone_place) << "the rest of the sector is fetched";
  EXPECT_EQ(write_places(part), lone_place);
  const SectorCounts rest = a40.store(3, 0b0001, 0);
  EXPECT_EQ(read_places(rest), -double{lone_place}) << "unless another store brings it";
  EXPECT_EQ(write_places(rest), 0);
  EXPECT_EQ(read_places(a40.store(5, 0b1111, 0)), 0) << "parts of all sectors are a whole line";
  EXPECT_EQ(read_places(a40.store(5, 0b1111, 0)), 0) << "which was no place";
  const SectorCounts sum = a40.add(4, 0b0001);
  EXPECT_EQ(read_places(sum), lone_place);
  EXPECT_EQ(write_places(sum), lone_place);
}

// Parts of a line are one visit only while no more others than that were asked for.
TEST(CacheHierarchy, WhatIsLongUnderWayHasCome) {
  const auto gpu =
      HardwareDatabase(FOREWARP_DATA_DIR).load("h200-sxm", {{"memory.places_under_way", "3"}});
  ASSERT_TRUE(gpu);
  CacheHierarchy caches(*gpu, {0, 0, gpu->l2.bytes, 1, 0});
  const CacheRoute route = cache_route(shape(AccessKind::load), CacheHint::usual, *gpu);
  const auto places = [&](std::uint64_t line, std::uint8_t sectors) {
    SectorCounts counts;
    caches.access(0, route, {line, sectors, 0}, counts);
    return static_cast<double>(counts.read_places) - static_cast<double>(counts.read_joined);
  };
  for (const std::uint64_t line : {0U, 2U, 4U, 6U}) EXPECT_EQ(places(line, 0b0001), lone_place);
  EXPECT_EQ(places(0, 0b0100), -double{lone_place}) << "the third after it is under way";
  EXPECT_EQ(places(4, 0b0001), 0) << "a hit is no visit";
  EXPECT_EQ(places(8, 0b0001), lone_place);
  EXPECT_EQ(places(2, 0b0100), -double{lone_place});
  EXPECT_EQ(places(10, 0b0001), lone_place);
  EXPECT_EQ(places(4, 0b0100), -double{lone_place});
  EXPECT_EQ(places(12, 0b0001) + places(14, 0b0001), 2 * lone_place);
  EXPECT_EQ(places(6, 0b0100), lone_place) << "the fourth after it";
}

TEST(CacheHierarchy, TheSecondLineOfAPairCostsAShareOfAPlace) {
  Gpu gpu = board("h100-sxm-80");
  gpu.memory.beside_share = 0.25;
  CacheHierarchy caches(gpu, {0, 0, gpu.l2.bytes, 1, 0});
  const CacheRoute route = cache_route(shape(AccessKind::load), CacheHint::usual, gpu);
  SectorCounts counts;
  caches.access(0, route, {2, 0b0001, 0}, counts);
  caches.access(0, route, {3, 0b0001, 0, true}, counts);
  EXPECT_EQ(counts.read_places, lone_place + lone_place / 4);
}

TEST(CacheHierarchy, OnlyMissingSectorsAreFetched) {
  Caches a40("a40");
  a40.load(1, 0b0001);
  const SectorCounts more = a40.load(1, 0b0111);
  EXPECT_EQ(more.l1_hits, 1U);
  EXPECT_EQ(more.l2, 2U);
  EXPECT_EQ(more.fetched, 2U);
}

// V100 fetches 64 bytes from its memory, A40 32; Fermi's L1 asks for whole lines.
TEST(CacheHierarchy, FetchesAsMuchAsTheGenerationDoes) {
  EXPECT_EQ(Caches("a40").load(1, 0b0010).fetched, 1U);
  Caches v100("v100-pcie-16");
  EXPECT_EQ(v100.load(1, 0b0010).fetched, 2U);
  EXPECT_EQ(v100.load(1, 0b0001, 1).l2_hits, 1U);
  const SectorCounts fermi = Caches("gtx480").load(1, 0b0010);
  EXPECT_EQ(fermi.sectors, 1U);
  EXPECT_EQ(fermi.l2, 4U);
}

TEST(CacheHierarchy, GlobalLoadsUseL1WhereTheGenerationSaysSo) {
  for (const char* id : {"gtx480", "p100-pcie-16", "v100-pcie-16", "t4", "h100-pcie-80"}) {
    Caches caches(id);
    caches.load(1, 0b1111);
    EXPECT_EQ(caches.load(1, 0b1111).l1_hits, 4U) << id;
  }
  for (const char* id : {"k40", "gtx980", "gtx1080"}) {
    Caches caches(id);
    caches.load(1, 0b1111);
    EXPECT_EQ(caches.load(1, 0b1111).l1_hits, 0U) << id;
    caches.load(2, 0b1111, 0, CacheHint::read_only);
    EXPECT_EQ(caches.load(2, 0b1111, 0, CacheHint::read_only).l1_hits, 4U) << id;
    caches.load(3, 0b1111, 0, CacheHint::usual, MemorySpace::local);
    EXPECT_EQ(caches.load(3, 0b1111, 0, CacheHint::usual, MemorySpace::local).l1_hits, 4U) << id;
  }
}

TEST(CacheHierarchy, LoadsForAllSmsGoPastL1) {
  Caches v100("v100-pcie-16");
  v100.load(1, 0b1111);
  EXPECT_EQ(v100.load(1, 0b1111, 0, CacheHint::shared).l1_hits, 0U);
}

TEST(CacheHierarchy, StoresAreWrittenThrough) {
  Caches v100("v100-pcie-16");
  const SectorCounts store = v100.store(1, 0b0011, 0b0001);
  EXPECT_EQ(store.l2, 2U);
  EXPECT_EQ(store.dirtied, 2U);
  EXPECT_EQ(store.fetched, 1U);  // of the two, the one that is not written whole
  // The sector that was written whole stays in L1, the other does not.
  EXPECT_EQ(v100.load(1, 0b0011).l1_hits, 1U);
  EXPECT_EQ(v100.store(1, 0b0011, 0b0011).dirtied, 0U);  // still dirty
  // Before 7.0 a store drops the line.
  Caches fermi("gtx480");
  fermi.load(1, 0b1111);
  fermi.store(1, 0b0001, 0b0001);
  EXPECT_EQ(fermi.load(1, 0b1111).l1_hits, 0U);
}

TEST(CacheHierarchy, LocalStoresStayInL1WhereItWritesBack) {
  Caches fermi("gtx480");
  const SectorCounts kept = fermi.store(1, 0b1111, 0b1111, 0, MemorySpace::local);
  EXPECT_EQ(kept.l2, 0U);
  std::uint64_t written = 0;
  for (std::uint64_t line = 2; line < 2000; ++line)
    written += fermi.store(line, 0b1111, 0b1111, 0, MemorySpace::local).dirtied;
  // 16 KB hold 128 lines; the ramp ends at 1.1 times that: all but those left, four sectors each.
  EXPECT_GE(written, 4U * (1999 - 142));
  EXPECT_LE(written, 4U * (1999 - 114));
  Caches turing("t4");
  EXPECT_EQ(turing.store(1, 0b1111, 0b1111, 0, MemorySpace::local).l2, 4U);
}

TEST(CacheHierarchy, AtomicsHappenInL2) {
  Caches v100("v100-pcie-16");
  const SectorCounts first = v100.add(1, 0b0001);
  EXPECT_EQ(first.l2, 1U);
  EXPECT_EQ(first.fetched, 2U);
  EXPECT_EQ(first.dirtied, 1U);
  const SectorCounts second = v100.add(1, 0b0001);
  EXPECT_EQ(second.l2_hits, 1U);
  EXPECT_EQ(second.dirtied, 0U);
}

// A sample of the lines on caches as much smaller sees the same share of hits.
TEST(CacheHierarchy, SamplesOfLinesHitAlike) {
  const Gpu gpu = board("t4");
  double rates[2] = {};
  for (const std::uint32_t bits : {0U, 3U}) {
    CacheHierarchy caches(gpu, {65536, 0, gpu.l2.bytes, 1, bits});
    SectorCounts counts;
    std::uint64_t random = 1;
    for (int i = 0; i < 400000; ++i) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      const std::uint64_t line = (random >> 33) % 60000;  // 7.7 MB, L2 has 4
      if (!caches.sampled(line)) continue;
      caches.access(0, cache_route(shape(AccessKind::load), CacheHint::usual, gpu), {line, 1, 0},
                    counts);
    }
    rates[bits != 0 ? 1 : 0] = static_cast<double>(counts.l2_hits) / static_cast<double>(counts.l2);
  }
  EXPECT_NEAR(rates[0], rates[1], 0.01);
  EXPECT_GT(rates[0], 0.4);
  EXPECT_LT(rates[0], 0.6);
}

// What the threads of a block must see of each other, L1 keeps in order; what others must see, L2.
TEST(CacheHint, StrongInTheBlockMayHitL1) {
  const auto hint = [](std::initializer_list<Modifier> modifiers) {
    Instruction load;
    for (const Modifier one : modifiers) load.modifiers[load.modifier_count++] = one;
    return cache_hint(load);
  };
  EXPECT_EQ(hint({modifier::e}), CacheHint::usual);
  EXPECT_EQ(hint({modifier::e, modifier::strong, modifier::sm}), CacheHint::usual);
  EXPECT_EQ(hint({modifier::e, modifier::strong, modifier::cta}), CacheHint::usual) << "7.0";
  EXPECT_EQ(hint({modifier::e, modifier::strong, modifier::gpu}), CacheHint::shared);
  EXPECT_EQ(hint({modifier::e, modifier::strong, modifier::sys}), CacheHint::shared);
  EXPECT_EQ(hint({modifier::cg}), CacheHint::shared);
}

// The smallest carve-out that holds the resident blocks; what it leaves of the array is L1.
// 1.3 times the 128 KB of an A40 again and again: past 1.17 one warp finds nothing of it,
// before 1.44 eight warps find all. Seven are too few.
TEST(CacheHierarchy, ManyWarpsFindMoreInL1) {
  const Gpu a40 = board("a40");
  const double size = l1_beside(a40, 1, 0);
  for (const std::uint32_t warps : {1U, 7U, 8U, 48U}) {
    CacheSizes sizes{size, 0, a40.l2.bytes, 1, 0};
    sizes.warps = warps;
    CacheHierarchy caches(a40, sizes);
    const auto lines = static_cast<std::uint64_t>(1.3 * size / a40.line_bytes);
    const CacheRoute route = cache_route(shape(AccessKind::load), CacheHint::usual, a40);
    SectorCounts first, second;
    for (std::uint64_t line = 0; line < lines; ++line)
      caches.access(0, route, {line, 15, 0}, first);
    for (std::uint64_t line = 0; line < lines; ++line)
      caches.access(0, route, {line, 15, 0}, second);
    EXPECT_EQ(first.l1_hits, 0U);
    EXPECT_EQ(second.l1_hits, warps < 8 ? 0 : 4 * lines) << warps;
  }
}

TEST(CarveOut, LeavesTheRestToL1) {
  EXPECT_EQ(l1_beside(board("v100-pcie-16"), 8, 0), 128 << 10);
  EXPECT_EQ(l1_beside(board("v100-pcie-16"), 4, 12 << 10), (128 - 64) << 10);
  EXPECT_EQ(l1_beside(board("t4"), 4, 0), (96 - 32) << 10);
  EXPECT_EQ(l1_beside(board("t4"), 4, 9 << 10), (96 - 64) << 10);
  EXPECT_EQ(l1_beside(board("a100-sxm-80"), 8, 1 << 10), (192 - 8) << 10);
  EXPECT_EQ(l1_beside(board("gtx980"), 4, 9 << 10), board("gtx980").l1.bytes);
  // 50 % of 96 KB are 48: 64 is the next.
  EXPECT_EQ(l1_beside(board("v100-pcie-16"), 8, 0, 50), (128 - 64) << 10);
  EXPECT_EQ(l1_beside(board("v100-pcie-16"), 1, 96 << 10, 0), (128 - 96) << 10);
}

}  // namespace
}  // namespace forewarp::tests
