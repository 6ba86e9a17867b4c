// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/ordered_pipeline.h"
#include "result/labels.h"
#include "sweep/workload/workload.h"

namespace forewarp::sweep {
namespace {

using Cell = WorkloadTable::Cell;

Cell cell_of(const Result& result) {
  Cell cell;
  cell.error = result.error;
  if (result.error) return cell;
  cell.time_ms = result.time_ms;
  cell.interval_ms =
      result.interval_ms[1] > 0 ? result.interval_ms : std::array{result.time_ms, result.time_ms};
  cell.limited_by = result.limited_by.resource;
  cell.limit_label = resource_label(result, cell.limited_by);
  cell.limit_share = result.limited_by.share;
  cell.model = result.model;
  return cell;
}

class WorkloadRun {
 public:
  WorkloadRun(Predictor& predictor, const Workload& workload, const PredictOptions& options,
              const WorkloadOptions& boards)
      : predictor_(predictor), workload_(workload), options_(options), asked_(boards) {
    options_.jobs = 1;
    options_.gpus.clear();
  }

  Expected<WorkloadTable> run() {
    WorkloadTable table;
    table.file = workload_.file;
    table.notes = workload_.notes;
    for (const std::string& name : asked_.boards) {
      auto board = predictor_.gpu(name, options_);
      if (!board) return std::move(board).error();
      table.boards.push_back({(*board)->id, (*board)->name, 0, {}, 0, {}});
    }
    for (const WorkloadLaunch& launch : workload_.launches)
      table.launches.push_back(row_of(launch));
    predict_all(table);
    add_measured(table);
    add_up(table);
    if (auto refusal = nowhere(table)) return *std::move(refusal);
    return table;
  }

 private:
  static WorkloadTable::Launch row_of(const WorkloadLaunch& launch) {
    const Case& request = launch.request;
    WorkloadTable::Launch row;
    row.id = request.id;
    row.kernel = request.kernel;
    row.input = request.input;
    row.grid = request.launch.grid;
    row.block = request.launch.block;
    row.count = launch.count;
    return row;
  }

  /// A board's launches follow each other, so that its facts are at hand.
  void predict_all(WorkloadTable& table) {
    const std::size_t launches = workload_.launches.size();
    const std::size_t all = launches * asked_.boards.size();
    std::size_t next = 0, done = 0;
    PipelineSteps<std::size_t, Result> steps;
    steps.next = [&](std::size_t& index) {
      index = next;
      return next++ < all;
    };
    steps.work = [&](std::size_t& index, unsigned) { return answer(index); };
    steps.finish = [&](Result& result) {
      WorkloadTable::Launch& row = table.launches[done++ % launches];
      if (!result.error && row.kernel.empty()) row.kernel = result.kernel.name;
      row.cells.push_back(cell_of(result));
      if (asked_.progress) asked_.progress(done, all);
      return true;
    };
    OrderedPipeline(std::move(steps), {asked_.jobs, 1, 16}).run();
  }

  Result answer(std::size_t index) {
    const Case& request = workload_.launches[index % workload_.launches.size()].request;
    const std::string& gpu = asked_.boards[index / workload_.launches.size()];
    ResultDetail detail;
    detail.stalls = false;
    auto result = predictor_.predict(request, gpu, options_, detail);
    return result ? *std::move(result) : failed_result(request, gpu, result.error());
  }

  /// What was measured goes to the boards that the file's names mean.
  void add_measured(WorkloadTable& table) {
    std::map<std::string, std::string> ids;
    for (std::size_t l = 0; l < table.launches.size(); ++l) {
      for (const auto& [name, sum] : workload_.launches[l].measured) {
        auto [id, added] = ids.try_emplace(name);
        if (added) {
          const auto board = predictor_.gpu(name, {});
          if (board) id->second = (*board)->id;
        }
        for (std::size_t b = 0; b < table.boards.size(); ++b) {
          if (table.boards[b].id == id->second)
            table.launches[l].cells[b].measured_ms = sum.second / sum.first;
        }
      }
    }
  }

  /// The first refusal where nothing could be predicted anywhere.
  [[nodiscard]] std::optional<Diagnostic> nowhere(const WorkloadTable& table) const {
    if (table.boards.empty())
      return Diagnostic{"--gpu", "no board is named", "an id, a name or a file", ""};
    for (const WorkloadTable::Launch& launch : table.launches) {
      for (const Cell& cell : launch.cells) {
        if (!cell.error) return {};
      }
    }
    return *table.launches.front().cells.front().error;
  }

  Predictor& predictor_;
  const Workload& workload_;
  PredictOptions options_;
  const WorkloadOptions& asked_;
};

/// The cells of every launch in the boards' new order.
void reorder(const std::vector<std::size_t>& order, WorkloadTable& table) {
  const auto take = [&](auto& list) {
    auto sorted = list;
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = std::move(list[order[i]]);
    list = std::move(sorted);
  };
  take(table.boards);
  for (WorkloadTable::Launch& launch : table.launches) take(launch.cells);
}

}  // namespace

void add_up(WorkloadTable& table) {
  for (std::size_t b = 0; b < table.boards.size(); ++b) {
    WorkloadTable::Board& board = table.boards[b];
    double measured = 0;
    bool all_measured = true;
    for (const WorkloadTable::Launch& launch : table.launches) {
      const Cell& cell = launch.cells[b];
      if (cell.error) {
        board.refused += launch.count;
        continue;
      }
      board.total_ms += launch.count * cell.time_ms;
      for (std::size_t end = 0; end < 2; ++end)
        board.interval_ms[end] += launch.count * cell.interval_ms[end];
      measured += launch.count * cell.measured_ms.value_or(0);
      all_measured = all_measured && cell.measured_ms;
    }
    if (all_measured && board.refused == 0) board.measured_ms = measured;
    for (WorkloadTable::Launch& launch : table.launches) {
      Cell& cell = launch.cells[b];
      if (!cell.error && board.total_ms > 0)
        cell.share = launch.count * cell.time_ms / board.total_ms;
    }
  }
  std::vector<std::size_t> order(table.boards.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const WorkloadTable::Board &a = table.boards[x], &b = table.boards[y];
    return std::pair(a.refused, a.total_ms) < std::pair(b.refused, b.total_ms);
  });
  reorder(order, table);
  std::stable_sort(table.launches.begin(), table.launches.end(), [](const auto& a, const auto& b) {
    return a.cells.front().share > b.cells.front().share;
  });
}

Expected<WorkloadTable> predict_workload(Predictor& predictor, const Workload& workload,
                                         const PredictOptions& options,
                                         const WorkloadOptions& boards) {
  return WorkloadRun(predictor, workload, options, boards).run();
}

}  // namespace forewarp::sweep
