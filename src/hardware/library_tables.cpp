// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/library_tables.h"

#include <optional>
#include <set>

#include "base/text.h"
#include "hardware/fact_file.h"
#include "hardware/schema.h"

namespace forewarp::hardware {
namespace {

constexpr std::string_view file_name = "libraries/nvidia.toml";
constexpr const char* way_out = "see docs/data.md";

/// Takes positive numbers without a unit out of the facts; keeps the first fault.
class LibraryReader {
 public:
  explicit LibraryReader(const FactFile& file) : file_(file) {}

  void number(const std::string& path, double& to) {
    const Fact* const fact = find(path);
    if (fact == nullptr) return;
    if (fact->value > 0) {
      to = fact->value;
    } else {
      refuse(*fact, path, significant(fact->value), "a number above zero");
    }
  }
  void kernels(const std::string& unit, ProductKernels& to) {
    const Fact* const rows = find(unit + ".rows");
    const Fact* const columns = find(unit + ".columns");
    const Fact* const issue = find(unit + ".issue");
    number(unit + ".share", to.share);
    if (rows == nullptr || columns == nullptr || issue == nullptr) return;
    const std::size_t count = rows->values.size();
    if (count == 0 || columns->values.size() != count || issue->values.size() != count)
      return refuse(*columns, unit + ".columns",
                    std::to_string(columns->values.size()) + " numbers",
                    "as many as there are rows and shares of the issue");
    for (std::size_t i = 0; i < count; ++i) {
      to.tiles.push_back({rows->values[i], columns->values[i], issue->values[i]});
      const auto& tile = to.tiles.back();
      if (!(tile.rows > 0 && tile.columns > 0 && tile.issue > 0))
        return refuse(*rows, unit + ".rows", "not above zero", "tiles above zero");
    }
  }
  /// The first fault, or a number that nothing reads.
  [[nodiscard]] std::optional<Diagnostic> fault() const {
    if (fault_) return fault_;
    for (const auto& [path, fact] : file_.facts) {
      if (read_.contains(path) || path == "name") continue;
      const std::vector<std::string> known(read_.begin(), read_.end());
      return Diagnostic{place_in_file(fact.file, fact.line),
                        "no number of libraries is named '" + path + "'",
                        join(nearest(path, known), " or "), way_out};
    }
    return std::nullopt;
  }

 private:
  const Fact* find(const std::string& path) {
    read_.insert(path);
    const auto found = file_.facts.find(path);
    if (found == file_.facts.end()) {
      if (!fault_)
        fault_ = Diagnostic{file_.file, "'" + path + "' is missing", "a number", way_out};
      return nullptr;
    }
    if (found->second.unit != "1") {
      refuse(found->second, path, "in '" + found->second.unit + "'", "a number with the unit 1");
      return nullptr;
    }
    return &found->second;
  }
  void refuse(const Fact& fact, const std::string& path, const std::string& what,
              const std::string& expected) {
    if (fault_) return;
    fault_ = Diagnostic{place_in_file(fact.file, fact.line), "'" + path + "' is " + what, expected,
                        way_out};
  }

  const FactFile& file_;
  std::set<std::string> read_;
  std::optional<Diagnostic> fault_;
};

Expected<LibraryTables> build(const FactFile& file) {
  LibraryTables tables;
  tables.name = file.word("name");
  tables.file = file.file;
  LibraryReader read(file);
  read.kernels("fp32", tables.fp32);
  read.number("fp32.share_common", tables.fp32.share_common);
  read.kernels("fp64", tables.fp64);
  read.kernels("tensor", tables.tensor);
  read.number("split.most", tables.most_splits);
  read.number("split.least_depth", tables.least_depth);
  read.number("start.latencies", tables.start_latencies);
  read.number("fft.largest_factor", tables.largest_factor);
  read.number("fft.operations", tables.fft_operations);
  read.number("fft.share", tables.fft_share);
  read.number("random.xorwow", tables.xorwow);
  read.number("random.philox", tables.philox);
  read.number("random.mersenne", tables.mersenne);
  read.number("random.mrg", tables.mrg);
  if (auto fault = read.fault()) return *std::move(fault);
  return tables;
}

}  // namespace

Expected<LibraryTables> load_library_tables(const std::filesystem::path& data_directory) {
  const auto file = read_fact_file(data_directory / file_name, "data/" + std::string(file_name));
  if (!file) return file.error();
  return build(*file);
}

Expected<LibraryTables> parse_library_tables(std::string_view toml, std::string_view name) {
  const auto file = parse_fact_file(toml, name);
  if (!file) return file.error();
  return build(*file);
}

}  // namespace forewarp::hardware
