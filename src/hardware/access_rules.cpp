// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/access_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace forewarp::hardware {
namespace {

constexpr std::size_t most_lanes = 32;
constexpr std::size_t most_words = 5 * most_lanes;  // 16 unaligned bytes touch five words

std::int64_t floor_div(std::int64_t value, std::int64_t by) {
  return value >= 0 ? value / by : -((-value + by - 1) / by);
}

std::int64_t whole(double value) {
  return static_cast<std::int64_t>(value);
}

/// A short list of numbers without heap allocation.
template <std::size_t Size>
class Numbers {
 public:
  void add(std::int64_t value) {
    if (count_ < Size) values_[count_++] = value;
  }
  /// Sorted, without duplicates.
  std::span<const std::int64_t> distinct() {
    const auto end = values_.begin() + static_cast<std::ptrdiff_t>(count_);
    std::sort(values_.begin(), end);
    count_ = static_cast<std::size_t>(std::unique(values_.begin(), end) - values_.begin());
    return {values_.data(), count_};
  }

 private:
  std::array<std::int64_t, Size> values_;
  std::size_t count_ = 0;
};

/// Runs f(part) for each group of `lanes` lanes, which are served together.
template <class F>
void for_parts(const LaneAddresses& access, std::int64_t lanes, F f) {
  const std::size_t group = static_cast<std::size_t>(std::max<std::int64_t>(1, lanes));
  std::size_t at = 0;
  for (std::size_t first = 0; first < most_lanes && at < access.addresses.size(); first += group) {
    const std::uint32_t below =
        first + group >= most_lanes ? 0xffffffffU : (1U << (first + group)) - 1;
    const std::uint32_t mask = access.lanes & below & ~((1U << first) - 1);
    const auto count = static_cast<std::size_t>(std::popcount(mask));
    if (count == 0) continue;
    f(LaneAddresses{access.addresses.subspan(at, count), mask >> first, access.bytes});
    at += count;
  }
}

/// Number of distinct units of `unit` bytes.
template <class F>
std::size_t touched(const LaneAddresses& access, std::int64_t unit, F each) {
  Numbers<most_words> numbers;
  for (const std::int64_t address : access.addresses) {
    const std::int64_t last = floor_div(address + access.bytes - 1, unit);
    for (std::int64_t u = floor_div(address, unit); u <= last; ++u) numbers.add(u);
  }
  const auto distinct = numbers.distinct();
  for (const std::int64_t u : distinct) each(u);
  return distinct.size();
}

std::size_t units(const LaneAddresses& access, std::int64_t unit) {
  return touched(access, unit, [](std::int64_t) {});
}

/// 1.0: one segment if its words are accessed in order, else one sector per lane.
void add_in_order(const LaneAddresses& part, const Gpu& gpu, GlobalRequest& request) {
  const std::int64_t bytes = part.bytes, sector = whole(gpu.sector_bytes);
  const std::int64_t segment = whole(gpu.coalescing_lanes) * bytes;
  const auto first = static_cast<std::int64_t>(std::countr_zero(part.lanes));
  const std::int64_t start = part.addresses[0] - first * bytes;
  bool in_order =
      bytes >= whole(gpu.bank_word_bytes) && floor_div(start, segment) * segment == start;
  std::size_t i = 0;
  for (std::size_t lane = 0; lane < most_lanes; ++lane) {
    if ((part.lanes >> lane & 1U) == 0) continue;
    in_order = in_order && part.addresses[i++] == start + static_cast<std::int64_t>(lane) * bytes;
  }
  if (in_order) {
    const std::int64_t line = std::min(segment, whole(gpu.line_bytes));
    request.transactions += static_cast<double>(segment / line);
    request.lines += static_cast<double>(segment / line);
    request.sectors += static_cast<double>(std::max<std::int64_t>(1, segment / sector));
  } else {
    const auto lanes = static_cast<double>(part.addresses.size());
    request.transactions += lanes;
    request.lines += lanes;
    request.sectors += lanes;
  }
}

/// 1.2: segments around the lowest lane not yet served, halved while one half suffices.
void add_segments(const LaneAddresses& part, const Gpu& gpu, GlobalRequest& request) {
  const std::int64_t sector = whole(gpu.sector_bytes), line = whole(gpu.line_bytes);
  const std::int64_t whole_segment =
      std::clamp(2 * whole(gpu.coalescing_lanes) * std::int64_t{part.bytes}, sector, line);
  auto left = static_cast<std::uint32_t>((std::uint64_t{1} << part.addresses.size()) - 1);
  while (left != 0) {
    std::int64_t size = whole_segment;
    std::int64_t start =
        floor_div(part.addresses[static_cast<std::size_t>(std::countr_zero(left))], size) * size;
    std::int64_t low = start + size, high = start;
    for (std::size_t i = 0; i < part.addresses.size(); ++i) {
      const std::int64_t address = part.addresses[i];
      if ((left >> i & 1U) == 0 || address < start || address >= start + whole_segment) continue;
      low = std::min(low, address);
      high = std::max(high, address + part.bytes);
      left &= ~(1U << i);
    }
    while (size > sector) {
      const std::int64_t half = size / 2;
      if (high > start + half && low < start + half) break;
      if (low >= start + half) start += half;
      size = half;
    }
    request.transactions += 1;
    request.lines += 1;
    request.sectors += static_cast<double>(std::max<std::int64_t>(1, size / sector));
  }
}

/// The bank word that contains a byte address.
std::int64_t word_of(std::int64_t address, const Gpu& gpu) {
  return floor_div(address, whole(gpu.bank_word_bytes));
}

/// 1.x: each pass broadcasts the word of the lowest lane not yet served, and serves one more lane
/// from each other bank.
double single_broadcast_passes(const LaneAddresses& part, const Gpu& gpu) {
  const std::int64_t banks = whole(gpu.shared_banks);
  const std::int64_t word_bytes = whole(gpu.bank_word_bytes);
  const bool narrow = part.bytes < word_bytes;  // two bytes of one word conflict
  std::array<std::int64_t, most_words> keys{};
  std::array<std::int64_t, most_words> bank{};
  std::size_t count = 0;
  for (const std::int64_t address : part.addresses) {
    const std::int64_t last = word_of(address + part.bytes - 1, gpu);
    for (std::int64_t w = word_of(address, gpu); w <= last && count < most_words; ++w) {
      keys[count] = narrow ? address : w;
      bank[count++] = ((w % banks) + banks) % banks;
    }
  }
  std::array<bool, most_words> served{};
  std::size_t left = count;
  double passes = 0;
  while (left != 0) {
    ++passes;
    std::array<bool, most_lanes> taken{};
    std::size_t first = 0;
    while (served[first]) ++first;
    taken[static_cast<std::size_t>(bank[first]) % most_lanes] = true;
    for (std::size_t i = first; i < count; ++i) {
      if (served[i]) continue;
      const auto b = static_cast<std::size_t>(bank[i]) % most_lanes;
      const bool broadcast = keys[i] == keys[first] && bank[i] == bank[first];
      if (!broadcast && taken[b]) continue;
      taken[b] = true;
      served[i] = true;
      --left;
    }
  }
  return passes;
}

/// The most distinct rows in one bank.
double multicast_passes(const LaneAddresses& part, const Gpu& gpu) {
  const std::int64_t banks = whole(gpu.shared_banks), word_bytes = whole(gpu.bank_word_bytes);
  const std::int64_t row_words = banks * whole(gpu.shared_bank_bytes) / word_bytes;
  constexpr std::uint8_t nobody = 0xff;
  std::array<std::int64_t, most_words> row{};
  std::array<std::uint8_t, most_words> next{};  // of the same bank
  std::array<std::uint8_t, most_lanes> head{}, depth{};
  head.fill(nobody);
  std::uint8_t count = 0, deepest = 0;
  for (const std::int64_t address : part.addresses) {
    const std::int64_t last = word_of(address + part.bytes - 1, gpu);
    for (std::int64_t w = word_of(address, gpu); w <= last && count < most_words; ++w) {
      const auto bank = static_cast<std::size_t>(((w % banks) + banks) % banks) % most_lanes;
      const std::int64_t its = floor_div(w, row_words);
      std::uint8_t known = head[bank];
      while (known != nobody && row[known] != its) known = next[known];
      if (known != nobody) continue;
      row[count] = its;
      next[count] = head[bank];
      head[bank] = count++;
      deepest = std::max(deepest, ++depth[bank]);
    }
  }
  return deepest;
}

/// Whether lanes in aligned groups of two (adjacent or alternate), four or eight read one word.
bool reads_alike(const LaneAddresses& access, std::uint32_t full) {
  if (access.lanes != full) return false;
  const auto same = [&](auto partner) {
    for (std::size_t i = 0; i < access.addresses.size(); ++i) {
      if (access.addresses[i] != access.addresses[partner(i)]) return false;
    }
    return true;
  };
  return same([](std::size_t i) { return i ^ 1U; }) || same([](std::size_t i) { return i ^ 2U; });
}

/// Passes of all groups of lanes, and of the group with the most.
struct GroupPasses {
  double all = 0, most = 0;
  void add(double passes) {
    all += passes;
    most = std::max(most, passes);
  }
};

GroupPasses group_passes(const LaneAddresses& access, bool merges, const Gpu& gpu) {
  GroupPasses passes;
  const std::int64_t warp = whole(gpu.bank_lanes);
  if (gpu.bank_single_broadcast) {
    for_parts(access, warp,
              [&](const LaneAddresses& part) { passes.add(single_broadcast_passes(part, gpu)); });
    return passes;
  }
  // All banks together deliver one row per pass, so wider accesses split the warp into groups.
  const std::int64_t row = whole(gpu.shared_banks * gpu.shared_bank_bytes);
  const std::int64_t lanes = std::clamp(row / std::max(1U, access.bytes), std::int64_t{1}, warp);
  for_parts(access, lanes,
            [&](const LaneAddresses& part) { passes.add(multicast_passes(part, gpu)); });
  if (!gpu.bank_load_merge || !merges || lanes >= warp) return passes;
  const std::uint32_t full = 0xffffffffU >> (most_lanes - static_cast<std::size_t>(warp));
  if (!reads_alike(access, full)) return passes;
  GroupPasses merged;
  for_parts(access, 2 * lanes,
            [&](const LaneAddresses& part) { merged.add(multicast_passes(part, gpu)); });
  return merged.most <= 1 ? merged : passes;
}

/// Visits to a slice for what a store writes in one line: whole sectors and parts of sectors.
double written_visits(double sectors, double parts, const Gpu& gpu) {
  if (parts > 0 && gpu.l2.slice_part_line_visits > 0)
    return std::max(sectors, gpu.l2.slice_part_line_visits);
  if (sectors == 1 && parts == 0) return std::max(1.0, gpu.l2.slice_lone_visits);
  return sectors + parts * std::max(0.0, gpu.l2.slice_part_visits - 1);
}

}  // namespace

