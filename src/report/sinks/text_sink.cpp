// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/sinks/text_sink.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/text_columns.h"
#include "report/sinks/text_picture.h"

namespace forewarp::report {
namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t gap = 2;
constexpr std::size_t bar_width = 20;
constexpr std::size_t least_label = 10;
constexpr std::size_t most_value = 18;  // longer values push their own remark only

std::string cleaned(std::string_view text) {
  std::string clean(text);
  for (char& c : clean) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = c == '\n' || c == '\t' ? ' ' : '?';
  }
  return clean;
}

std::string_view escape_of(Tone tone) {
  switch (tone) {
    case Tone::strong:
      return "\x1b[1m";
    case Tone::good:
      return "\x1b[32m";
    case Tone::warning:
      return "\x1b[33m";
    case Tone::bad:
      return "\x1b[1;31m";
    case Tone::faint:
      return "\x1b[2m";
    case Tone::plain:
      break;
  }
  return "";
}

std::string painted(std::string text, Tone tone, const TextStyle& style) {
  if (!style.colour || tone == Tone::plain || text.empty()) return text;
  return std::string(escape_of(tone)) + text + "\x1b[0m";
}

std::string bar(double share) {
  const double cut = share > 0 ? std::min(share, 1.0) : 0;  // not a number: nothing
  auto filled = static_cast<std::size_t>(std::lround(cut * bar_width));
  if (cut > 0) filled = std::max<std::size_t>(filled, 1);
  if (cut < 1) filled = std::min(filled, bar_width - 1);
  return std::string(filled, '#') + std::string(bar_width - filled, '.');
}

std::size_t columns_left(const TextStyle& style, std::size_t used) {
  const auto width = static_cast<std::size_t>(std::max(style.width, 0));
  return std::max<std::size_t>(20, width > used ? width - used : 0);
}

/// The sentence wrapped behind `head`, later lines under its first column.
void append_hanging(std::vector<std::string>& lines, const std::string& head, std::size_t column,
                    const std::vector<std::string>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    lines.push_back((i == 0 ? head : std::string(column, ' ')) + parts[i]);
  }
  if (parts.empty()) lines.push_back(head);
}

/// A table and facts beside each other would read as one; a note belongs to its neighbour.
bool wants_gap(const Block& before, const Block& after) {
  const auto is_note = [](const Block& block) { return std::holds_alternative<Note>(block); };
  const auto is_picture = [](const Block& block) { return std::holds_alternative<Lanes>(block); };
  if (is_picture(before) || is_picture(after)) return true;
  return (std::holds_alternative<Table>(before) || std::holds_alternative<Table>(after)) &&
         !is_note(before) && !is_note(after);
}

class Printer {
 public:
  explicit Printer(const TextStyle& style) : style_(style) {}

  void title(const Section& section) {
    if (section.title.empty()) return;
    const std::string title = cleaned(section.title);
    const std::string aside = cleaned(section.aside);
    std::string line = painted(title, Tone::strong, style_);
    if (!aside.empty()) {
      const std::size_t used = text_width(title) + text_width(aside);
      const auto width = static_cast<std::size_t>(std::max(style_.width, 0));
      line += std::string(std::max<std::size_t>(gap, width > used ? width - used : 0), ' ');
      line += painted(aside, Tone::faint, style_);
    }
    lines.push_back(line);
  }

  void operator()(const Facts& facts) {
    std::size_t label = least_label;
    std::size_t value = 0;
    for (const Entry& entry : facts.entries) {
      label = std::max(label, text_width(entry.label));
      if (!entry.note.empty()) value = std::max(value, text_width(entry.value));
    }
    for (const Entry& entry : facts.entries) fact(entry, indent + label + gap, value);
  }

  void operator()(const Note& note) {
    for (const std::string& part : wrapped(cleaned(note.text), columns_left(style_, indent))) {
      lines.push_back(std::string(indent, ' ') + painted(part, note.tone, style_));
    }
  }

  /// A picture: as text only its marked point and its best points are worth a line.
  void operator()(const Curve& curve) {
    if (curve.x_end) return add_picture(course_lines(curve, style_.width));
    double best = 0;
    for (const auto& [x, y] : curve.points) best = std::max(best, y);
    std::string text = curve.y_title + " at most " + significant(best) + ", at " + curve.x_title;
    for (const auto& [x, y] : curve.points) {
      if (y >= best) text += ' ' + significant(x);
    }
    if (!curve.points.empty()) (*this)(Note{text, Tone::faint});
  }

