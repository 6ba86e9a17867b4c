// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/findings/characterisation.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "hardware/schema.h"

namespace forewarp::characterise {
namespace {

constexpr double transfers = 2;  // per memory clock, as a driver states it
constexpr double bits_per_byte = 8, mega_per_giga = 1000;
/// What a GPU file needs besides name and capability.
constexpr std::string_view needed_words[] = {"chip", "series", "memory.technology", "memory.ecc",
                                             "link.host"};
constexpr std::string_view needed_numbers[] = {"sm.count",     "clock.base_mhz", "clock.boost_mhz",
                                               "memory.bytes", "l2.bytes",       "power.limit_w"};
constexpr std::string_view bandwidth_numbers[] = {"memory.clock_mhz", "memory.bus_bits",
                                                  "memory.data_rate"};

/// Whether the text is the pattern with any text for each of its `*`.
bool matches(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t end = star; end <= text.size(); ++end) {
    if (matches(rest, text.substr(end))) return true;
  }
  return false;
}

/// Collects the facts of one device, the better ones over the others.
class Collector {
 public:
  Collector(const MeasuredDevice& device, const SampleTable& samples, const Gpu& like)
      : device_(device), samples_(samples), like_(like) {
    made_.device = device;
    made_.like = like.id;
    made_.notes = samples.notes;
    note_missing();
  }

  void told() {
    for (const auto& [path, text] : device_.words) {
      if (type_of_path(path, {}).kind == FactKind::word) word(path, text);
    }
    for (const auto& [path, value] : device_.numbers) {
      Fact fact;
      fact.value = value;
      fact.source = device_.source + on_date();
      fact.confidence = Confidence::vendor_tool;
      told_number(path, std::move(fact), {});
    }
    for (const auto& [path, measured] : device_.measured) {
      Fact fact;
      fact.value = measured.first;
      fact.source = device_.measured_source + on_date();
      fact.confidence = Confidence::measured;
      told_number(path, std::move(fact), measured.second);
    }
  }

  void taken_over() {
    for (const std::string_view path : needed_words) {
      const auto known = like_.facts.find(path);
      if (known != like_.facts.end() && !found_.contains(path)) word(path, known->second.text);
    }
    for (const std::string_view path : needed_numbers) number_of_like(path);
    const bool own = found_.contains("memory.clock_mhz") && found_.contains("memory.bus_bits");
    if (own && !found_.contains("memory.data_rate")) {
      Fact fact = found_.find("memory.clock_mhz")->second.fact;
      fact.value = transfers;
      fact.unit = "1";
      found_["memory.data_rate"] = {"memory.data_rate", fact, {}, "", {}, {}};
    } else if (!own && like_.number("memory.clock_mhz") > 0) {
      for (const std::string_view path : bandwidth_numbers) number_of_like(path);
    } else if (!own) {
      number_of_like("memory.theory_gbs");
    }
  }

  Expected<void> estimate(const NumberRow& row, const Registry<Estimator>& known) {
    const auto estimator = known.find(row.how);
    if (!estimator) return estimator.error();
    const int sm = device_.cc.sm();
    if (row.sms && (sm < row.sms->first || sm > row.sms->second)) {
      gap(row.fact, "cannot be measured this way on " + device_.cc.text());
      return {};
    }
    if (row.tests.empty()) {  // the driver tells it
      if (!device_.numbers.contains(row.fact)) gap(row.fact, "the driver did not tell it");
      return {};
    }
    const Evidence evidence(samples_.records,
                            [this](std::string_view path) { return value_of(path); });
    auto estimate = (*estimator)->estimate(row, evidence);
    if (!estimate) {
      Diagnostic reason = estimate.error();
      if (reason.place == row.fact) reason.place.clear();  // it stands before the reason
      gap(row.fact, reason.line());
      return {};
    }
    if (!(estimate->value >= 0)) {
      gap(row.fact, "comes out below 0: " + significant(estimate->value, 6) + " " + row.unit);
      return {};
    }
    Fact fact;
    fact.value = estimate->value;
    fact.unit = row.unit;
    fact.source = "measured by forewarp-bench, " + join(row.tests, ", ") + on_date();
    fact.confidence = Confidence::measured;
    fact.note = row.note;
    if (!fact.note.empty() && !estimate->note.empty()) fact.note += "; ";
    fact.note += estimate->note;
    const auto fine = is_beside_gpu(row.fact) ? Expected<void>() : check_fact(row.fact, fact, {});
    if (!fine) {
      gap(row.fact, fine.error().line());
      return {};
    }
    if (row.fact == "memory.latency_cycles") latency_clock(row, evidence);
    found_[row.fact] = {row.fact, std::move(fact), estimate->deviation,
                        row.how,  row.tests,       std::move(estimate->points)};
    return {};
  }

