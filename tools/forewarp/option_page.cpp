// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "option_page.h"

#include <array>
#include <string>

#include "base/text.h"
#include "request/options/option_table.h"

namespace forewarp::cli {

namespace {

constexpr std::array<std::string_view, 7> group_titles{"Code, GPU and launch",
                                                       "Many launches",
                                                       "Models and what-ifs",
                                                       "Clock, timing and caches",
                                                       "Execution",
                                                       "Report and output",
                                                       "Measurements"};

constexpr std::array<std::string_view, 8> effects{"",          "code",  "launch", "binding",
                                                  "execution", "model", "timing", "copies"};
constexpr std::array<std::string_view, 4> beside{"wins", "stands in", "", "refused"};

/// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string code(std::string_view text) {
  return text.empty() ? "" : "`" + cell(text) + "`";
}

std::string titles(const OptionRow& row) {
  std::string text = row.name.empty() ? "" : code(option_title(row));
  if (!row.short_name.empty()) text += " `-" + std::string(row.short_name) + "`";
  return text;
}

std::string also(const OptionRow& row) {
  std::vector<std::string> places;
  if (row.may_stand(in_launch_file)) places.emplace_back("launch file");
  if (row.may_stand(in_sweep)) places.emplace_back("sweep");
  if (row.may_stand(in_comparison)) places.emplace_back("compare");
  return join(places, ", ");
}

std::string line_of(const OptionRow& row) {
  std::vector<std::string> cells{titles(row),
                                 code(row.key),
                                 cell(row.values),
                                 std::string(row.unit),
                                 cell(row.default_text),
                                 cell(row.help),
                                 std::string(effects[static_cast<std::size_t>(row.changes)]),
                                 code(row.shown),
                                 also(row)};
  const bool flag = row.may_stand(on_command_line);
  cells.emplace_back(flag ? beside[static_cast<std::size_t>(row.beside)] : "");
  return "| " + join(cells, " | ") + " |\n";
}

}  // namespace

std::string option_page() {
  std::string page =
      "# Options of a prediction\n\n"
      "`forewarp options` writes this page from the table that the command line, cases, launch\n"
      "files, sweeps, sides of a comparison and the result's `options` are made from\n"
      "(`src/request/options/option_rows.inc`). A key stands in cases; *also* says where else "
      "the\n"
      "option may stand; *changes* is the first step of a prediction that it changes (none: the\n"
      "result stays); *in the result* is the key that tells it; *beside `--cases`* is what the\n"
      "command line's value does to the cases: it wins over theirs, stands in where they have "
      "none,\n"
      "or is refused, for a case states its own launch.\n";
  for (std::size_t group = 0; group < group_titles.size(); ++group) {
    page += "\n## " + std::string(group_titles[group]) + "\n\n";
    page +=
        "| option | key | values | unit | default | meaning | changes | in the result | also | "
        "beside `--cases` |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (const OptionRow& row : option_rows()) {
      if (static_cast<std::size_t>(row.group) == group) page += line_of(row);
    }
  }
  return page;
}

}  // namespace forewarp::cli
