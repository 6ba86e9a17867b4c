// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "measured/points/csv_table.h"
#include "measured/points/measured_set.h"
#include "request/text/plain_value.h"
#include "request/text/value_cursor.h"

namespace forewarp::measured {

/// A condition on rows: a column's word is (or is not) among some, or an expression is not 0.
struct RowCondition {
  std::string name;  ///< of [[apart]]: printed with the rows
  std::string column, test;
  std::vector<std::string> among, none_of;
};

/// A column made from another by a table of words; a word that the table lacks is kept. `from` may
/// be a text with {column} instead of a name.
struct WordTable {
  std::string column, from;
  std::vector<std::pair<std::string, std::string>> words;
};

/// A column cut out of another one's text: the first group of a pattern, empty without a match.
struct CutColumn {
  std::string column, from;
  std::regex pattern;
};

/// How a set's source code becomes the program of each row. Several files are joined in this order.
struct SourceCode {
  std::vector<std::string> files;    ///< looked for in the source folders; texts with {column}
  std::string prepended;             ///< own lines in front, a text with {column}
  std::string appended;              ///< own lines at the end, likewise
  std::vector<std::string> defines;  ///< columns that become macros
  std::vector<std::string> options;  ///< of the compiler; texts with {column}
  std::vector<std::pair<std::string, std::string>> replacements;  ///< of texts, in a copy
};

/// Keys of a case that replace the description's own in rows whose column has the word. Of `code`
/// only what is not empty replaces.
struct WordCase {
  std::string column, word;
  PlainValue request;
  SourceCode code;
};

/// How rows of a CSV file become cases: keys of a case (contract of cases files), whose texts may
/// hold {column} and whose numbers may be expressions; and which rows are used. docs/validate.md
/// has every key.
struct SetDescription {
  ValueOrigin origin;
  std::string name, title, source, csv;
  std::string registers;                ///< column: registers of the measured program
  std::string baseline_bytes;           ///< expression: bytes that any program must move
  std::string reference, reference_ms;  ///< another predictor; its time, an expression
  PlainValue request;                   ///< the keys of a case, as patterns
  std::vector<WordCase> by_word;
  std::vector<CutColumn> cuts;
  std::vector<WordTable> words;
  std::vector<std::pair<std::string, std::string>> numbers;  ///< new columns, in the file's order
  std::vector<RowCondition> where, apart;
  std::optional<SourceCode> code;
  std::map<std::string, std::vector<FactOverride>> left_out;
};

/// What a file describes: measurements, or configurations that could be measured. The latter needs
/// no table, has further keys for the configurations, and none for how rows are judged.
enum class DescriptionOf { measurements, configurations };

/// Reads a description. With the key `base`, keys that this file lacks come from the file of that
/// name beside it, a description of measurements.
Expected<SetDescription> parse_description(std::string_view toml, const std::filesystem::path& file,
                                           DescriptionOf kind = DescriptionOf::measurements);

/// Path of the description's table: beside it, else in a folder of --data.
Expected<std::string> find_table(const SetDescription& about, const MeasuredOptions& options);

/// The points of a table as the description says.
Expected<MeasuredSet> described_points(const SetDescription& about, const CsvTable& table,
                                       const MeasuredOptions& options);

}  // namespace forewarp::measured