  /// A pattern stands for every number of the other board that nothing else was said of.
  void gaps(const std::string& pattern, const std::string& reason) {
    if (pattern.find('*') == std::string::npos) {
      if (!listed_.contains(pattern)) gap(pattern, reason);
      return;
    }
    for (const auto& [path, fact] : like_.facts) {
      const bool said = listed_.contains(path) || found_.contains(path);
      if (!said && fact.text.empty() && matches(pattern, path)) gap(path, reason);
    }
  }

  void gap(const std::string& path, std::string reason) {
    listed_.insert(path);
    const auto known = like_.facts.find(path);
    std::string filled;
    if (known != like_.facts.end() && known->second.text.empty()) {
      const Fact& fact = known->second;
      filled = significant(fact.value, 6) + " " + fact.unit + " (" +
               std::string(confidence_name(fact.confidence)) + ": " + fact.source + ")";
    }
    made_.gaps.push_back({path, std::move(reason), std::move(filled)});
  }

  /// Lanes and the rate of the main class say the same thing, so the measured one says both.
  void main_lanes() {
    const auto main = found_.find("class.fp32.cycles");
    const auto lanes = value_of("limits.warp_lanes");
    if (main == found_.end() || !lanes || found_.contains("core.lanes")) return;
    FoundFact made = main->second;
    made.path = "core.lanes";
    made.fact.value = *lanes / main->second.fact.value;
    made.fact.unit = "lanes";
    made.fact.confidence = Confidence::derived;
    made.fact.note = "lanes of a warp over class.fp32.cycles";
    if (made.deviation) *made.deviation *= made.fact.value / main->second.fact.value;
    made.points.clear();
    found_["core.lanes"] = std::move(made);
  }

  Characterisation take(std::string_view name) {
    made_.name = name.empty() ? device_.name : std::string(name);
    // Another row of the same fact may have said it.
    std::erase_if(made_.gaps, [&](const FactGap& gap) {
      const auto found = found_.find(gap.path);
      return found != found_.end() && !found->second.how.empty();
    });
    for (auto& [path, fact] : found_) made_.facts.push_back(std::move(fact));
    return std::move(made_);
  }

 private:
  [[nodiscard]] std::string on_date() const {
    return device_.date.empty() ? std::string() : ", " + device_.date;
  }

  void told_number(const std::string& path, Fact fact, std::optional<double> deviation) {
    fact.unit = type_of_path(path, {}).unit;
    if (fact.unit.empty() || fact.unit == "word") {
      made_.notes.push_back("the device's fact '" + path + "' is none of a GPU file");
    } else {
      found_[path] = {path, std::move(fact), deviation, "", {}, {}};
    }
  }

