// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/run_report.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "program_run/kernel_names.h"

namespace forewarp::program_run {
namespace {

using Json = nlohmann::json;
constexpr double ns_per_ms = 1e6;
constexpr double ns_per_us = 1e3;

double ms(Nanoseconds time) {
  return static_cast<double>(time) / ns_per_ms;
}

/// Time in which at least one of the intervals runs.
double covered(std::vector<std::pair<Nanoseconds, Nanoseconds>> intervals) {
  std::sort(intervals.begin(), intervals.end());
  Nanoseconds sum = 0, end = 0;
  for (const auto& [from, to] : intervals) {
    const Nanoseconds begin = std::max(from, end);
    if (to > begin) sum += to - begin;
    end = std::max(end, to);
  }
  return ms(sum);
}

std::string time_text(double milliseconds) {
  if (milliseconds >= 1000) return fmt::format("{:.4g} s", milliseconds / 1000);
  if (milliseconds >= 1 || milliseconds == 0) return fmt::format("{:.4g} ms", milliseconds);
  return fmt::format("{:.4g} us", milliseconds * 1000);
}

std::string bytes_text(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(units); ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string copy_name(const CopyTotal& copy) {
  if (copy.what == "fill") return "fill";
  const std::string direction = copy.what == "h2d"   ? "host to device"
                                : copy.what == "d2h" ? "device to host"
                                : copy.what == "d2d" ? "device to device"
                                : copy.what == "p2p" ? "between devices"
                                                     : "host to host";
  return copy.memory.empty() ? direction : direction + ", " + copy.memory;
}

}  // namespace

RunSummary summary_of(const Journal& journal) {
  RunSummary sum;
  sum.process = journal.process;
  sum.messages = journal.messages;
  sum.ended = journal.ended;
  sum.summed = journal.summed;
  std::map<std::uint32_t, KernelTotal> kernels;
  std::map<std::uint32_t, std::map<std::string, double>> limits;
  std::map<std::pair<std::string, std::string>, CopyTotal> copies;
  std::vector<std::pair<Nanoseconds, Nanoseconds>> busy;
  Nanoseconds last = 0;
  for (const LaunchRecord& launch : journal.launches) {
    if (launch.state == "unselected") {
      ++sum.unselected;
      sum.instructions += launch.instructions;
      continue;
    }
    KernelTotal& kernel = kernels[launch.kernel];
    const double took = ms(launch.end - launch.begin);
    kernel.least = kernel.launches == 0 ? took : std::min(kernel.least, took);
    kernel.most = std::max(kernel.most, took);
    kernel.total += took;
    ++kernel.launches;
    ++sum.launches;
    if (launch.state == "library") ++sum.library_calls;
    if (launch.state == "executed" || launch.state == "recalled") ++sum.executed;
    if (launch.state == "skipped") ++sum.skipped;
    const bool whole = launch.state == "executed" || launch.state == "recalled";
    if (!whole && launch.state != "library") sum.computed = false;
    sum.instructions += launch.instructions;
    busy.emplace_back(launch.begin, launch.end);
    last = std::max(last, launch.end);
    const auto prediction = journal.predictions.find(launch.prediction);
    if (prediction == journal.predictions.end()) continue;
    limits[launch.kernel][prediction->second.limited_by] += took;
    for (const auto& [gpu, time] : prediction->second.others) {
      // Launches that were not predicted themselves scale as on the first board.
      const double own = prediction->second.ms;
      kernel.others[gpu] += own > 0 ? time * took / own : time;
    }
  }
  for (auto& [id, kernel] : kernels) {
    const auto known = journal.kernels.find(id);
    if (known != journal.kernels.end()) kernel.name = known->second.name;
    const auto& by = limits[id];
    const auto most = std::max_element(
        by.begin(), by.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != by.end()) kernel.limited_by = most->first;
    sum.kernels.push_back(std::move(kernel));
  }
  std::stable_sort(sum.kernels.begin(), sum.kernels.end(),
                   [](const auto& a, const auto& b) { return a.total > b.total; });
  for (const CopyRecord& copy : journal.copies) {
    CopyTotal& total = copies[{copy.what, copy.memory}];
    total.what = copy.what;
    total.memory = copy.memory;
    ++total.copies;
    total.bytes += copy.bytes;
    total.total += ms(copy.end - copy.begin);
    busy.emplace_back(copy.begin, copy.end);
    last = std::max(last, copy.end);
  }
  for (auto& [key, copy] : copies) sum.copies.push_back(std::move(copy));
  std::stable_sort(sum.copies.begin(), sum.copies.end(),
                   [](const auto& a, const auto& b) { return a.total > b.total; });
  for (const auto& [id, prediction] : journal.predictions) {
    if (prediction.failure.empty()) continue;
    if (std::find(sum.unpredicted.begin(), sum.unpredicted.end(), prediction.failure) ==
        sum.unpredicted.end())
      sum.unpredicted.push_back(prediction.failure);
  }
  sum.busy_ms = covered(std::move(busy));
  sum.elapsed_ms = ms(std::max({last, journal.end.end, journal.end.device_end}));
  sum.host_ms = ms(journal.end.host);
  sum.waited_ms = ms(journal.end.waited);
  sum.peak_bytes = journal.end.peak_bytes;
  sum.execution_s = journal.end.execution_s;
  sum.prediction_s = journal.end.prediction_s;
  sum.computed = sum.computed && journal.end.computed;
  return sum;
}

std::string unselected_text(const RunSummary& s) {
  return fmt::format(
      "{} launches were not selected: executed, but without a time; the program's "
      "times lack theirs",
      s.unselected);
}

std::string library_text(const RunSummary& s) {
  return fmt::format(
      "{} launches are calls of the vendor's libraries: computed on the host, with times of a "
      "model "
      "of its kernels (docs/run.md)",
      s.library_calls);
}

std::string end_text(const RunSummary& s) {
  if (s.at_limit) return "the program was ended as the time of --limit was over";
  if (s.signal == 0) return "the program did not end by itself";
  const char* const name = ::sigabbrev_np(s.signal);
  return fmt::format("the program was ended by signal {}{}", s.signal,
                     name == nullptr ? "" : fmt::format(" (SIG{})", name));
}

namespace {

/// What was done for the program, and with what.
std::string work_text(const RunSummary& s) {
  std::string out =
      fmt::format("  executed   {} of {} launches, {:.4g} warp instructions", s.executed,
                  s.launches - s.library_calls, static_cast<double>(s.instructions));
  if (!s.ended && !s.summed) return out + "; in what time and memory is not known\n";
  const char* const least = s.ended ? "" : "at least ";
  return out + fmt::format(" in {}{:.3g} s; predicted in {}{:.3g} s; {} of device memory {}\n",
                           least, s.execution_s, least, s.prediction_s,
                           bytes_text(static_cast<double>(s.peak_bytes)),
                           s.ended ? "at most" : "or more");
}

}  // namespace

std::string report_text(const RunSummary& s, std::size_t widest) {
  constexpr std::size_t least_width = 40;
  std::vector<std::string> names;
  for (const KernelTotal& kernel : s.kernels) names.push_back(kernel.name);
  names = short_names(names, std::max(least_width, widest));
  std::size_t width = least_width;
  for (const std::string& name : names) width = std::max(width, name.size());
  std::string out = fmt::format("\n{}on {}\n", s.process.program, s.process.device);
  out += fmt::format("  time       {} from the first call to the end; device busy {}, host {}\n",
                     time_text(s.elapsed_ms), time_text(s.busy_ms), time_text(s.host_ms));
  double all = 0;
  for (const KernelTotal& kernel : s.kernels) all += kernel.total;
  if (!s.kernels.empty()) {
    out += fmt::format("  {:<{}} {:>8} {:>11} {:>11} {:>6}  {}\n", "kernel", width, "launches",
                       "total", "mean", "share", "limited by");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const KernelTotal& kernel = s.kernels[i];
      out += fmt::format("  {:<{}} {:>8} {:>11} {:>11} {:>5.1f}%  {}\n", names[i], width,
                         kernel.launches, time_text(kernel.total),
                         time_text(kernel.total / static_cast<double>(kernel.launches)),
                         all > 0 ? 100 * kernel.total / all : 0.0, kernel.limited_by);
    }
  }
  std::map<std::string, double> boards;
  for (const KernelTotal& kernel : s.kernels) {
    for (const auto& [gpu, total] : kernel.others) boards[gpu] += total;
  }
  for (const auto& [gpu, total] : boards)
    out += fmt::format("  all kernels on {:<{}} {:>20}\n", gpu, width - 15, time_text(total));
  for (const CopyTotal& copy : s.copies) {
    out += fmt::format("  {:<{}} {:>8} {:>11} {:>11}\n", copy_name(copy), width, copy.copies,
                       time_text(copy.total), bytes_text(static_cast<double>(copy.bytes)));
  }
  out += work_text(s);
  if (!s.computed)
    out +=
        "  note       not every launch was computed: results that depend on them are not the "
        "program's\n";
  if (s.library_calls != 0) out += "  note       " + library_text(s) + "\n";
  if (s.unselected != 0) out += "  note       " + unselected_text(s) + "\n";
  if (!s.ended) out += "  note       " + end_text(s) + "\n";
  for (const std::string& failure : s.unpredicted) out += "  no time    " + failure + "\n";
  for (const MessageRecord& message : s.messages)
    out += fmt::format("  {:<10} {}\n", message.kind, message.text);
  return out;
}

std::string report_json(const std::vector<RunSummary>& processes) {
  Json all = Json::array();
  for (const RunSummary& s : processes) {
    Json kernels = Json::array(), copies = Json::array(), messages = Json::array();
    for (const KernelTotal& k : s.kernels) {
      kernels.push_back({{"name", k.name},
                         {"launches", k.launches},
                         {"total_ms", k.total},
                         {"mean_ms", k.total / static_cast<double>(k.launches)},
                         {"least_ms", k.least},
                         {"most_ms", k.most},
                         {"limited_by", k.limited_by},
                         {"others_ms", k.others}});
    }
    for (const CopyTotal& c : s.copies) {
      copies.push_back({{"what", c.what},
                        {"memory", c.memory},
                        {"copies", c.copies},
                        {"bytes", c.bytes},
                        {"total_ms", c.total}});
    }
    for (const MessageRecord& m : s.messages)
      messages.push_back({{"kind", m.kind}, {"text", m.text}});
    for (const std::string& failure : s.unpredicted)
      messages.push_back({{"kind", "no time"}, {"text", failure}});
    all.push_back({{"program", s.process.program},
                   {"gpus", s.process.gpus},
                   {"device", s.process.device},
                   {"elapsed_ms", s.elapsed_ms},
                   {"busy_ms", s.busy_ms},
                   {"host_ms", s.host_ms},
                   {"waited_ms", s.waited_ms},
                   {"launches", s.launches},
                   {"executed", s.executed},
                   {"skipped", s.skipped},
                   {"library_calls", s.library_calls},
                   {"unselected", s.unselected},
                   {"warp_instructions", s.instructions},
                   {"peak_bytes", s.peak_bytes},
                   {"execution_s", s.execution_s},
                   {"prediction_s", s.prediction_s},
                   {"ended", s.ended},
                   {"signal", s.signal},
                   {"computed", s.computed},
                   {"kernels", std::move(kernels)},
                   {"copies", std::move(copies)},
                   {"messages", std::move(messages)}});
  }
  return Json{{"schema", "forewarp.run/1"}, {"processes", std::move(all)}}.dump(
             2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

std::string timeline_json(const std::vector<Journal>& processes) {
  Json events = Json::array();
  for (const Journal& journal : processes) {
    const auto process = journal.process.process;
    events.push_back(
        {{"ph", "M"},
         {"name", "process_name"},
         {"pid", process},
         {"args", {{"name", journal.process.program + "on " + journal.process.device}}}});
    const auto add = [&](const std::string& name, const std::string& kind, std::uint32_t device,
                         std::uint64_t stream, Nanoseconds begin, Nanoseconds end, Json args) {
      events.push_back({{"ph", "X"},
                        {"name", name},
                        {"cat", kind},
                        {"pid", process},
                        {"tid", device * 1000 + stream},
                        {"ts", static_cast<double>(begin) / ns_per_us},
                        {"dur", static_cast<double>(end - begin) / ns_per_us},
                        {"args", std::move(args)}});
    };
    std::map<std::uint64_t, bool> streams;
    for (const LaunchRecord& l : journal.launches) {
      if (l.state == "unselected") continue;
      streams[l.device * 1000 + l.stream] = true;
      const auto kernel = journal.kernels.find(l.kernel);
      const auto prediction = journal.predictions.find(l.prediction);
      Json args{{"state", l.state}, {"warp instructions", l.instructions}};
      if (prediction != journal.predictions.end()) {
        args["grid"] = prediction->second.grid;
        args["block"] = prediction->second.block;
        args["limited by"] = prediction->second.limited_by;
      }
      add(kernel == journal.kernels.end() ? "kernel" : kernel->second.name, "kernel", l.device,
          l.stream, l.begin, l.end, std::move(args));
    }
    for (const CopyRecord& c : journal.copies) {
      streams[c.device * 1000 + c.stream] = true;
      add(c.what, "copy", c.device, c.stream, c.begin, c.end,
          Json{{"bytes", c.bytes}, {"host memory", c.memory}});
    }
    for (const auto& [stream, used] : streams) {
      events.push_back({{"ph", "M"},
                        {"name", "thread_name"},
                        {"pid", process},
                        {"tid", stream},
                        {"args", {{"name", "stream " + std::to_string(stream % 1000)}}}});
    }
  }
  return Json{{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}}.dump(
             -1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace forewarp::program_run
