// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/sinks/markdown_sink.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "report/sinks/text_picture.h"

namespace forewarp::report {
namespace {

constexpr int text_width_of_code = 100;

std::string code(std::string_view text) {
  std::string inside;
  for (const char c : text) {
    if (c == '|') inside += '\\';
    inside += c == '`' ? '\'' : static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return inside.empty() ? "" : '`' + inside + '`';
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += ' ' + cell + (cell.empty() ? "|" : " |");
  return line + '\n';
}

std::string emphasised(const std::string& text, Tone tone) {
  const bool bold = tone == Tone::strong || tone == Tone::bad || tone == Tone::warning;
  return bold && !text.empty() ? "**" + text + "**" : text;
}

class Writer {
 public:
  void operator()(const Facts& facts) {
    out += "| | | |\n|---|---|---|\n";
    for (const Entry& entry : facts.entries) {
      out += line_of({markdown_escaped(entry.label),
                      emphasised(markdown_escaped(entry.value), entry.tone),
                      markdown_escaped(entry.note)});
    }
  }

  void operator()(const Note& note) {
    out += emphasised(markdown_escaped(note.text), note.tone) + '\n';
  }

  void operator()(const Curve&) {}  // a picture

  void operator()(const Lanes& lanes) {
    if (lanes.lanes.empty()) return;
    out += "```\n" + join(lane_lines(lanes, text_width_of_code), "\n") + "\n```\n";
  }

  void operator()(const Table& table) {
    if (table.rows.empty()) {
      out += "none\n";
      return;
    }
    std::vector<std::string> titles;
    std::vector<std::string> rule;
    for (const Column& column : table.columns) {
      if (column.align == Align::bar) continue;
      titles.push_back(markdown_escaped(column.title));
      rule.emplace_back(column.align == Align::right ? "---:" : "---");
    }
    out += line_of(titles) + line_of(rule);
    for (const Row& row : table.rows) out += line_of(cells_of(table, row));
  }

  std::string out;

 private:
  static std::vector<std::string> cells_of(const Table& table, const Row& row) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Align align = table.columns[i].align;
      if (align == Align::bar) continue;
      const std::string_view text = trim(row.cells[i]);
      cells.push_back(align == Align::code ? code(text) : markdown_escaped(text));
    }
    if (!cells.empty()) cells.front() = emphasised(cells.front(), row.tone);
    return cells;
  }
};

}  // namespace

std::string markdown_escaped(std::string_view text) {
  constexpr std::string_view special = "\\`*_|[]#";
  std::string safe;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) safe += '\\';
    if (c == '<') {
      safe += "&lt;";
    } else if (c == '&') {
      safe += "&amp;";
    } else {
      safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return safe;
}

std::string markdown(const Section& section) {
  Writer writer;
  writer.out = "## " + markdown_escaped(section.title) + "\n";
  if (!section.aside.empty()) writer.out += "\n" + code(section.aside) + "\n";
  for (const Block& block : section.blocks) {
    writer.out += '\n';
    std::visit(writer, block);
  }
  return std::move(writer.out);
}

}  // namespace forewarp::report