  /// Cycles of device memory hold at the clock that they were measured at.
  void latency_clock(const NumberRow& row, const Evidence& evidence) {
    const auto records = evidence.records(row, row.quantity_or("time"));
    const auto clock = records ? evidence.clock(*records->front()) : Expected<double>(Diagnostic{});
    if (!clock || found_.contains("memory.latency_mhz")) return;
    Fact fact;
    fact.value = *clock;
    fact.unit = "MHz";
    fact.source = "recorded by forewarp-bench, " + join(row.tests, ", ") + on_date();
    fact.confidence = Confidence::measured;
    found_["memory.latency_mhz"] = {"memory.latency_mhz", fact, {}, "clock", row.tests, {}};
  }

  /// The product that a file's clock, width and rate make.
  [[nodiscard]] std::optional<double> own_bandwidth() const {
    double product = 1 / (bits_per_byte * mega_per_giga);
    for (const std::string_view path : bandwidth_numbers) {
      const auto found = found_.find(path);
      if (found == found_.end()) return {};
      product *= found->second.fact.value;
    }
    return product;
  }

  void word(std::string_view path, const std::string& text) {
    if (text.empty()) return;
    Fact fact;
    fact.kind = FactKind::word;
    fact.text = text;
    found_[std::string(path)] = {std::string(path), fact, {}, "", {}, {}};
  }

  void number_of_like(std::string_view path) {
    const auto known = like_.facts.find(path);
    if (known == like_.facts.end() || found_.contains(path)) return;
    Fact fact;
    fact.value = known->second.value;
    fact.unit = known->second.unit;
    fact.source = "as " + like_.id + ": to be replaced";
    fact.confidence = Confidence::assumed;
    fact.note = "neither told by the driver nor measured";
    found_[std::string(path)] = {std::string(path), fact, {}, "", {}, {}};
  }

  [[nodiscard]] std::optional<double> value_of(std::string_view path) const {
    if (const auto found = found_.find(path); found != found_.end())
      return found->second.fact.value;
    if (path == "memory.theory_gbs") {
      if (const auto own = own_bandwidth()) return own;
    }
    const auto known = like_.facts.find(path);
    if (known == like_.facts.end() || !known->second.text.empty()) return {};
    return known->second.value;
  }

  /// A run may have been ended, and launches may have been refused.
  void note_missing() {
    std::map<std::string_view, std::uint64_t> measured;
    for (const Record& record : samples_.records) {
      if (!record.quantity.starts_with("count/")) ++measured[record.test];
    }
    for (const auto& [test, asked] : device_.asked) {
      const std::uint64_t found = measured[test];
      if (found >= asked) continue;
      made_.notes.push_back(test + ": " + std::to_string(found) + " of " + std::to_string(asked) +
                            " records were measured; forewarp-bench run --resume goes on");
    }
  }

  const MeasuredDevice& device_;
  const SampleTable& samples_;
  const Gpu& like_;
  Characterisation made_;
  std::set<std::string> listed_;  ///< paths of gaps
  std::map<std::string, FoundFact, std::less<>> found_;
};

}  // namespace

bool is_beside_gpu(std::string_view path) {
  return path.starts_with("figure.") || (path.starts_with("link.") && path != "link.host");
}

const FoundFact* Characterisation::fact(std::string_view path) const {
  const auto found = std::find_if(facts.begin(), facts.end(),
                                  [&](const FoundFact& fact) { return fact.path == path; });
  return found == facts.end() ? nullptr : &*found;
}

Expected<Characterisation> characterise_samples(const MeasuredDevice& device,
                                                const SampleTable& samples,
                                                const NumberList& numbers, const Gpu& like,
                                                std::string_view name) {
  Collector collector(device, samples, like);
  collector.told();
  collector.taken_over();
  const Registry<Estimator> known = estimators();
  for (const NumberRow& row : numbers.rows) {
    if (auto done = collector.estimate(row, known); !done) {
      Diagnostic failure = done.error();
      failure.place = place_in_file(numbers.file, row.line);
      return failure;
    }
  }
  collector.main_lanes();
  for (const InvisibleFact& fact : numbers.invisible) collector.gaps(fact.fact, fact.why);
  return collector.take(name);
}

}  // namespace forewarp::characterise
