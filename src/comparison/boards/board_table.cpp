// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/boards/board_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "base/ordered_pipeline.h"
#include "base/text.h"
#include "hardware/reached_bandwidth.h"
#include "hardware/resource_role.h"
#include "hardware/schema.h"

namespace forewarp::comparison {
namespace {

constexpr double seconds_per_hour = 3600;
constexpr double launches = 1000;
// A short look: a table of a hundred boards within seconds, where most kernels repeat themselves.
constexpr double short_budget =
    0.1;  // seconds of counted work; below the usual one auto simulates nothing
constexpr std::uint64_t short_replay = 60'000;  // lines

constexpr const char* sm_prefix = "sm_";

using Board = std::shared_ptr<const Gpu>;

/// Why a board cannot run it. Reasons that differ only in the architecture are one.
struct Refusal {
  std::string before, after, way_out;  ///< before and after the architectures
  Diagnostic failure;                  ///< the first board's own
  std::set<int> architectures;         ///< empty: the text names none

  [[nodiscard]] std::string text() const {
    std::vector<std::string> names;
    for (const int sm : architectures) names.push_back(sm_prefix + std::to_string(sm));
    return before + join(names, ", ") + after;
  }
};

struct Answer {
  std::string id;
  std::variant<Refusal, BoardTable::Row> what;
};

std::string sm_name(const Gpu& gpu) {
  return sm_prefix + std::to_string(gpu.cc.sm());
}

/// What to do is the same for all boards, but for an architecture that it names.
std::string way_out_of(const Diagnostic& failure, const Gpu& gpu) {
  std::string text = failure.way_out;
  const std::string own = sm_name(gpu);
  for (std::size_t at = text.find(own); at != std::string::npos; at = text.find(own)) {
    text.replace(at, own.size(), "that architecture");
  }
  return text;
}

/// The text with one board's own name and architecture taken out, so that boards share it.
Refusal refused_by(const Diagnostic& failure, const Gpu& gpu) {
  std::string text = failure.place.empty() ? failure.found : failure.place + ": " + failure.found;
  const std::size_t name = text.find(gpu.name);
  if (name != std::string::npos) text.replace(name, gpu.name.size(), "the board");
  Refusal refusal{text, "", way_out_of(failure, gpu), failure, {}};
  const std::string own = sm_name(gpu);
  const std::size_t at = text.rfind(own);
  if (at == std::string::npos) return refusal;
  refusal.before = text.substr(0, at);
  refusal.after = text.substr(at + own.size());
  refusal.architectures = {gpu.cc.sm()};
  return refusal;
}

void fill_energy(const Gpu& gpu, BoardTable::Row& row) {
  const Result& r = row.result;
  if (!(r.power.limit_w > 0) || !(r.power.watts > 0)) return;
  const double clock = r.gpu.clock_mhz / gpu.clock_boost_mhz;
  const double limit = r.power.limit_w;
  const double standing = gpu.power.base_w + gpu.power.clock_w * clock * clock;
  const double seconds = r.power.joules / r.power.watts;
  row.watts = std::min(r.power.watts, limit);
  row.joules = row.watts * seconds;
  std::array<double, 2> spread{1, 1};
  if (r.interval_ms[1] > 0) {
    spread = {r.interval_ms[0] / r.time_ms, r.interval_ms[1] / r.time_ms};
  }
  row.joules_range = {std::min(standing, row.watts) * seconds * spread[0],
                      limit * seconds * spread[1]};
  const Fact* base = fact_of(gpu, &PowerFacts::base_w);
  row.measured_power = base != nullptr && base->file == gpu.file;
}

void fill_bandwidth(const Gpu& gpu, BoardTable::Row& row) {
  ReachedBandwidth reached = reached_bandwidth(gpu);
  row.bandwidth_gbs = reached.gbs;
  row.bandwidth_from = basis_name(reached.basis);
  row.bandwidth_source = std::move(reached.source);
}

/// A board as it was named.
struct Candidate {
  std::string asked;
  Board board;
};

class BoardRun {
 public:
  BoardRun(Predictor& predictor, const Case& request, const PredictOptions& options,
           const BoardOptions& boards)
      : predictor_(predictor), request_(request), options_(options), boards_(boards) {
    options_.jobs = 1;
    options_.gpus.clear();
    if (!boards.closer_look) {
      options_.budget_seconds = short_budget;
      options_.most_replayed = short_replay;
    }
  }

