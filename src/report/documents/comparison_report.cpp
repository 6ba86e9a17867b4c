// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/comparison_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "report/content.h"
#include "report/documents/document_format.h"
#include "report/html/markup.h"
#include "report/html/page.h"
#include "report/phrases.h"
#include "report/quantity.h"
#include "report/sinks/csv_sink.h"
#include "result/labels.h"

namespace forewarp::report {
namespace {

using namespace report;

constexpr double shown_bound = 0.1;    // of the tightest: bounds that matter
constexpr double shown_factor = 0.01;  // of the time

std::string change(double a, double b) {
  if (a == b) return "";
  if (!(a > 0) || !std::isfinite(b)) return b > a ? "new" : "-";
  if (b == 0) return "gone";
  return "x" + figure(b / a, 3);
}

struct Lines {
  Table table;
  void add(const std::string& name, double a, double b, std::string (*text)(double),
           Tone tone = Tone::plain) {
    if (a == 0 && b == 0) return;
    table.rows.push_back({{name, text(a), text(b), change(a, b)}, tone, {}, 0});
  }
  void add(const std::string& name, const std::string& a, const std::string& b) {
    if (a.empty() && b.empty()) return;
    table.rows.push_back(
        {{name, dash_if_empty(a), dash_if_empty(b), a == b ? "" : "other"}, Tone::plain, {}, 0});
  }
};

std::string plain(double value) {
  return value == std::floor(value) && std::fabs(value) < 1e6 ? number(value) : figure(value);
}

/// What takes no cycles is no bound.
std::string bound_text(double cycles) {
  return cycles > 0 ? plain(cycles) : "-";
}

std::string factor_values(const TimeFactor& factor) {
  if (factor.unit.empty()) return "";
  const std::string before = plain(factor.before), after = plain(factor.after);
  if (factor.vanishes()) return before + " " + factor.unit + " -> no longer a limit";
  if (factor.appears()) return "no limit before -> " + after + " " + factor.unit;
  return before + " -> " + after + " " + factor.unit;
}

void add_bounds(const Comparison& c, Lines& lines) {
  std::vector<const Result::Bound*> shown;
  for (const Result* side : {&c.a, &c.b}) {
    for (const Result::Bound& bound : side->bounds) {
      if (bound.cycles_per_warp < shown_bound * side->bounds.front().cycles_per_warp) continue;
      const bool known = std::any_of(shown.begin(), shown.end(), [&](const auto* other) {
        return other->resource == bound.resource;
      });
      if (!known) shown.push_back(&bound);
    }
  }
  for (const Result::Bound* bound : shown) {
    const auto cycles = [&](const Result& side) {
      const Result::Bound* found = bound_of(side, bound->resource);
      return found == nullptr ? 0 : found->cycles_per_warp;
    };
    lines.add("bound: " + bound->label + " (cycles/warp)", cycles(c.a), cycles(c.b), bound_text);
  }
}

std::string residency(const Result& result) {
  return std::to_string(result.occupancy.warps_per_sm) + " of " +
         std::to_string(result.occupancy.max_warps_per_sm);
}

std::string limiter(const Result& result) {
  return join(result.occupancy.limiter, ", ");
}

using Arguments = std::vector<std::pair<std::string, std::string>>;

/// A row for each that differs: all of them in one would be as wide as no terminal is.
void add_arguments(const Arguments& a, const Arguments& b, Lines& lines) {
  const auto value = [](const Arguments& arguments, const std::string& name) {
    const auto found = std::ranges::find(arguments, name, &Arguments::value_type::first);
    return found == arguments.end() ? std::string("-") : found->second;
  };
  for (const auto& [name, text] : a) {
    if (const std::string other = value(b, name); other != text)
      lines.add("argument " + name, text, other);
  }
  for (const auto& [name, text] : b) {
    if (value(a, name) == "-") lines.add("argument " + name, "-", text);
  }
}

Table side_by_side(const Comparison& c) {
  Lines lines;
  lines.table.columns = {{"", Align::left, ""},
                         {"A", Align::right, ""},
                         {"B", Align::right, ""},
                         {"change", Align::right, ""}};
  const Result &a = c.a, &b = c.b;
  lines.add("input", a.kernel.input, b.kernel.input);
  lines.add("kernel", a.kernel.name, b.kernel.name);
  lines.add("GPU", gpu_label(a), gpu_label(b));
  if (c.compared()) lines.add("clock (MHz)", a.gpu.clock_mhz, b.gpu.clock_mhz, plain);
  lines.add("grid", extent(a.launch.grid), extent(b.launch.grid));
  lines.add("block", extent(a.launch.block), extent(b.launch.block));
  add_arguments(a.launch.arguments, b.launch.arguments, lines);
  if (!c.compared()) return lines.table;
  lines.add("time", a.time_ms, b.time_ms, duration, Tone::strong);
  if (interval_text(a) != interval_text(b)) {
    lines.add("interval", interval_text(a), interval_text(b));
  }
  lines.add("model", a.model, b.model);
  lines.add("limited by", limit_label(a), limit_label(b));
  lines.add("latency (cycles)", a.latency.cycles, b.latency.cycles, plain);
  add_bounds(c, lines);
  lines.add("needed warps/SM", a.occupancy.needed_warps, b.occupancy.needed_warps, plain);
  lines.add("occupancy (warps/SM)", residency(a), residency(b));
  lines.add("occupancy limited by", limiter(a), limiter(b));
  lines.add("registers", a.kernel.registers, b.kernel.registers, plain);
  lines.add("waves", a.occupancy.waves, b.occupancy.waves, plain);
  lines.add("warp instructions", a.profile.all_instructions(), b.profile.all_instructions(),
            amount);
  lines.add("device memory read", a.profile.dram_read_bytes, b.profile.dram_read_bytes, bytes);
  lines.add("device memory written", a.profile.dram_write_bytes, b.profile.dram_write_bytes, bytes);
  lines.add("sectors loaded", a.profile.global_load_sectors, b.profile.global_load_sectors, amount);
  lines.add("L1 hit rate", a.profile.l1_hit_rate, b.profile.l1_hit_rate, percent);
  lines.add("L2 hit rate", a.profile.l2_hit_rate, b.profile.l2_hit_rate, percent);
  return lines.table;
}

Section factors_of(const Comparison& c) {
  Section section{"what the change of time is made of",
                  c.factors.empty() ? "" : "the factors multiply to x" + figure(c.ratio, 4),
                  {}};
  Table table;
  table.columns = {{"part", Align::left, ""}, {"time", Align::right, ""}, {"", Align::text, ""}};
  double others = 1;
  for (const TimeFactor& factor : c.factors) {
    if (std::fabs(factor.factor - 1) < shown_factor) {
      others *= factor.factor;
      continue;
    }
    table.rows.push_back({{factor.label, "x" + figure(factor.factor, 3), factor_values(factor)},
                          Tone::plain,
                          {},
                          0});
  }
  if (std::fabs(others - 1) > 1e-4) {
    table.rows.push_back({{"all others", "x" + figure(others, 4), ""}, Tone::faint, {}, 0});
  }
  if (!table.rows.empty()) section.add(std::move(table));
  return section;
}

/// What either side met: a comparison with a launch that is not what was meant misleads.
void add_findings(const Comparison& c, Section& head) {
  const auto has = [](const Result& side, const Result::Finding& finding) {
    return std::find(side.findings.begin(), side.findings.end(), finding) != side.findings.end();
  };
  for (const Result::Finding& finding : c.a.findings) {
    const std::string_view sides = has(c.b, finding) ? "A and B" : "A";
    head.add(
        Note{"! " + std::string(sides) + ": " + finding.kind + ": " + finding.text, Tone::warning});
  }
  for (const Result::Finding& finding : c.b.findings) {
    if (has(c.a, finding)) continue;
    head.add(Note{"! B: " + finding.kind + ": " + finding.text, Tone::warning});
  }
}

std::vector<Section> sections(const Comparison& c) {
  Section head{c.id.empty() ? "" : c.id, "", {}};
  head.add(Note{c.answer, c.compared() ? Tone::strong : Tone::bad});
  add_findings(c, head);
  Section table{"A and B", "", {}};
  table.add(side_by_side(c));
  std::vector<Section> list{head, table};
  if (!c.compared()) return list;
  if (Section factors = factors_of(c); !factors.blocks.empty()) list.push_back(factors);
  Section why{"why", "", {}};
  for (const std::string& reason : c.reasons) why.add(Note{reason, Tone::plain});
  if (!c.reasons.empty()) list.push_back(std::move(why));
  return list;
}

/// Ids that only one side has, and what the gate says.
Section verdict(const Comparisons& all) {
  Section section;
  if (!all.vanished.empty()) {
    section.add(Note{"only in A: " + join(all.vanished, ", "), Tone::warning});
  }
  if (!all.added.empty()) section.add(Note{"only in B: " + join(all.added, ", "), Tone::faint});
  for (const std::string& line : all.failures) section.add(Note{"gate: " + line, Tone::bad});
  if (all.fail_above >= 0 && all.failures.empty()) {
    section.add(
        Note{"gate: no kernel is slower by more than " + percent(all.fail_above), Tone::good});
  }
  return section;
}

std::vector<Section> all_sections(const Comparisons& all) {
  std::vector<Section> list;
  for (const Comparison& pair : all.pairs) {
    for (Section& section : sections(pair)) list.push_back(std::move(section));
  }
  if (Section end = verdict(all); !end.blocks.empty()) list.push_back(std::move(end));
  return list;
}

std::string write_text(const Comparisons& all, const TextStyle& style) {
  return as_text(all_sections(all), style);
}

std::string write_markdown(const Comparisons& all, const TextStyle&) {
  return as_markdown(all_sections(all));
}

std::string write_json(const Comparisons& all, const TextStyle&) {
  return to_json(all);
}

std::string why_not(const Comparison& c) {
  const Result& failed = c.a.error ? c.a : c.b;
  return failed.error ? failed.error->line() : "";
}

std::string write_csv(const Comparisons& all, const TextStyle&) {
  std::string out =
      "id,kernel_a,kernel_b,gpu_a,gpu_b,time_a_ms,time_b_ms,ratio,limited_by_a,limited_by_b,"
      "needed_a,needed_b,warps_a,warps_b,latency_a,latency_b,main_factor,main_factor_value,error\n";
  for (const Comparison& c : all.pairs) {
    const auto n = [&](double value) { return c.compared() ? fmt::format("{}", value) : ""; };
    const auto& first = c.factors.empty() ? TimeFactor{} : c.factors.front();
    const std::vector<std::string> fields{c.id,
                                          c.a.kernel.name,
                                          c.b.kernel.name,
                                          c.a.gpu.id,
                                          c.b.gpu.id,
                                          n(c.a.time_ms),
                                          n(c.b.time_ms),
                                          n(c.ratio),
                                          c.a.limited_by.resource,
                                          c.b.limited_by.resource,
                                          n(c.a.occupancy.needed_warps),
                                          n(c.b.occupancy.needed_warps),
                                          n(c.a.occupancy.warps_per_sm),
                                          n(c.b.occupancy.warps_per_sm),
                                          n(c.a.latency.cycles),
                                          n(c.b.latency.cycles),
                                          first.id,
                                          n(first.factor),
                                          why_not(c)};
    out += csv_row(fields);
  }
  return out;
}

std::string write_html(const Comparisons& all, const TextStyle&) {
  std::string out = html::page_begin("Comparison");
  out += "<header><p class=\"eyebrow\">Forewarp comparison</p>\n<h1>A against B</h1></header>\n";
  for (const Comparison& pair : all.pairs) {
    out += "<div class=\"sections\">\n";
    for (const Section& section : sections(pair)) {
      out += html::section_markup(section, "comparison");
    }
    out += "</div>\n";
  }
  if (const Section end = verdict(all); !end.blocks.empty()) {
    out += "<div class=\"sections\">\n" + html::section_markup(end, "verdict") + "</div>\n";
  }
  out += "<footer>Forewarp, schema forewarp.comparison/1</footer>\n";
  return out + html::page_end(false);
}

constexpr std::array<DocumentFormat<Comparisons>, 5> formats{{{"text", write_text},
                                                              {"markdown", write_markdown},
                                                              {"json", write_json},
                                                              {"csv", write_csv},
                                                              {"html", write_html}}};

}  // namespace

Expected<std::string> render_comparisons(const Comparisons& comparisons, std::string_view format,
                                         const TextStyle& style) {
  return render_as(formats, format, comparisons, style, "a comparison");
}

}  // namespace forewarp::report
