// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/outcome/timeline_files.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/markup_text.h"
#include "base/text.h"
#include "system/description/factors.h"

namespace forewarp::system {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kinds = 6;
constexpr std::array<Activity, kinds> activities = {Activity::compute, Activity::kernel,
                                                    Activity::copy,    Activity::message,
                                                    Activity::delay,   Activity::disk};
constexpr std::array<std::string_view, kinds> colours = {"#4878a8", "#6aa84f", "#e69138",
                                                         "#a64d79", "#cccccc", "#8e7cc3"};

std::string name_of(const Segment& segment) {
  return segment.name.empty() ? std::string(activity_name(segment.activity)) : segment.name;
}

/// Category, name and arguments of a device's work are those that traces of GPUs have.
Json event_of(const Segment& segment) {
  Json event = {{"name", name_of(segment)},
                {"cat", activity_name(segment.activity)},
                {"ph", "X"},
                {"pid", 0},
                {"tid", segment.lane},
                {"ts", segment.begin * micro},
                {"dur", (segment.end - segment.begin) * micro}};
  if (segment.activity == Activity::kernel) {
    event["args"] = {{"device", segment.gpu}, {"stream", segment.lane}};
  } else if (segment.activity == Activity::copy) {
    const char* const memory = segment.is_pinned ? "Pinned" : "Pageable";
    const bool to_device = segment.name == "to the device";
    event["cat"] = "gpu_memcpy";
    event["name"] = to_device ? fmt::format("Memcpy HtoD ({} -> Device)", memory)
                              : fmt::format("Memcpy DtoH (Device -> {})", memory);
    event["args"] = {{"device", segment.gpu}, {"stream", segment.lane}, {"bytes", segment.bytes}};
  }
  return event;
}

/// Where things stand in the picture, in pixels.
constexpr double label_width = 160, width = 1000, row_height = 18, bar_height = 14, top = 40;
constexpr std::size_t most_rows = 64;

double pixel(double seconds, double all) {
  return label_width + (all > 0 ? seconds / all * width : 0);
}

std::string legend() {
  std::string out;
  constexpr double each = 110, box = 12, line = 14;
  for (std::size_t i = 0; i < kinds; ++i) {
    const double x = label_width + each * static_cast<double>(i);
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", x, line,
                       box, box, colours[i]);
    out += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", x + box + 4, line + box - 2,
                       activity_name(activities[i]));
  }
  return out;
}

/// Bars of one row; what ends in the same pixel and is alike is one.
std::string bars(const std::vector<const Segment*>& row, double y, double all) {
  std::string out;
  constexpr double least = 0.5;
  for (std::size_t i = 0; i < row.size();) {
    const Segment& first = *row[i];
    const double begin = pixel(first.begin, all);
    double end = pixel(first.end, all);
    std::size_t next = i + 1;
    while (next < row.size() && row[next]->activity == first.activity &&
           pixel(row[next]->end, all) < begin + least) {
      end = pixel(row[next++]->end, all);
    }
    const std::string name = next > i + 1 ? fmt::format("{} parts", next - i) : name_of(first);
    out += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"><title>{}: {:.6f} "
        "to {:.6f} ms</title></rect>\n",
        begin, y, std::max(end - begin, least), bar_height,
        colours[static_cast<std::size_t>(first.activity)], escaped(name), first.begin * milli,
        row[next - 1]->end * milli);
    i = next;
  }
  return out;
}

}  // namespace

