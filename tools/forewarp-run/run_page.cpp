// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "run_page.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/content.h"
#include "report/html/markup.h"
#include "report/html/page.h"

namespace forewarp::cli {
namespace {

using program_run::Journal;
using program_run::RunSummary;
using report::Align;
using report::Lanes;
using report::Row;
using report::Section;
using report::Table;
using report::Tone;

constexpr double ns_per_ms = 1e6;
constexpr std::size_t most_kinds = 8;  // kernels with a colour of their own
constexpr double finest = 1.0 / 2000;  // of the axis: pieces closer than this are drawn as one
constexpr std::size_t most_predictions = 64;  // rows of the table of launches

std::string milliseconds(double ms) {
  return fmt::format("{:.5g}", ms);
}

std::string extent_text(const std::array<std::uint32_t, 3>& extent) {
  std::string text = std::to_string(extent[0]);
  if (extent[1] != 1 || extent[2] != 1) text += "x" + std::to_string(extent[1]);
  if (extent[2] != 1) text += "x" + std::to_string(extent[2]);
  return text;
}

/// A lane per stream of each device.
class Timeline {
 public:
  Timeline(const Journal& journal, const RunSummary& summary) {
    lanes_.x_title = "ms";
    for (const auto& kernel : summary.kernels) {
      if (kinds_.size() == most_kinds) break;
      kind_of(kernel.name, static_cast<int>(kinds_.size()));
    }
    for (const auto& launch : journal.launches) {
      if (launch.state == "unselected") continue;
      const auto kernel = journal.kernels.find(launch.kernel);
      const std::string name = kernel == journal.kernels.end() ? "" : kernel->second.name;
      const bool own = kinds_.contains(name);
      put(launch.device, launch.stream, launch.begin, launch.end,
          own ? kinds_.at(name) : kind_of("other kernels", most_kinds));
    }
    for (const auto& copy : journal.copies) {
      if (copy.what == "h2h") continue;
      put(copy.device, copy.stream, copy.begin, copy.end,
          kind_of(copy.what == "fill" ? "fill" : "copy " + copy.what,
                  static_cast<int>(most_kinds + kinds_.size())));
    }
  }

  [[nodiscard]] Lanes lanes() && {
    for (auto& [stream, pieces] : by_stream_) {
      std::sort(pieces.begin(), pieces.end(),
                [](const auto& a, const auto& b) { return a.from < b.from; });
      Lanes::Lane lane;
      lane.label = fmt::format("device {}, stream {}", stream.first, stream.second);
      for (const Lanes::Piece& piece : pieces) {
        const bool joins = !lane.pieces.empty() && lane.pieces.back().kind == piece.kind &&
                           piece.from - lane.pieces.back().to < finest * lanes_.end;
        if (joins) {
          lane.pieces.back().to = std::max(lane.pieces.back().to, piece.to);
        } else if (lane.pieces.empty() || piece.to - lane.pieces.back().to > finest * lanes_.end) {
          lane.pieces.push_back(piece);
        }
      }
      lanes_.lanes.push_back(std::move(lane));
    }
    return std::move(lanes_);
  }

 private:
  std::size_t kind_of(const std::string& label, int colour) {
    const auto [at, added] = kinds_.try_emplace(label, lanes_.kinds.size());
    if (added) {
      const auto letter = static_cast<char>('a' + static_cast<int>(lanes_.kinds.size() % 26));
      lanes_.kinds.push_back({label, letter, colour});
    }
    return at->second;
  }
  void put(std::uint32_t device, std::uint64_t stream, program_run::Nanoseconds begin,
           program_run::Nanoseconds end, std::size_t kind) {
    const double from = static_cast<double>(begin) / ns_per_ms;
    const double to = static_cast<double>(end) / ns_per_ms;
    by_stream_[{device, stream}].push_back({from, to, kind});
    lanes_.end = std::max(lanes_.end, to);
  }