  void operator()(const Lanes& lanes) { add_picture(lane_lines(lanes, style_.width)); }

  void operator()(const Table& table) {
    if (table.rows.empty()) return (*this)(Note{"none", Tone::faint});
    if (table.legend) legend(table);
    const std::vector<std::size_t> widths = column_widths(table);
    std::vector<std::string> titles;
    for (const Column& column : table.columns) titles.push_back(column.title);
    table_row(table, Row{titles, Tone::faint, std::nullopt}, widths);
    for (const Row& row : table.rows) table_row(table, row, widths);
  }

  std::vector<std::string> lines;

 private:
  void add_picture(const std::vector<std::string>& picture) {
    for (const std::string& line : picture) {
      lines.push_back((line.empty() ? "" : std::string(indent, ' ')) + cleaned(line));
    }
  }

  void fact(const Entry& entry, std::size_t column, std::size_t value_width) {
    const std::string value = cleaned(entry.value);
    std::string head = padded(std::string(indent, ' ') + cleaned(entry.label), column, false);
    if (entry.note.empty()) {
      std::vector<std::string> parts = wrapped(value, columns_left(style_, column));
      for (std::string& part : parts) part = painted(part, entry.tone, style_);
      return append_hanging(lines, head, column, parts);
    }
    const std::size_t room = std::max(std::min(value_width, most_value), text_width(value)) + gap;
    const std::size_t note_column = column + room;
    head += painted(value, entry.tone, style_) + std::string(room - text_width(value), ' ');
    append_hanging(lines, head, note_column,
                   wrapped(cleaned(entry.note), columns_left(style_, note_column)));
  }

  void legend(const Table& table) {
    std::size_t width = 0;
    for (const Column& column : table.columns) width = std::max(width, text_width(column.title));
    for (const Column& column : table.columns) {
      if (column.meaning.empty()) continue;
      const std::string line =
          std::string(indent, ' ') + padded(column.title, width, false) + "  " + column.meaning;
      lines.push_back(painted(line, Tone::faint, style_));
    }
    lines.emplace_back();
  }

  /// Natural widths; a column of sentences gives way until the table fits.
  [[nodiscard]] std::vector<std::size_t> column_widths(const Table& table) const {
    std::vector<std::size_t> widths;
    std::size_t total = indent;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      std::size_t width = text_width(table.columns[i].title);
      if (table.columns[i].align == Align::bar) width = bar_width;
      for (const Row& row : table.rows) width = std::max(width, text_width(row.cells[i]));
      widths.push_back(width);
      total += width + gap;
    }
    const auto limit = static_cast<std::size_t>(std::max(style_.width, 40)) + gap;
    for (std::size_t i = 0; i < widths.size() && total > limit; ++i) {
      if (table.columns[i].align != Align::text) continue;
      const std::size_t least = std::min<std::size_t>(widths[i], 24);
      const std::size_t cut = std::min(widths[i] - least, total - limit);
      widths[i] -= cut;
      total -= cut;
    }
    return widths;
  }

  void table_row(const Table& table, const Row& row, const std::vector<std::size_t>& widths) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const Align align = table.columns[i].align;
      const std::string text = cleaned(row.cells[i]);
      if (align == Align::bar && row.bar) {
        cells.push_back({bar(*row.bar)});
      } else if (align == Align::text) {
        cells.push_back(wrapped(text, widths[i]));
      } else {
        cells.push_back({text});
      }
      height = std::max(height, cells.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::string text;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::string cell = line < cells[i].size() ? cells[i][line] : "";
        text += padded(cell, widths[i], table.columns[i].align == Align::right);
        text.append(gap, ' ');
      }
      text.erase(text.find_last_not_of(' ') + 1);
      lines.push_back(std::string(indent, ' ') + painted(text, row.tone, style_));
    }
  }

  const TextStyle& style_;
};

}  // namespace

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (!lines.empty() && text_width(lines.back()) + 1 + text_width(word) <= width) {
      lines.back() += ' ';
      lines.back() += word;
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

std::vector<std::string> text_lines(const Section& section, const TextStyle& style) {
  Printer printer(style);
  printer.title(section);
  for (std::size_t i = 0; i < section.blocks.size(); ++i) {
    if (i > 0 && wants_gap(section.blocks[i - 1], section.blocks[i])) printer.lines.emplace_back();
    std::visit(printer, section.blocks[i]);
  }
  return std::move(printer.lines);
}

}  // namespace forewarp::report
