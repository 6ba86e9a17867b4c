// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_markers.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "input/sass/instruction_line.h"
#include "input/toolkit/source_words.h"
#include "program/source_place.h"

namespace forewarp::input {
namespace {

/// Path and line.
using Place = std::pair<std::string, std::uint32_t>;
/// By function and address.
using Places = std::map<std::string, std::map<std::uint64_t, Place>, std::less<>>;

/// The address in "        /*01a0*/   MOV R1, R2 ;".
std::optional<std::uint64_t> address_of(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("/*")) return std::nullopt;
  const std::size_t end = line.find("*/");
  if (end == line.npos || end < 3 || line.substr(2, 2) == "0x" || line[2] == ' ') {
    return std::nullopt;
  }
  return parse_natural("0x" + std::string(line.substr(2, end - 2)));
}

/// Reads the disassembler's source lines, one call chain at a time.
class DumpReader {
 public:
  explicit DumpReader(const SourcePlaces& where) : where_(where) {}

  void read(std::string_view line) {
    const std::string_view text = trim(line);
    if (text.starts_with(".text.") && text.ends_with(':')) {
      function_ = &places_[std::string(text.substr(6, text.size() - 7))];
      place_.reset();
    } else if (text.starts_with("//##")) {
      read_marker(text);
    } else if (const auto address = address_of(text); address && function_ != nullptr) {
      in_chain_ = false;
      if (place_) function_->emplace(*address, *place_);
    }
  }
  [[nodiscard]] Places take() { return std::move(places_); }

 private:
  void read_marker(std::string_view text) {
    SourceMarker marker;
    if (!read_source_marker(text, marker)) return;
    const std::string file = std::filesystem::path(marker.file).lexically_normal().string();
    const bool of_toolkit = !where_.toolkit.empty() && file.starts_with(where_.toolkit);
    const bool better = !in_chain_ || (chain_in_toolkit_ && !of_toolkit);
    if (better) {
      place_ = Place(file == where_.source ? std::string(own_source) : file, marker.line);
      chain_in_toolkit_ = of_toolkit;
    }
    in_chain_ = true;
  }

  const SourcePlaces& where_;
  Places places_;
  std::map<std::uint64_t, Place>* function_ = nullptr;
  std::optional<Place> place_;
  bool in_chain_ = false, chain_in_toolkit_ = false;
};

}  // namespace

std::string with_source_markers(std::string_view listing, std::string_view dump,
                                const SourcePlaces& where) {
  DumpReader reader(where);
  for (const std::string_view line : split(dump, '\n')) reader.read(line);
  const Places places = reader.take();
  if (places.empty()) return std::string(listing);
  const std::map<std::uint64_t, Place>* known = nullptr;
  const Place* last = nullptr;
  std::string result;
  for (const std::string_view line : split(listing, '\n')) {
    if (line.starts_with(function_heading)) {
      const auto found = places.find(line.substr(function_heading.size()));
      known = found == places.end() ? nullptr : &found->second;
      last = nullptr;
    } else if (const auto address = known != nullptr ? address_of(line) : std::nullopt) {
      const auto place = known->find(*address);
      if (place != known->end() && (last == nullptr || *last != place->second)) {
        last = &place->second;
        result +=
            "\t//## File \"" + last->first + "\", line " + std::to_string(last->second) + '\n';
      }
    }
    (result += line) += '\n';
  }
  if (!result.empty()) result.pop_back();
  return result;
}

}  // namespace forewarp::input