  Expected<BoardTable> run() {
    auto candidates = known_boards();
    if (!candidates) return std::move(candidates).error();
    auto prices = prices_by_id();
    if (!prices) return std::move(prices).error();
    read_code(*candidates);
    BoardTable table;
    table.prices = boards_.price_file;
    table.closer_look = boards_.closer_look;
    predict_all(*candidates, [&](Answer& answer) { take(answer, table); });
    if (table.rows.empty()) return nowhere(table);
    for (BoardTable::Row& row : table.rows) add_cost(*prices, row);
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
      return a.result.time_ms < b.result.time_ms;
    });
    mark_unsure_ranks(table.rows);
    mark_front(!boards_.prices.empty(), table.rows);
    return table;
  }

 private:
  using Prices = std::map<std::string, double>;

  Expected<std::vector<Candidate>> known_boards() {
    std::vector<Candidate> candidates;
    for (const std::string& name : boards_.boards) {
      auto board = predictor_.gpu(name, options_);
      if (!board) return std::move(board).error();
      candidates.push_back({name, *std::move(board)});
    }
    return candidates;
  }

  Expected<Prices> prices_by_id() {
    Prices prices;
    for (const BoardPrice& price : boards_.prices) {
      auto board = predictor_.gpu(price.gpu, {});
      if (!board) {
        Diagnostic unknown = std::move(board).error();
        unknown.place = price.place + ": " + unknown.place;
        return unknown;
      }
      if (!prices.emplace((*board)->id, price.per_hour).second) {
        return Diagnostic{price.place, "a second price of " + (*board)->id, "one for each GPU", ""};
      }
    }
    return prices;
  }

  /// Each architecture's code once, so that no two threads compile the same.
  void read_code(const std::vector<Candidate>& candidates) {
    std::vector<Board> first;
    std::set<int> seen;
    for (const Candidate& candidate : candidates) {
      if (seen.insert(candidate.board->cc.sm()).second) first.push_back(candidate.board);
    }
    using Found = std::optional<Diagnostic>;
    std::size_t next = 0, done = 0;
    PipelineSteps<std::size_t, Found> steps;
    steps.next = [&](std::size_t& index) {
      index = next;
      return next++ < first.size();
    };
    steps.work = [&](std::size_t& index, unsigned) {
      const auto code = predictor_.kernel(request_, *first[index], options_);
      return code ? Found() : Found(code.error());
    };
    steps.finish = [&](Found& found) {
      if (found) unreadable_.emplace(first[done]->cc.sm(), *std::move(found));
      ++done;
      return true;
    };
    OrderedPipeline(std::move(steps), {boards_.jobs, 1, 16}).run();
  }

  Answer answer(const Candidate& candidate) {
    const Gpu& gpu = *candidate.board;
    const auto refused = unreadable_.find(gpu.cc.sm());
    if (refused != unreadable_.end()) return {gpu.id, refused_by(refused->second, gpu)};
    ResultDetail detail;
    detail.stalls = false;
    detail.power = true;
    auto result = predictor_.predict(request_, candidate.asked, options_, detail);
    if (!result) return {gpu.id, refused_by(result.error(), gpu)};
    for (const Result::Finding& finding : result->findings) {
      if (finding.kind != "exceeds-memory") continue;
      const std::string need = finding.text.substr(0, finding.text.find(','));
      const Diagnostic failure{"", need + ", more than the board's memory", "",
                               "give smaller buffers, or boards with more memory"};
      return {gpu.id, refused_by(failure, gpu)};
    }
    BoardTable::Row row;
    row.result = *std::move(result);
    fill_energy(gpu, row);
    fill_bandwidth(gpu, row);
    return {gpu.id, std::move(row)};
  }

