// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Runs against each other: both are read in the order of their axes, side by side.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "store/columns.h"
#include "store/stored_runs.h"

namespace forewarp::store {

namespace {

double size_of(const PointChange& change) {
  return std::fabs(std::log(change.factor()));
}

/// The least change first, so that a heap gives it up when a larger one comes.
bool larger(const PointChange& a, const PointChange& b) {
  return size_of(a) > size_of(b);
}

/// The points of a run by the text of their axes.
class RunCursor {
 public:
  static Expected<RunCursor> of(Database& database, const StoredRun& run) {
    auto rows = database.prepare(
        "SELECT m.axes, p.time_ms FROM members m JOIN points p ON p.id = m.point WHERE m.run = ?1 "
        "ORDER BY m.axes");
    if (!rows) return std::move(rows).error();
    RunCursor order(database, std::move(*rows));
    order.rows_.bind(1, run.id);
    if (auto first = order.next(); !first) return first.error();
    return order;
  }

  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] const std::string& axes() const { return axes_; }
  [[nodiscard]] double time_ms() const { return time_ms_; }  ///< 0: none

  Expected<void> next() {
    const Step step = rows_.step();
    if (step == Step::failed) return database_->fault();
    at_end_ = step == Step::done;
    if (at_end_) return {};
    axes_ = rows_.text(0);
    time_ms_ = rows_.number(1);
    return {};
  }

 private:
  RunCursor(Database& database, Statement rows) : database_(&database), rows_(std::move(rows)) {}
  Database* database_;
  Statement rows_;
  std::string axes_;
  double time_ms_ = 0;
  bool at_end_ = false;
};

class Differ {
 public:
  explicit Differ(std::size_t most) : most_(most) {}

  void both(const RunCursor& first, const RunCursor& second) {
    if (!(first.time_ms() > 0 && second.time_ms() > 0)) {
      ++found_.failed;
      return;
    }
    PointChange change{{}, first.time_ms(), second.time_ms()};
    logarithms_ += std::log(change.factor());
    ++timed_;
    if (change.first_ms == change.second_ms) {
      ++found_.equal;
      return;
    }
    ++found_.changed;
    auto& heap = found_.changes;
    if (heap.size() == most_ && (most_ == 0 || !larger(change, heap.front()))) return;
    if (heap.size() == most_) {
      std::pop_heap(heap.begin(), heap.end(), larger);
      heap.pop_back();
    }
    change.axes = axes_values(first.axes()).value_or(TableRow{});
    heap.push_back(std::move(change));
    std::push_heap(heap.begin(), heap.end(), larger);
  }
  void first_only() { ++found_.first_only; }
  void second_only() { ++found_.second_only; }

  RunDifference found() && {
    std::sort_heap(found_.changes.begin(), found_.changes.end(), larger);
    if (timed_ > 0) found_.mean_factor = std::exp(logarithms_ / static_cast<double>(timed_));
    return std::move(found_);
  }

 private:
  std::size_t most_;
  RunDifference found_;
  double logarithms_ = 0;
  std::uint64_t timed_ = 0;
};

}  // namespace

Expected<RunDifference> StoredRuns::difference(const StoredRun& first, const StoredRun& second,
                                               std::size_t most) {
  if (first.axes != second.axes) {
    const auto names = [](const StoredRun& run) {
      return run.axes.empty() ? std::string("none") : join(run.axes, ", ");
    };
    return Diagnostic{"results diff",
                      "run " + std::to_string(second.id) + " has the axes " + names(second),
                      "those of run " + std::to_string(first.id) + ": " + names(first), ""};
  }
  auto a = RunCursor::of(database_, first);
  if (!a) return std::move(a).error();
  auto b = RunCursor::of(database_, second);
  if (!b) return std::move(b).error();
  Differ differ(most);
  while (!a->at_end() || !b->at_end()) {
    const int order = a->at_end() ? 1 : b->at_end() ? -1 : a->axes().compare(b->axes());
    if (order == 0) differ.both(*a, *b);
    if (order < 0) differ.first_only();
    if (order > 0) differ.second_only();
    if (order <= 0) {
      if (auto next = a->next(); !next) return next.error();
    }
    if (order >= 0) {
      if (auto next = b->next(); !next) return next.error();
    }
  }
  return std::move(differ).found();
}

}  // namespace forewarp::store