LaneAddresses first_lanes(std::span<const std::int64_t> addresses, std::uint32_t bytes) {
  const std::size_t count = std::min(addresses.size(), most_lanes);
  const std::uint32_t lanes = count == most_lanes ? 0xffffffffU : (1U << count) - 1;
  return {addresses.first(count), lanes, bytes};
}

GlobalRequest global_request(const LaneAddresses& access, const Gpu& gpu) {
  GlobalRequest request;
  if (gpu.coalescing_segments) {
    for_parts(access, whole(gpu.coalescing_lanes), [&](const LaneAddresses& part) {
      if (gpu.coalescing_in_order) {
        add_in_order(part, gpu, request);
      } else {
        add_segments(part, gpu, request);
      }
    });
    return request;
  }
  const bool fetches_lines = gpu.l1.caches_global && gpu.l1.fetch_bytes >= gpu.line_bytes;
  const std::int64_t lanes =
      std::min(whole(gpu.coalescing_lanes), whole(gpu.request_bytes) / std::max(1U, access.bytes));
  for_parts(access, lanes, [&](const LaneAddresses& part) {
    request.sectors += static_cast<double>(units(part, whole(gpu.sector_bytes)));
    request.lines += static_cast<double>(units(part, whole(gpu.line_bytes)));
  });
  request.transactions = fetches_lines ? request.lines : request.sectors;
  return request;
}

