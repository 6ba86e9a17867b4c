// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu_access.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "hardware/access_rules.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t farthest = std::int64_t{1} << 40;  // bytes, either way
constexpr std::int64_t most_strides = 4096;
constexpr std::string_view stride_forms =
    "elements: S, S,S,.. or FROM:TO[:STEP], at most 4096 of them";

/// The lanes of one access.
struct Lanes {
  std::optional<std::int64_t> stride;  ///< elements; none where addresses were listed
  std::vector<std::int64_t> addresses;
  std::uint32_t mask = 0;
};

/// What the rules say of it.
struct Answer {
  GlobalRequest request;
  double wavefronts = 0, degree = 0, tag_lookups = 0, same_address = 0;
};

bool too_far(std::int64_t address) {
  return address > farthest || address < -farthest;
}

Diagnostic refused(std::string option, std::string_view value, std::string expected) {
  return {std::move(option), "'" + std::string(value) + "'", std::move(expected), ""};
}

/// FROM:TO[:STEP], both ends included where the step meets them.
Expected<std::vector<std::int64_t>> stride_range(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (const std::string_view part : split(text, ':')) {
    const auto number = parse_integer(trim(part));
    if (!number || too_far(*number)) return refused("--stride", text, std::string(stride_forms));
    numbers.push_back(*number);
  }
  if (numbers.size() == 1) return numbers;
  if (numbers.size() == 2) numbers.push_back(1);
  const std::int64_t from = numbers[0], to = numbers[1], step = numbers[2];
  if (numbers.size() != 3 || step < 1 || to < from || (to - from) / step >= most_strides)
    return refused("--stride", text, std::string(stride_forms));
  std::vector<std::int64_t> strides;
  for (std::int64_t stride = from; stride <= to; stride += step) strides.push_back(stride);
  return strides;
}

Expected<std::vector<std::int64_t>> parse_strides(std::string_view text) {
  std::vector<std::int64_t> strides;
  for (const std::string_view part : split(text, ',')) {
    const auto range = stride_range(part);
    if (!range) return range.error();
    strides.insert(strides.end(), range->begin(), range->end());
    if (strides.size() > most_strides) return refused("--stride", text, std::string(stride_forms));
  }
  return strides;
}

Expected<void> check_address(std::int64_t address, std::size_t lane, std::uint32_t bytes) {
  const std::string name = "lane " + std::to_string(lane);
  if (too_far(address)) {
    return Diagnostic{name, "its address is " + std::to_string(address), "2^40 bytes at most", ""};
  }
  if (address % bytes == 0) return {};
  return Diagnostic{name, "its address is " + std::to_string(address),
                    "a multiple of " + std::to_string(bytes) + " bytes",
                    "a GPU stops at a misaligned access"};
}

Expected<Lanes> strided(std::int64_t stride, std::uint32_t count, const AccessOptions& options) {
  Lanes lanes;
  lanes.stride = stride;
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    const std::int64_t address =
        options.offset + stride * options.bytes * static_cast<std::int64_t>(lane);
    if (auto fine = check_address(address, lane, options.bytes); !fine) return fine.error();
    lanes.addresses.push_back(address);
    lanes.mask |= 1U << lane;
  }
  return lanes;
}

/// "0,4,-,12": a lane that takes no part is a dash.
Expected<Lanes> listed(const AccessOptions& options, std::uint32_t most) {
  Lanes lanes;
  const auto parts = split(options.addresses, ',');
  if (parts.size() > most) {
    return Diagnostic{"--addresses", std::to_string(parts.size()) + " lanes",
                      std::to_string(most) + " at most", ""};
  }
  for (std::size_t lane = 0; lane < parts.size(); ++lane) {
    if (trim(parts[lane]) == "-") continue;
    const auto number = parse_integer(trim(parts[lane]));
    if (!number) return refused("--addresses", parts[lane], "a byte address, or - for no access");
    if (too_far(*number)) {
      if (auto fine = check_address(*number, lane, 1); !fine) return fine.error();
    }
    const std::int64_t address = options.offset + *number;
    if (auto fine = check_address(address, lane, options.bytes); !fine) return fine.error();
    lanes.addresses.push_back(address);
    lanes.mask |= 1U << lane;
  }
  if (lanes.mask == 0) return refused("--addresses", options.addresses, "at least one address");
  return lanes;
}

