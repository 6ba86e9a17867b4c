// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/starting_file.h"

#include <optional>
#include <vector>

#include "base/text.h"
#include "base/toml_text.h"

namespace forewarp::hardware {
namespace {

constexpr int digits = 12;
constexpr double transfers = 2;  // per memory clock, as a device query states it

std::string word_of(const Gpu& gpu, std::string_view path) {
  const auto fact = gpu.facts.find(path);
  return fact == gpu.facts.end() ? std::string() : fact->second.text;
}

class Writer {
 public:
  explicit Writer(const Gpu& like) : like_(like) {}

  void word(std::string_view key, std::string_view text) {
    if (!text.empty()) out_ += std::string(key) + " = " + toml_readable(text) + "\n";
  }
  void table(std::string_view name) {
    out_ += "\n[" + std::string(name) + "]\n";
    table_ = name;
  }
  /// Writes the queried number, or else the other board's; nothing if neither exists.
  void number(std::string_view key, const std::optional<double>& queried) {
    const std::string path = table_ + "." + std::string(key);
    if (queried) return write(key, path, *queried, "CUDA's sample deviceQuery", "vendor_tool");
    const auto fact = like_.facts.find(path);
    if (fact == like_.facts.end()) return;
    write(key, path, fact->second.value, "as " + like_.id + ": to be replaced", "assumed");
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void write(std::string_view key, const std::string& path, double value, const std::string& source,
             std::string_view confidence) {
    const auto fact = like_.facts.find(path);
    const std::string unit = fact == like_.facts.end() ? "1" : fact->second.unit;
    out_ += std::string(key) + " = { value = " + significant(value, digits) +
            ", unit = " + toml_readable(unit) + ", source = " + toml_readable(source) +
            ", confidence = " + toml_readable(confidence) + " }\n";
  }

  const Gpu& like_;
  std::string out_ =
      "# SPDX-License-Identifier: Apache-2.0\n"
      "# To be completed: docs/data.md says what a board's file holds.\n";
  std::string table_;
};

}  // namespace

std::string starting_file(std::string_view name, const Gpu& like, const QueriedDevice* queried) {
  const QueriedDevice none;
  const QueriedDevice& q = queried == nullptr ? none : *queried;
  const bool own_bandwidth = q.memory_clock_mhz && q.bus_bits;
  Writer file(like);
  file.word("name", queried == nullptr ? name : q.name);
  file.word("chip", like.chip);
  file.word("cc", queried == nullptr ? like.cc.text() : q.cc.text());
  file.word("series", word_of(like, "series"));
  file.table("sm");
  file.number("count", q.sms);
  file.table("clock");
  if (!q.clock_mhz) file.number("base_mhz", {});
  file.number("boost_mhz", q.clock_mhz);
  file.table("memory");
  file.word("technology", word_of(like, "memory.technology"));
  file.word("ecc", word_of(like, "memory.ecc"));
  file.number("bytes", q.memory_bytes);
  const bool product = own_bandwidth || like.number("memory.clock_mhz") > 0;
  if (product) {
    file.number("clock_mhz", own_bandwidth ? q.memory_clock_mhz : std::nullopt);
    file.number("bus_bits", own_bandwidth ? q.bus_bits : std::nullopt);
    file.number("data_rate", own_bandwidth ? std::optional(transfers) : std::nullopt);
  } else {
    file.number("bus_bits", q.bus_bits);
    file.number("theory_gbs", {});
  }
  file.table("l2");
  file.number("bytes", q.l2_bytes);
  file.table("power");
  file.number("limit_w", {});
  if (const std::string host = word_of(like, "link.host"); !host.empty()) {
    file.table("link");
    file.word("host", host);
  }
  return file.take();
}

}  // namespace forewarp::hardware
