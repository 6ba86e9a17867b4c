// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace forewarp::report {

/// The content of a view, independent of the format: views fill it, sinks turn it into text,
/// markdown or HTML. Strings are plain text; a sink escapes what its format needs.
enum class Tone { plain, strong, good, warning, bad, faint };

/// A labelled value with a remark beside it.
struct Entry {
  std::string label, value, note;
  Tone tone = Tone::plain;
};

struct Facts {
  std::vector<Entry> entries;
};

/// `text` wraps to the width at hand; `bar` has no cell text: it draws the row's bar, which is the
/// number of the column before it.
enum class Align { left, right, text, code, bar };

struct Column {
  std::string title;
  Align align = Align::left;
  std::string meaning;  ///< for the legend; empty when the title says it
};

struct Row {
  std::vector<std::string> cells;  ///< one per column
  Tone tone = Tone::plain;
  std::optional<double> bar;  ///< 0..1; larger values are cut to 1
  double heat = 0;            ///< 0..1: how much this row matters, for pictures
};

struct Table {
  std::vector<Column> columns;
  std::vector<Row> rows;
  bool legend = false;  ///< print the columns' meanings above
};

struct Note {
  std::string text;
  Tone tone = Tone::plain;
};

/// A step curve with one point marked; with `x_end` the course of something over time, in which a
/// value holds from its point to the next.
struct Curve {
  std::string x_title, y_title;
  std::vector<std::pair<double, double>> points;
  double y_top = 0;              ///< upper end of the scale
  std::optional<double> marked;  ///< x of the point to mark
  std::optional<double> line;    ///< a horizontal line, e.g. what is needed
  std::string line_title;
  std::optional<double> x_end;
};

/// What happened in several lanes over one axis.
struct Lanes {
  struct Kind {
    std::string label;
    char symbol = '?';  ///< in text
    int colour = 0;     ///< of the page's series; from 8 on the same ones, paler
  };
  struct Piece {
    double from = 0, to = 0;
    std::size_t kind = 0;
  };
  struct Lane {
    std::string label;
    std::vector<Piece> pieces;  ///< by rising `from`; nothing happens between them
  };
  std::string x_title;
  double end = 0;  ///< the axis begins at 0
  std::vector<Kind> kinds;
  std::vector<Lane> lanes;
};

using Block = std::variant<Facts, Table, Note, Curve, Lanes>;

struct Section {
  std::string title;
  std::string aside;  ///< stands at the right of the title
  std::vector<Block> blocks;
  bool narrow = false;  ///< half a page is enough

  void add(Block block);
};

}  // namespace forewarp::report