std::string chrome_trace(const Outcome& outcome) {
  Json events = Json::array();
  const Timeline& timeline = outcome.timeline;
  for (std::size_t lane = 0; lane < timeline.lanes().size(); ++lane) {
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", 0},
                      {"tid", lane},
                      {"args", {{"name", timeline.lanes()[lane]}}}});
  }
  for (const Segment& segment : timeline.segments()) events.push_back(event_of(segment));
  const Json json = {{"traceEvents", events}, {"displayTimeUnit", "ms"}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string gantt_svg(const Outcome& outcome) {
  const Timeline& timeline = outcome.timeline;
  const std::size_t rows = std::min(timeline.lanes().size(), most_rows);
  std::vector<std::vector<const Segment*>> by_lane(rows);
  for (const Segment& segment : timeline.segments()) {
    if (segment.lane < rows && segment.end > segment.begin) {
      by_lane[segment.lane].push_back(&segment);
    }
  }
  const double height = top + row_height * static_cast<double>(rows + 2);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "font-family=\"sans-serif\""
      " font-size=\"11\">\n",
      label_width + width + 20, height);
  out += legend();
  for (std::size_t i = 0; i < rows; ++i) {
    const double y = top + row_height * static_cast<double>(i);
    out += fmt::format("<text x=\"4\" y=\"{}\">{}</text>\n", y + bar_height - 3,
                       escaped(timeline.lanes()[i].substr(0, 24)));
    std::stable_sort(by_lane[i].begin(), by_lane[i].end(),
                     [](const Segment* a, const Segment* b) { return a->begin < b->begin; });
    out += bars(by_lane[i], y, outcome.overall_s);
  }
  const double below = top + row_height * static_cast<double>(rows) + bar_height;
  out += fmt::format("<text x=\"{}\" y=\"{}\">0</text>", label_width, below);
  out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{:.6f} ms</text>\n",
                     label_width + width, below, outcome.overall_s * milli);
  if (timeline.lanes().size() > rows) {
    out += fmt::format("<text x=\"4\" y=\"{}\">and {} more rows</text>\n", below,
                       timeline.lanes().size() - rows);
  }
  return out + "</svg>\n";
}

std::string paje_trace(const Outcome& outcome) {
  constexpr std::string_view header =
      "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n"
      "%EndEventDef\n%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n% Name "
      "string\n"
      "%EndEventDef\n%EventDef PajeCreateContainer 2\n% Time date\n% Alias string\n% Type string\n"
      "% Container string\n% Name string\n%EndEventDef\n%EventDef PajeDestroyContainer 3\n"
      "% Time date\n% Type string\n% Name string\n%EndEventDef\n%EventDef PajePushState 4\n"
      "% Time date\n% Type string\n% Container string\n% Value string\n%EndEventDef\n"
      "%EventDef PajePopState 5\n% Time date\n% Type string\n% Container string\n%EndEventDef\n"
      "0 L 0 lane\n1 S L state\n";
  const Timeline& timeline = outcome.timeline;
  std::string out(header);
  const auto quoted = [](std::string text) {
    std::replace(text.begin(), text.end(), '"', '\'');
    return "\"" + text + "\"";
  };
  for (std::size_t i = 0; i < timeline.lanes().size(); ++i) {
    out += fmt::format("2 0 l{} L 0 {}\n", i, quoted(timeline.lanes()[i]));
  }
  struct Event {
    double at = 0;
    bool begins = false;
    const Segment* segment = nullptr;
  };
  std::vector<Event> events;
  for (const Segment& segment : timeline.segments()) {
    events.push_back({segment.begin, true, &segment});
    events.push_back({segment.end, false, &segment});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.at < b.at; });
  for (const Event& event : events) {
    out += event.begins ? fmt::format("4 {:.9f} S l{} {}\n", event.at, event.segment->lane,
                                      quoted(name_of(*event.segment)))
                        : fmt::format("5 {:.9f} S l{}\n", event.at, event.segment->lane);
  }
  for (std::size_t i = 0; i < timeline.lanes().size(); ++i) {
    out += fmt::format("3 {:.9f} L l{}\n", outcome.overall_s, i);
  }
  return out;
}

std::string timeline_text(const Outcome& outcome, const std::string& file) {
  if (file.ends_with(".svg")) return gantt_svg(outcome);
  if (file.ends_with(".paje")) return paje_trace(outcome);
  return chrome_trace(outcome);
}

}  // namespace forewarp::system
