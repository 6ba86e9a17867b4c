// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html/markup.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/markup_text.h"
#include "base/text.h"
#include "report/html/course_chart.h"
#include "report/html/lanes_chart.h"
#include "report/html/occupancy_chart.h"

namespace forewarp::report::html {
namespace {

std::string_view class_of(Align align) {
  switch (align) {
    case Align::right:
      return "right";
    case Align::text:
      return "text";
    case Align::code:
      return "code";
    case Align::bar:
      return "bar";
    case Align::left:
      break;
  }
  return "left";
}

std::string bar_cell(const Row& row) {
  if (!row.bar) return "<td class=\"bar none\"></td>";
  return fmt::format(R"(<td class="bar"><span style="width:{:.1f}%"></span></td>)",
                     *row.bar > 0 ? 100 * std::min(*row.bar, 1.0) : 0.0);
}

/// `key`: what the cell sorts by where its text has a unit.
std::string cell(const Column& column, const std::string& text, std::optional<double> key) {
  const std::string sort = key ? fmt::format(R"( data-key="{:.6g}")", *key) : "";
  return fmt::format(R"(<td class="{}"{}>{}</td>)", class_of(column.align), sort, escaped(text));
}

std::string row_markup(const Table& table, const Row& row) {
  std::string classes(html::class_of(row.tone));
  std::string style;
  if (row.heat > 0.02) {
    classes += classes.empty() ? "heat" : " heat";
    style = fmt::format(R"( style="--h:{:.2f}")", std::min(row.heat, 1.0));
  }
  std::string out = classes.empty() ? "<tr>" : fmt::format(R"(<tr class="{}"{}>)", classes, style);
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const Column& column = table.columns[i];
    const bool drawn = i + 1 < row.cells.size() && table.columns[i + 1].align == Align::bar;
    out += column.align == Align::bar ? bar_cell(row)
                                      : cell(column, row.cells[i], drawn ? row.bar : std::nullopt);
  }
  return out + "</tr>\n";
}

std::string legend_markup(const Table& table) {
  std::string out = "<dl class=\"legend\">";
  for (const Column& column : table.columns) {
    if (column.meaning.empty()) continue;
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(column.title),
                       escaped(column.meaning));
  }
  return out + "</dl>\n";
}

std::string head_markup(const Column& column, bool sortable) {
  std::string attributes = fmt::format(R"(class="{}")", class_of(column.align));
  if (sortable && !column.title.empty()) {
    attributes = fmt::format(R"(class="{} sortable" tabindex="0")", class_of(column.align));
  }
  if (!column.meaning.empty()) attributes += fmt::format(R"( title="{}")", escaped(column.meaning));
  return fmt::format("<th {}>{}</th>", attributes, escaped(column.title));
}

class Writer {
 public:
  explicit Writer(bool sortable) : sortable_(sortable) {}

  void operator()(const Facts& facts) {
    out += "<dl class=\"facts\">\n";
    for (const Entry& entry : facts.entries) {
      out += fmt::format(R"(<dt>{}</dt><dd class="value {}">{}</dd><dd class="note">{}</dd>)",
                         escaped(entry.label), html::class_of(entry.tone), escaped(entry.value),
                         escaped(entry.note));
      out += '\n';
    }
    out += "</dl>\n";
  }

  void operator()(const Note& note) {
    out +=
        fmt::format("<p class=\"note {}\">{}</p>\n", html::class_of(note.tone), escaped(note.text));
  }

  void operator()(const Curve& curve) {
    if (!curve.points.empty()) out += curve.x_end ? course_chart(curve) : occupancy_chart(curve);
  }

  void operator()(const Lanes& lanes) {
    if (!lanes.lanes.empty()) out += lanes_chart(lanes);
  }

  void operator()(const Table& table) {
    if (table.rows.empty()) {
      out += "<p class=\"note faint\">none</p>\n";
      return;
    }
    if (table.legend) out += legend_markup(table);
    out += "<div class=\"scroll\"><table>\n<thead><tr>";
    for (const Column& column : table.columns) out += head_markup(column, sortable_);
    out += "</tr></thead>\n<tbody>\n";
    for (const Row& row : table.rows) out += row_markup(table, row);
    out += "</tbody></table></div>\n";
  }

  std::string out;

 private:
  bool sortable_;
};

}  // namespace

std::string_view class_of(Tone tone) {
  switch (tone) {
    case Tone::strong:
      return "strong";
    case Tone::good:
      return "good";
    case Tone::warning:
      return "warning";
    case Tone::bad:
      return "bad";
    case Tone::faint:
      return "faint";
    case Tone::plain:
      break;
  }
  return "";
}

bool is_empty(const Section& section) {
  return std::ranges::all_of(section.blocks, [](const Block& block) {
    const Table* table = std::get_if<Table>(&block);
    const Note* note = std::get_if<Note>(&block);
    return (table != nullptr && table->rows.empty()) ||
           (note != nullptr && note->tone == Tone::faint);
  });
}

std::string section_markup(const Section& section, std::string_view name, bool sortable) {
  Writer writer(sortable);
  for (const Block& block : section.blocks) std::visit(writer, block);
  return fmt::format(
      "<section class=\"view-{0}{1}\">\n<div class=\"section-head\"><h2>{2}</h2>"
      "<span class=\"aside\">{3}</span></div>\n{4}</section>\n",
      escaped(name), section.narrow ? " half" : "", escaped(section.title), escaped(section.aside),
      writer.out);
}

}  // namespace forewarp::report::html
