// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "store/database.h"
#include "sweep/results_table.h"

namespace forewarp::store {

/// A run as it begins.
struct RunStart {
  std::string kind;               ///< sweep, cases, tune, validate
  std::string key;                ///< of all that decides its points: a rerun goes on under it
  std::string command;            ///< as it was written
  std::vector<std::string> axes;  ///< what tells its points apart
  std::uint64_t points = 0;
  std::string tool_version;
  std::string program;  ///< key of the program and its data
  unsigned processes = 1;
  bool again = false;  ///< nothing that is there is taken over
};

/// Code and board of a point, by content and by name.
struct Subject {
  std::string input_key, input, kernel, gpu_key, gpu;
};

/// Writes the points of one run. What was added is on its way to the disk within a fraction of a
/// second, also while nothing more is added; what was committed outlives the process. Any thread.
class RunWriter {
 public:
  /// Opens or makes the file. The run with the same key goes on, unless all is asked for again.
  static Expected<std::unique_ptr<RunWriter>> begin(const std::string& file, const RunStart& start);
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  [[nodiscard]] std::int64_t run() const { return run_; }
  /// No point at all was there when it began: none needs to be looked for.
  [[nodiscard]] bool is_new() const { return is_new_; }
  /// The run has more points than it began with.
  Expected<void> extend(std::uint64_t points);

  /// Whether the point of this key is there without an error; then it is the run's `number` too.
  bool adopt(std::uint64_t number, const std::string& key, const TableRow& axes);
  /// The same with the detail that was kept of it.
  std::optional<std::string> adopt_detail(std::uint64_t number, const std::string& key,
                                          const TableRow& axes);

  /// `figures` are those of point_columns(); no detail: nothing is kept. False: the file takes no
  /// more, failure() says why.
  bool add(std::uint64_t number, const std::string& key, const TableRow& axes,
           const TableRow& figures, const Subject& subject, std::string_view detail);

  [[nodiscard]] std::optional<Diagnostic> failure() const;

  struct Counts {
    std::uint64_t computed = 0, taken_over = 0, failed = 0;
  };
  [[nodiscard]] Counts counts() const;

  /// Commits; a run that has all its points is ended by it.
  Expected<void> finish();

 private:
  using Clock = std::chrono::steady_clock;

  explicit RunWriter(Database database) : database_(std::move(database)) {}
  Expected<void> prepare();
  Expected<void> enter(const RunStart& start);
  bool find(const std::string& key);
  bool become_member(std::uint64_t number, std::int64_t point, const TableRow& axes);
  bool insert(const std::string& key, const TableRow& figures, const Subject& subject,
              std::string_view packed);
  using Texts = std::initializer_list<std::string_view>;
  std::optional<std::int64_t> id_of(Statement& insert, Texts values, Statement& select, Texts key);
  bool ids_of(const Subject& subject);
  bool transact();
  bool commit();
  bool commit_if_due();
  bool check(bool done);
  void commit_by_and_by();

  Database database_;
  Statement find_, add_, change_, member_, add_input_, find_input_, add_gpu_, find_gpu_, begin_,
      commit_;
  std::int64_t run_ = 0;
  std::uint64_t points_ = 0;
  bool again_ = false, is_new_ = false;
  Subject subject_;  // of the last point
  std::int64_t input_id_ = 0, gpu_id_ = 0;
  std::int64_t found_id_ = 0;
  Counts counts_;
  std::optional<Diagnostic> failure_;
  bool open_ = false;  // a transaction
  std::uint64_t pending_ = 0;
  Clock::time_point committed_;
  mutable std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;
  std::thread committer_;
};

}  // namespace forewarp::store