double bank_passes(const LaneAddresses& access, bool merges, const Gpu& gpu) {
  return group_passes(access, merges, gpu).all;
}

double conflict_degree(const LaneAddresses& access, bool merges, const Gpu& gpu) {
  return group_passes(access, merges, gpu).most;
}

double tag_passes(const LaneAddresses& access, const Gpu& gpu) {
  const std::int64_t banks = whole(gpu.l1.tag_lines);
  const std::int64_t digits = whole(gpu.l1.tag_hash_digits);
  if (banks <= 0 || banks > static_cast<std::int64_t>(most_lanes)) return 1;
  std::array<int, most_lanes> depth{};
  int deepest = 0;
  touched(access, whole(gpu.line_bytes), [&](std::int64_t line) {
    std::int64_t bank = 0, rest = line;
    for (std::int64_t digit = 0; digit < std::max<std::int64_t>(1, digits); ++digit) {
      bank ^= ((rest % banks) + banks) % banks;
      rest = floor_div(rest, banks);
    }
    deepest = std::max(deepest, ++depth[static_cast<std::size_t>(bank % banks)]);
  });
  return deepest;
}

double return_cycles(double lanes, std::uint32_t bytes, const Gpu& gpu) {
  constexpr std::uint32_t word = 4, two_words = 8;
  double width = gpu.l1.return_bytes;
  if (bytes > word && gpu.l1.return_bytes_64 > 0) width = gpu.l1.return_bytes_64;
  if (bytes > two_words && gpu.l1.return_bytes_128 > 0) width = gpu.l1.return_bytes_128;
  return width > 0 ? lanes * std::max(word, bytes) / width : 0;
}

