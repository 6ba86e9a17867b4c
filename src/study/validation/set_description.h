// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "request/text/plain_value.h"
#include "request/text/value_cursor.h"
#include "study/validation/csv_table.h"
#include "study/validation/measured_set.h"

namespace forewarp::study {

/// Which rows: a column's word among some or none of some, or an expression that is not 0.
struct RowCondition {
  std::string name;  ///< of [[apart]]: printed with the rows
  std::string column, test;
  std::vector<std::string> among, none_of;
};

/// A column made of another by a table of words; a word that the table lacks stays. `from` may be a
/// text with {column} instead of a name.
struct WordTable {
  std::string column, from;
  std::vector<std::pair<std::string, std::string>> words;
};

/// A column cut out of another one's text: the first group of a pattern, empty without a match.
struct CutColumn {
  std::string column, from;
  std::regex pattern;
};

/// How source code of a set becomes what each row ran: several files are parts of one source, in
/// this order.
struct SourceCode {
  std::vector<std::string> files;    ///< looked for in the source folders; texts with {column}
  std::string prepended;             ///< own lines before them, a text with {column}
  std::string appended;              ///< and after them
  std::vector<std::string> defines;  ///< columns that become macros
  std::vector<std::string> options;  ///< of the compiler; texts with {column}
  std::vector<std::pair<std::string, std::string>> replacements;  ///< of text in a copy
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
  std::string reference, reference_ms;  ///< who else predicted, and an expression: what
  PlainValue request;                   ///< the keys of a case, as patterns
  std::vector<WordCase> by_word;
  std::vector<CutColumn> cuts;
  std::vector<WordTable> words;
  std::vector<std::pair<std::string, std::string>> numbers;  ///< new columns, in the file's order
  std::vector<RowCondition> where, apart;
  std::optional<SourceCode> code;
  std::map<std::string, std::vector<FactOverride>> left_out;
};

/// What a description is of: measurements, or configurations that could be measured. The latter
/// needs no table, says with further keys which configurations there are, and keeps nothing of how
/// rows are judged.
enum class DescriptionOf { measurements, configurations };

/// With `base` the keys that this file lacks are those of the file of that name beside it, a
/// description of measurements.
Expected<SetDescription> parse_description(std::string_view toml, const std::filesystem::path& file,
                                           DescriptionOf kind = DescriptionOf::measurements);

/// Path of the description's table: beside it, else in the folders of --data.
Expected<std::string> find_table(const SetDescription& about, const MeasuredOptions& options);

/// The points of a table as the description says.
Expected<MeasuredSet> described_points(const SetDescription& about, const CsvTable& table,
                                       const MeasuredOptions& options);

}  // namespace forewarp::study