  template <typename Take>
  void predict_all(const std::vector<Candidate>& candidates, Take use) {
    std::size_t next = 0, done = 0;
    PipelineSteps<std::size_t, Answer> steps;
    steps.next = [&](std::size_t& index) {
      index = next;
      return next++ < candidates.size();
    };
    steps.work = [&](std::size_t& index, unsigned) { return answer(candidates[index]); };
    steps.finish = [&](Answer& found) {
      use(found);
      if (boards_.progress) boards_.progress(++done, candidates.size());
      return true;
    };
    OrderedPipeline(std::move(steps), {boards_.jobs, 1, 16}).run();
  }

  void take(Answer& found, BoardTable& table) {
    if (auto* row = std::get_if<BoardTable::Row>(&found.what)) {
      table.rows.push_back(std::move(*row));
      return;
    }
    const Refusal& refusal = std::get<Refusal>(found.what);
    auto known = std::find_if(reasons_.begin(), reasons_.end(), [&](const Refusal& other) {
      return other.before == refusal.before && other.after == refusal.after;
    });
    const auto index = static_cast<std::size_t>(known - reasons_.begin());
    if (known == reasons_.end()) {
      reasons_.push_back(refusal);
      table.refused.push_back({"", refusal.way_out, {}});
    } else {
      known->architectures.insert(refusal.architectures.begin(), refusal.architectures.end());
    }
    table.refused[index].reason = reasons_[index].text();
    table.refused[index].ids.push_back(found.id);
  }

  /// What the boards say whose architecture fits: a file that is not there, an argument that is
  /// missing. Where none fits, that.
  [[nodiscard]] Diagnostic nowhere(const BoardTable& table) const {
    if (table.refused.empty()) return {"--gpu", "no board is named", "an id, a name or a file", ""};
    std::size_t best = 0;
    const auto weight = [&](std::size_t i) {
      return std::pair(reasons_[i].architectures.empty(), table.refused[i].ids.size());
    };
    for (std::size_t i = 1; i < reasons_.size(); ++i) {
      if (weight(i) > weight(best)) best = i;
    }
    if (reasons_[best].architectures.empty()) return reasons_[best].failure;
    return {"", "no board can run it: " + table.refused[best].reason, "",
            table.refused[best].way_out};
  }

  static void add_cost(const Prices& prices, BoardTable::Row& row) {
    const auto price = prices.find(row.result.gpu.id);
    if (price == prices.end()) return;
    row.price_per_hour = price->second;
    row.cost_per_1000 = price->second / seconds_per_hour * row.result.time_ms * 1e-3 * launches;
  }

  Predictor& predictor_;
  const Case& request_;
  PredictOptions options_;
  const BoardOptions& boards_;
  std::map<int, Diagnostic> unreadable_;  ///< by architecture
  std::vector<Refusal> reasons_;          ///< parallel to BoardTable::refused
};

std::optional<std::array<double, 3>> figures_of(const BoardTable::Row& row, bool with_costs) {
  if (!(row.joules > 0) || (with_costs && !row.cost_per_1000)) return {};
  return std::array{row.result.time_ms, row.joules, with_costs ? *row.cost_per_1000 : 0.0};
}

bool beats(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

}  // namespace

void mark_unsure_ranks(std::vector<BoardTable::Row>& rows) {
  const auto limited = [&](const BoardTable::Row& row) {
    return role_of_resource(row.result.limited_by.resource) == ResourceRole::device_memory;
  };
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const BoardTable::Row& before = rows[i - 1];
    rows[i].unsure_rank = limited(before) && limited(rows[i]) &&
                          before.bandwidth_from != rows[i].bandwidth_from &&
                          rows[i].result.interval_ms[0] < before.result.interval_ms[1];
  }
}

void mark_front(bool with_costs, std::vector<BoardTable::Row>& rows) {
  for (BoardTable::Row& row : rows) {
    const auto own = figures_of(row, with_costs);
    row.front = own && std::none_of(rows.begin(), rows.end(), [&](const BoardTable::Row& other) {
                  const auto others = figures_of(other, with_costs);
                  return others && beats(*others, *own);
                });
  }
}

Expected<BoardTable> predict_boards(Predictor& predictor, const Case& request,
                                    const PredictOptions& options, const BoardOptions& boards) {
  return BoardRun(predictor, request, options, boards).run();
}

}  // namespace forewarp::comparison