Expected<std::vector<Lanes>> all_lanes(const Gpu& gpu, const AccessOptions& options) {
  const std::uint32_t warp = gpu.limits.warp_lanes;
  const std::uint32_t count = options.lanes.value_or(warp);
  if (count < 1 || count > warp)
    return refused("--lanes", std::to_string(count), "1 to " + std::to_string(warp));
  if (too_far(options.offset))
    return refused("--offset", std::to_string(options.offset), "2^40 bytes at most");
  std::vector<Lanes> all;
  if (!options.addresses.empty()) {
    auto lanes = listed(options, count);
    if (!lanes) return std::move(lanes).error();
    all.push_back(*std::move(lanes));
    return all;
  }
  const auto strides = parse_strides(options.strides);
  if (!strides) return strides.error();
  for (const std::int64_t stride : *strides) {
    auto lanes = strided(stride, count, options);
    if (!lanes) return std::move(lanes).error();
    all.push_back(*std::move(lanes));
  }
  return all;
}

bool in_shared(const AccessOptions& options) {
  return options.space == "shared";
}

Answer answer_of(const Gpu& gpu, const AccessOptions& options, const Lanes& lanes) {
  const LaneAddresses access{lanes.addresses, lanes.mask, options.bytes};
  const bool merges = in_shared(options) && options.kind == "load";
  Answer answer;
  answer.wavefronts = bank_passes(access, merges, gpu);
  answer.degree = conflict_degree(access, merges, gpu);
  answer.same_address = same_address_lanes(access);
  if (in_shared(options)) return answer;
  answer.request = global_request(access, gpu);
  answer.tag_lookups = tag_passes(access, gpu);
  return answer;
}

/// L1 has the banks that deliver what a global access finds there.
bool shows_wavefronts(const Gpu& gpu, const AccessOptions& options) {
  return in_shared(options) || gpu.l1.bytes > 0;
}

bool shows_tags(const Gpu& gpu, const AccessOptions& options) {
  return !in_shared(options) && gpu.l1.tag_lines > 0;
}

std::string count_text(double count, bool shown) {
  return shown ? significant(count, 6) : "-";
}

Json count_json(double count, bool shown) {
  if (!shown) return nullptr;
  return static_cast<std::int64_t>(count);
}

std::string table_head(const Gpu& gpu, const AccessOptions& options) {
  std::string head =
      fmt::format("{} ({}), {}: one warp's {} of {} bytes per lane, {} memory\n", gpu.name, gpu.id,
                  gpu.cc.text(), options.kind, options.bytes, options.space);
  const std::string banks =
      fmt::format("{} banks of {} bytes", gpu.shared_banks, gpu.shared_bank_bytes);
  head += in_shared(options) ? "  " + banks + "\n"
                             : fmt::format("  sectors of {} bytes, lines of {}; {}\n",
                                           gpu.sector_bytes, gpu.line_bytes, banks);
  head += fmt::format("{:>9}  {:>5}", "stride", "lanes");
  if (!in_shared(options)) {
    head += fmt::format("  {:>7}  {:>5}  {:>12}  {:>11}", "sectors", "lines", "transactions",
                        "bytes moved");
  }
  head += fmt::format("  {:>10}  {:>8}", "wavefronts", "conflict");
  if (!in_shared(options)) head += fmt::format("  {:>11}", "tag lookups");
  return head + fmt::format("  {:>12}\n", "same address");
}

