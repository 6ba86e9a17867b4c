// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/info_section.h"

#include <array>
#include <optional>

#include "base/text.h"
#include "input/sass/line_cursor.h"
#include "input/scan.h"

namespace forewarp::input {
namespace {

constexpr std::uint32_t most_block = 1U << 16U;  // threads; no GPU has blocks of as many
constexpr std::size_t longest_payload = 64;  // longer ones are offset tables, which are not needed

/// The number after "KEY : " with any blanks.
std::optional<std::uint32_t> field(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = skip_blanks(text.substr(at + key.size()));
  if (!take(rest, ':')) return std::nullopt;
  rest = skip_blanks(rest);
  std::uint64_t value = 0;
  if (!take_integer(rest, value) || value > 0xffffffffU) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

bool is_block(std::string_view attribute) {
  return attribute == "MAX_THREADS" || attribute == "REQNTID" || attribute == "CTA_PER_CLUSTER";
}

std::uint32_t little_endian(const std::vector<std::uint8_t>& bytes, std::size_t at,
                            std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size && at + i < bytes.size(); ++i) {
    value |= std::uint32_t{bytes[at + i]} << (8 * i);
  }
  return value;
}

std::size_t directive_size(std::string_view directive) {
  if (directive == ".byte") return 1;
  if (directive == ".short") return 2;
  return directive == ".word" ? 4 : 0;
}

/// A text with a file's sections shows that of shared memory, if there is one.
void expect_shared(KernelFacts& facts) {
  if (!facts.counted_shared) facts.counted_shared = 0;
}

}  // namespace

void InfoSection::enter(std::string_view section) {
  in_info_ = section.starts_with(".nv.info");
  attribute_.clear();
  payload_.clear();
  kernel_ = section.starts_with(".nv.info.") ? trim(section.substr(9)) : std::string_view();
  if (!kernel_.empty()) expect_shared(store_.of(sm_, kernel_));
}

void InfoSection::read_dump(std::string_view line) {
  if (!in_info_) return;
  if (take(line, "Attribute:")) {
    line = trim(line);
    take(line, "EIATTR_");
    attribute_ = line;
  } else if (take(line, "Value:")) {
    read_value(trim(line));
  }
}

void InfoSection::set_number(std::string_view function, std::uint32_t value) {
  if (function.empty()) return;
  Resources& resources = store_.of(sm_, function).resources;
  if (attribute_ == "REGCOUNT") {
    resources.registers = value;
    resources.registers_source = FactSource::section_info;
  } else if (attribute_ == "FRAME_SIZE") {
    resources.local_bytes = value;
  }
}

/// Launch bounds are stated by axis, but hold for the product; a required size holds for each, and
/// so do the blocks of a cluster.
void InfoSection::set_block(const std::array<std::uint32_t, 3>& threads) {
  const std::uint64_t all = std::uint64_t{threads[0]} * threads[1] * threads[2];
  if (kernel_.empty() || all == 0 || all > most_block) return;
  Resources& resources = store_.of(sm_, kernel_).resources;
  if (attribute_ == "CTA_PER_CLUSTER") {
    resources.cluster = threads;
  } else if (attribute_ == "MAX_THREADS") {
    resources.most_threads = static_cast<std::uint32_t>(all);
  } else {
    resources.required_block = threads;
  }
}

void InfoSection::read_value(std::string_view value) {
  if (attribute_ == "REGCOUNT" || attribute_ == "FRAME_SIZE") {
    const auto count = field(value, attribute_ == "REGCOUNT" ? "register count" : "frame size");
    if (!take(value, "function: ") || !count) return;
    return set_number(value.substr(0, value.find("(0x")), *count);
  }
  if (kernel_.empty()) return;
  KernelFacts& facts = store_.of(sm_, kernel_);
  if (attribute_ == "KPARAM_INFO") {
    const auto ordinal = field(value, "Ordinal");
    const auto offset = field(value, "Offset");
    const auto size = field(value, "Size");
    if (ordinal && offset && size) facts.places[*ordinal] = {*offset, *size};
  } else if (is_block(attribute_)) {
    std::array<std::uint64_t, 3> threads{};
    for (std::uint64_t& along : threads) {
      value = skip_blanks(value);
      if (!take_integer(value, along) || along > most_block) return;
    }
    set_block({static_cast<std::uint32_t>(threads[0]), static_cast<std::uint32_t>(threads[1]),
               static_cast<std::uint32_t>(threads[2])});
  } else if (attribute_ == "CBANK_PARAM_SIZE") {
    std::uint64_t bytes = 0;
    if (take_integer(value, bytes)) facts.parameter_bytes = static_cast<std::uint32_t>(bytes);
  } else if (attribute_ == "PARAM_CBANK") {
    std::uint64_t symbol = 0;
    std::uint64_t place = 0;  // size << 16 | offset
    if (!take_integer(value, symbol)) return;
    value = skip_blanks(value);
    if (take_integer(value, place))
      facts.parameter_base = static_cast<std::uint32_t>(place & 0xffffU);
  }
}

void InfoSection::read_heading(std::string_view line) {
  constexpr std::string_view mark = "nvinfo : EIATTR_";
  const std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return;
  attribute_ = trim(line.substr(at + mark.size()));
  payload_.clear();
  function_.clear();
}

void InfoSection::read_data(std::string_view line) {
  const std::size_t end = line.find("*/");
  if (!in_info_ || attribute_.empty() || end == std::string_view::npos) return;
  line = skip_blanks(line.substr(end + 2));
  const std::size_t size = directive_size(take_until(line, " \t"));
  if (size == 0) return;
  for (std::string_view item : split(line, ',')) {
    item = trim(item);
    if (take(item, "index@(")) function_ = item.substr(0, item.find(')'));
    std::uint64_t value = 0;
    take_integer(item, value);
    for (std::size_t i = 0; i < size && payload_.size() < longest_payload; ++i) {
      payload_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
  }
  take_payload();
}

/// The payload follows a four-byte header; single values are in the header's second half.
void InfoSection::take_payload() {
  constexpr std::size_t header = 4;
  if (attribute_ == "CBANK_PARAM_SIZE" && payload_.size() >= header && !kernel_.empty()) {
    store_.of(sm_, kernel_).parameter_bytes = little_endian(payload_, 2, 2);
  }
  if (payload_.size() >= header + 8) set_number(function_, little_endian(payload_, header + 4, 4));
  if (is_block(attribute_) && payload_.size() == header + 12) {
    set_block({little_endian(payload_, header, 4), little_endian(payload_, header + 4, 4),
               little_endian(payload_, header + 8, 4)});
  }
  if (attribute_ == "KPARAM_INFO" && payload_.size() == header + 12 && !kernel_.empty()) {
    const std::uint32_t ordinal = little_endian(payload_, header + 4, 2);
    store_.of(sm_, kernel_).places[ordinal] = {little_endian(payload_, header + 6, 2),
                                               little_endian(payload_, header + 8, 4) >> 18};
  }
}

void InfoSection::read_section_row(std::string_view line) {
  // Index Offset Size ES Align Type Flags Link Info Name, numbers in hexadecimal.
  const std::size_t dot = line.rfind(" .");
  if (dot == std::string_view::npos) return;
  std::string_view name = line.substr(dot + 1);
  const bool text = take(name, ".text.");
  if (!text && !take(name, ".nv.shared.")) return;
  std::array<std::uint64_t, 9> columns{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    line = skip_blanks(line);
    std::string_view column = take_until(line, " \t");
    if (i != 5 && (!take_number(column, columns[i], 16) || !column.empty())) return;
  }
  KernelFacts& facts = store_.of(sm_, name);
  Resources& resources = facts.resources;
  if (!text) {
    facts.counted_shared = static_cast<std::uint32_t>(columns[2]);
    return;
  }
  expect_shared(facts);
  resources.barriers = static_cast<std::uint32_t>(columns[6] >> 20);
  const auto registers = static_cast<std::uint32_t>(columns[8] >> 24);
  if (registers == 0 || resources.registers) return;  // elsewhere from CUDA 13 on
  resources.registers = registers;
  resources.registers_source = FactSource::section_info;
}

}  // namespace forewarp::input