double data_stage_cycles(const LaneAddresses& access, const Gpu& gpu) {
  if (access.addresses.empty()) return 0;
  const auto lanes = static_cast<double>(access.addresses.size());
  const double banks =
      gpu.l1.unified ? bank_passes(access, false, gpu) * gpu.shared_cycles_per_pass : 0;
  return std::max({return_cycles(lanes, access.bytes, gpu), banks, tag_passes(access, gpu)});
}

double same_address_lanes(const LaneAddresses& access) {
  std::array<std::int64_t, most_lanes> sorted{};
  const std::size_t count = std::min(access.addresses.size(), most_lanes);
  std::copy_n(access.addresses.begin(), count, sorted.begin());
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count));
  int most = 0, run = 0;
  for (std::size_t i = 0; i < count; ++i) {
    run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
    most = std::max(most, run);
  }
  return most;
}

double distinct_addresses(const LaneAddresses& access) {
  Numbers<most_lanes> addresses;
  for (const std::int64_t address : access.addresses) addresses.add(address);
  return static_cast<double>(addresses.distinct().size());
}

double sector_turns(const LaneAddresses& access, const Gpu& gpu) {
  const std::int64_t sector = std::max<std::int64_t>(1, whole(gpu.sector_bytes));
  const std::span<const std::int64_t> addresses = access.addresses;
  std::size_t turns = 0, first = 0;  // of the lanes that share the last turn
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto sharing = addresses.subspan(first, i - first);
    const bool joins = !sharing.empty() &&
                       floor_div(addresses[i], sector) == floor_div(sharing.front(), sector) &&
                       std::find(sharing.begin(), sharing.end(), addresses[i]) == sharing.end();
    if (joins) continue;
    ++turns;
    first = i;
  }
  return static_cast<double>(turns);
}

double bank_turns(const LaneAddresses& access, const Gpu& gpu) {
  const std::int64_t banks = std::clamp<std::int64_t>(whole(gpu.shared_banks), 1, most_lanes);
  const std::int64_t width = std::max<std::int64_t>(1, whole(gpu.shared_bank_bytes));
  std::array<int, most_lanes> lanes{};
  for (const std::int64_t address : access.addresses) {
    ++lanes[static_cast<std::size_t>(((floor_div(address, width) % banks) + banks) % banks)];
  }
  return *std::max_element(lanes.begin(), lanes.end());
}

double slice_visits(const LaneAddresses& access, bool store, const Gpu& gpu) {
  const double at_once = gpu.l2.slice_line_sectors;
  if (at_once <= 0) return 0;
  const auto unit = static_cast<std::int64_t>(std::clamp(access.bytes, 1U, 4U));
  Numbers<most_words> words;
  for (const std::int64_t address : access.addresses) {
    const std::int64_t end = address + access.bytes;
    for (std::int64_t word = floor_div(address, unit); word * unit < end; ++word) words.add(word);
  }
  const std::int64_t in_sector = std::max<std::int64_t>(1, whole(gpu.sector_bytes) / unit);
  const std::int64_t in_line = std::max(in_sector, whole(gpu.line_bytes) / unit);
  const std::span<const std::int64_t> distinct = words.distinct();
  double visits = 0;
  for (std::size_t i = 0; i < distinct.size();) {
    const std::int64_t line = floor_div(distinct[i], in_line);
    double sectors = 0, parts = 0;
    while (i < distinct.size() && floor_div(distinct[i], in_line) == line) {
      const std::int64_t sector = floor_div(distinct[i], in_sector);
      std::int64_t covered = 0;
      for (; i < distinct.size() && floor_div(distinct[i], in_sector) == sector; ++i) ++covered;
      ++sectors;
      if (covered < in_sector) ++parts;
    }
    visits += store ? written_visits(sectors, parts, gpu) : std::max(1.0, sectors / at_once);
  }
  return visits;
}

}  // namespace forewarp::hardware