std::string table_row(const Gpu& gpu, const AccessOptions& options, const Lanes& lanes) {
  const Answer answer = answer_of(gpu, options, lanes);
  std::string row = fmt::format("{:>9}  {:>5}", lanes.stride ? std::to_string(*lanes.stride) : "-",
                                lanes.addresses.size());
  if (!in_shared(options)) {
    row +=
        fmt::format("  {:>7}  {:>5}  {:>12}  {:>11}", answer.request.sectors, answer.request.lines,
                    answer.request.transactions, answer.request.sectors * gpu.sector_bytes);
  }
  const bool banks = shows_wavefronts(gpu, options);
  row += fmt::format("  {:>10}  {:>8}", count_text(answer.wavefronts, banks),
                     count_text(answer.degree, banks));
  if (!in_shared(options))
    row += fmt::format("  {:>11}", count_text(answer.tag_lookups, shows_tags(gpu, options)));
  return row + fmt::format("  {:>12}\n", answer.same_address);
}

/// By lane; null where it takes no part.
Json addresses_json(const Lanes& lanes) {
  Json list = Json::array();
  std::size_t at = 0;
  for (std::uint32_t rest = lanes.mask; rest != 0; rest >>= 1) {
    if ((rest & 1U) != 0) {
      list.push_back(lanes.addresses[at++]);
    } else {
      list.push_back(nullptr);
    }
  }
  return list;
}

Json as_json(const Gpu& gpu, const AccessOptions& options, const Lanes& lanes) {
  const Answer answer = answer_of(gpu, options, lanes);
  const bool global = !in_shared(options), banks = shows_wavefronts(gpu, options);
  Json json{{"schema", "forewarp.access/1"},
            {"gpu", gpu.id},
            {"cc", gpu.cc.text()},
            {"space", options.space},
            {"kind", options.kind},
            {"bytes", options.bytes},
            {"stride", nullptr},
            {"lanes", lanes.addresses.size()},
            {"addresses", addresses_json(lanes)}};
  if (lanes.stride) json["stride"] = *lanes.stride;
  json["sectors"] = count_json(answer.request.sectors, global);
  json["lines"] = count_json(answer.request.lines, global);
  json["transactions"] = count_json(answer.request.transactions, global);
  json["moved_bytes"] = count_json(answer.request.sectors * gpu.sector_bytes, global);
  json["wavefronts"] = count_json(answer.wavefronts, banks);
  json["conflict_degree"] = count_json(answer.degree, banks);
  json["tag_lookups"] = count_json(answer.tag_lookups, shows_tags(gpu, options));
  json["same_address_lanes"] = count_json(answer.same_address, true);
  return json;
}

}  // namespace

std::vector<Flag> access_flags(AccessOptions& options) {
  return {{.names = "--space",
           .target = &options.space,
           .help = "global or shared",
           .one_of = {"global", "shared"},
           .required = true},
          {"--kind", &options.kind, "load or store", {"load", "store"}},
          {.names = "--bytes",
           .target = &options.bytes,
           .help = "per lane: 1, 2, 4, 8 or 16",
           .one_of = {"1", "2", "4", "8", "16"},
           .required = true},
          {"--stride", &options.strides,
           "lane k accesses element k*S; S, S,S,.. or FROM:TO[:STEP], a row each"},
          {.names = "--addresses",
           .target = &options.addresses,
           .help = "the lanes' byte addresses a,b,..; - for no access",
           .excludes = "--stride"},
          {"--offset", &options.offset, "bytes added to every address"},
          {"--lanes", &options.lanes, "the first N lanes only; default: the warp"}};
}

Expected<std::string> access_text(const Gpu& gpu, const AccessOptions& options, bool json) {
  if (options.strides.empty() && options.addresses.empty()) {
    return Diagnostic{"gpu access", "no addresses are given",
                      "--stride S or --addresses a,b,.. in bytes", ""};
  }
  const auto all = all_lanes(gpu, options);
  if (!all) return all.error();
  if (json) {
    if (all->size() == 1) return as_json(gpu, options, all->front()).dump(2) + "\n";
    Json rows = Json::array();
    for (const Lanes& lanes : *all) rows.push_back(as_json(gpu, options, lanes));
    return rows.dump(2) + "\n";
  }
  std::string text = table_head(gpu, options);
  for (const Lanes& lanes : *all) text += table_row(gpu, options, lanes);
  return text;
}

}  // namespace forewarp::cli