  Lanes lanes_;
  std::map<std::string, std::size_t> kinds_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<Lanes::Piece>> by_stream_;
};

Section times_of(const RunSummary& s) {
  Section section{s.process.program, s.process.device, {}};
  report::Facts facts;
  facts.entries = {
      {"time", milliseconds(s.elapsed_ms) + " ms", "from the first call to the end", Tone::strong},
      {"device busy", milliseconds(s.busy_ms) + " ms", "", Tone::plain},
      {"host", milliseconds(s.host_ms) + " ms", "between calls", Tone::plain},
      {"launches", std::to_string(s.launches), fmt::format("{} executed", s.executed),
       Tone::plain}};
  section.add(std::move(facts));
  if (!s.computed)
    section.add(
        report::Note{"not every launch was computed: results that depend on them are not "
                     "the program's",
                     Tone::warning});
  if (s.library_calls != 0) section.add(report::Note{program_run::library_text(s), Tone::plain});
  if (s.unselected != 0) section.add(report::Note{program_run::unselected_text(s), Tone::warning});
  if (!s.ended) section.add(report::Note{program_run::end_text(s), Tone::bad});
  for (const std::string& failure : s.unpredicted)
    section.add(report::Note{"no time: " + failure, Tone::warning});
  for (const auto& message : s.messages)
    section.add(report::Note{message.kind + ": " + message.text,
                             message.kind == "error" ? Tone::bad : Tone::plain});
  return section;
}

Section kernels_of(const RunSummary& s) {
  Section section{"kernels", "", {}};
  Table table;
  table.columns = {{"kernel", Align::left, ""},     {"launches", Align::right, ""},
                   {"total ms", Align::right, ""},  {"mean ms", Align::right, ""},
                   {"least ms", Align::right, ""},  {"most ms", Align::right, ""},
                   {"limited by", Align::left, ""}, {"share", Align::bar, ""}};
  double all = 0;
  for (const auto& kernel : s.kernels) all += kernel.total;
  for (const auto& kernel : s.kernels) {
    const double mean = kernel.total / static_cast<double>(kernel.launches);
    table.rows.push_back({{kernel.name, std::to_string(kernel.launches), milliseconds(kernel.total),
                           milliseconds(mean), milliseconds(kernel.least),
                           milliseconds(kernel.most), kernel.limited_by, ""},
                          Tone::plain,
                          all > 0 ? kernel.total / all : 0,
                          0});
  }
  section.add(std::move(table));
  return section;
}

Section predictions_of(const Journal& journal) {
  Section section{"predicted launches", "", {}};
  Table table;
  table.columns = {{"kernel", Align::left, ""},   {"grid", Align::left, ""},
                   {"block", Align::left, ""},    {"ms", Align::right, ""},
                   {"from ms", Align::right, ""}, {"to ms", Align::right, ""},
                   {"model", Align::left, ""},    {"limited by", Align::left, ""}};
  for (const auto& [id, p] : journal.predictions) {
    if (table.rows.size() == most_predictions) break;
    const auto kernel = journal.kernels.find(p.kernel);
    table.rows.push_back({{kernel == journal.kernels.end() ? "" : kernel->second.name,
                           extent_text(p.grid), extent_text(p.block), milliseconds(p.ms),
                           milliseconds(p.low_ms), milliseconds(p.high_ms), p.model, p.limited_by},
                          p.failure.empty() ? Tone::plain : Tone::warning,
                          {},
                          0});
  }
  section.add(std::move(table));
  return section;
}

Section copies_of(const RunSummary& s) {
  Section section{"copies", "", {}};
  Table table;
  table.columns = {{"copy", Align::left, ""},
                   {"host memory", Align::left, ""},
                   {"copies", Align::right, ""},
                   {"bytes", Align::right, ""},
                   {"total ms", Align::right, ""}};
  for (const auto& copy : s.copies) {
    table.rows.push_back({{copy.what, copy.memory, std::to_string(copy.copies),
                           std::to_string(copy.bytes), milliseconds(copy.total)},
                          Tone::plain,
                          {},
                          0});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace

std::string run_page(const std::vector<Journal>& processes,
                     const std::vector<RunSummary>& summaries) {
  std::string page = report::html::page_begin("Run");
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const Journal& journal = processes[i];
    const RunSummary& summary = summaries[i];
    page += report::html::section_markup(times_of(summary), "run");
    if (!journal.launches.empty() || !journal.copies.empty()) {
      Section section{"timeline", "", {}};
      section.add(Timeline(journal, summary).lanes());
      page += report::html::section_markup(section, "timeline");
    }
    if (!summary.kernels.empty()) {
      page += report::html::section_markup(kernels_of(summary), "kernels", true);
      page += report::html::section_markup(predictions_of(journal), "launches", true);
    }
    if (!summary.copies.empty())
      page += report::html::section_markup(copies_of(summary), "copies", true);
  }
  return page + report::html::page_end(true);
}

}  // namespace forewarp::cli
