// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/run_writer.h"

#include <utility>

#include "base/text.h"
#include "store/columns.h"
#include "store/schema.h"

namespace forewarp::store {

namespace {

// Keys are spread over their whole index: a transaction writes most of its pages, however few
// points it has.
constexpr std::uint64_t most_pending = 100'000;
constexpr std::chrono::milliseconds patience(500);

/// "?3,?4,..": one for each column of a point.
std::string figure_parameters() {
  std::vector<std::string> marks;
  for (std::size_t i = 0; i < point_columns().size(); ++i) {
    marks.push_back('?' + std::to_string(i + 5));
  }
  return join(marks, ",");
}

std::string figure_changes() {
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < point_columns().size(); ++i) {
    changes.push_back(point_columns()[i] + "=?" + std::to_string(i + 5));
  }
  return join(changes, ",");
}

void bind_cell(Statement& statement, int parameter, const TableCell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    statement.bind(parameter, *number);
  } else if (const auto* word = std::get_if<std::string>(&cell)) {
    statement.bind(parameter, std::string_view(*word));
  } else {
    statement.bind_nothing(parameter);
  }
}

}  // namespace

Expected<std::unique_ptr<RunWriter>> RunWriter::begin(const std::string& file,
                                                      const RunStart& start) {
  auto database = open_to_write(file);
  if (!database) return std::move(database).error();
  std::unique_ptr<RunWriter> writer(new RunWriter(std::move(*database)));
  if (auto ready = writer->prepare(); !ready) return ready.error();
  if (auto entered = writer->enter(start); !entered) return entered.error();
  writer->committer_ = std::thread([self = writer.get()] { self->commit_by_and_by(); });
  return writer;
}

RunWriter::~RunWriter() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    commit();
  }
  ending_.notify_all();
  if (committer_.joinable()) committer_.join();
}

Expected<void> RunWriter::prepare() {
  const std::string names = join(point_columns(), ",");
  const std::pair<Statement*, std::string> all[] = {
      {&find_, "SELECT id, error IS NULL, detail FROM points WHERE key = ?1"},
      {&add_, "INSERT OR IGNORE INTO points (key,input,gpu,detail," + names +
                  ") VALUES (?1,?2,?3,?4," + figure_parameters() + ")"},
      {&change_,
       "UPDATE points SET input=?2,gpu=?3,detail=?4," + figure_changes() + " WHERE key = ?1"},
      {&member_, "INSERT OR REPLACE INTO members (run,number,point,axes) VALUES (?1,?2,?3,?4)"},
      {&add_input_, "INSERT OR IGNORE INTO inputs (key,kernel,name) VALUES (?1,?2,?3)"},
      {&find_input_, "SELECT id FROM inputs WHERE key = ?1 AND kernel = ?2"},
      {&add_gpu_, "INSERT OR IGNORE INTO gpus (key,name) VALUES (?1,?2)"},
      {&find_gpu_, "SELECT id FROM gpus WHERE key = ?1"},
      {&begin_, "BEGIN IMMEDIATE"},
      {&commit_, "COMMIT"}};
  for (const auto& [statement, sql] : all) {
    auto prepared = database_.prepare(sql);
    if (!prepared) return std::move(prepared).error();
    *statement = *std::move(prepared);
  }
  return {};
}

/// The newest run of this key, or a new one.
Expected<void> RunWriter::enter(const RunStart& start) {
  points_ = start.points;
  again_ = start.again;
  auto known = database_.prepare("SELECT max(id) FROM runs WHERE key = ?1");
  if (!known) return std::move(known).error();
  known->bind(1, std::string_view(start.key));
  if (known->step() == Step::failed) return database_.fault();
  const bool goes_on = !start.again && !known->is_nothing(0);
  run_ = known->whole(0);
  known->reset();
  const auto any = database_.number("SELECT EXISTS (SELECT 1 FROM points)");
  if (!any) return any.error();
  is_new_ = *any == 0;
  if (goes_on) return extend(start.points);
  auto add = database_.prepare(
      "INSERT INTO runs (key,kind,command,axes,points,begun,tool_version,processes,program) "
      "VALUES (?1,?2,?3,?4,?5,strftime('%Y-%m-%dT%H:%M:%SZ','now'),?6,?7,?8)");
  if (!add) return std::move(add).error();
  const std::string axes = names_text(start.axes);
  add->bind(1, std::string_view(start.key));
  add->bind(2, std::string_view(start.kind));
  add->bind(3, std::string_view(start.command));
  add->bind(4, std::string_view(axes));
  add->bind(5, static_cast<std::int64_t>(start.points));
  add->bind(6, std::string_view(start.tool_version));
  add->bind(7, std::int64_t{start.processes});
  add->bind(8, std::string_view(start.program));
  if (!add->run()) return database_.fault();
  run_ = database_.last_id();
  return {};
}

Expected<void> RunWriter::extend(std::uint64_t points) {
  const std::lock_guard lock(mutex_);
  commit();
  points_ = points;
  return database_.execute("UPDATE runs SET ended = NULL, points = " + std::to_string(points) +
                           " WHERE id = " + std::to_string(run_));
}

bool RunWriter::check(bool done) {
  if (!done && !failure_) failure_ = database_.fault();
  return !failure_;
}

bool RunWriter::transact() {
  if (failure_) return false;
  if (open_) return true;
  open_ = check(begin_.run());
  return open_;
}

bool RunWriter::commit() {
  if (!open_ || failure_) return !failure_;
  open_ = false;
  pending_ = 0;
  committed_ = Clock::now();
  return check(commit_.run());
}

bool RunWriter::commit_if_due() {
  ++pending_;
  // The clock is asked now and then: a point may take less than asking it for each.
  const bool many = pending_ >= most_pending;
  if (many || (pending_ % 64 == 1 && Clock::now() - committed_ >= patience)) return commit();
  return true;
}

void RunWriter::commit_by_and_by() {
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, patience, [this] { return ended_; })) {
    if (Clock::now() - committed_ >= patience) commit();
  }
}

/// Sets found_id_ where the key is there, with an error or without; true: without.
bool RunWriter::find(const std::string& key) {
  found_id_ = 0;
  find_.bind(1, std::string_view(key));
  const Step step = find_.step();
  bool whole = false;
  if (check(step != Step::failed) && step == Step::row) {
    found_id_ = find_.whole(0);
    whole = find_.whole(1) != 0;
  }
  return whole;
}

bool RunWriter::adopt(std::uint64_t number, const std::string& key, const TableRow& axes) {
  const std::lock_guard lock(mutex_);
  if (again_ || failure_) return false;
  const bool there = find(key);
  find_.reset();
  if (!there || !become_member(number, found_id_, axes)) return false;
  ++counts_.taken_over;
  return true;
}

std::optional<std::string> RunWriter::adopt_detail(std::uint64_t number, const std::string& key,
                                                   const TableRow& axes) {
  const std::lock_guard lock(mutex_);
  if (again_ || failure_) return {};
  std::optional<std::string> detail;
  if (find(key)) detail = unpacked_text(find_.text(2));
  find_.reset();
  if (!detail || !become_member(number, found_id_, axes)) return {};
  ++counts_.taken_over;
  return detail;
}

bool RunWriter::become_member(std::uint64_t number, std::int64_t point, const TableRow& axes) {
  if (!transact()) return false;
  const std::string text = axes_text(axes);
  member_.bind(1, run_);
  member_.bind(2, static_cast<std::int64_t>(number));
  member_.bind(3, point);
  member_.bind(4, std::string_view(text));
  return check(member_.run()) && commit_if_due();
}

std::optional<std::int64_t> RunWriter::id_of(Statement& insert, Texts values, Statement& select,
                                             Texts key) {
  std::optional<std::int64_t> id;
  for (const auto& [statement, texts] : {std::pair(&insert, values), std::pair(&select, key)}) {
    int parameter = 0;
    for (const std::string_view text : texts) statement->bind(++parameter, text);
    const Step step = statement->step();
    if (step == Step::row) id = statement->whole(0);
    const bool done = check(step != Step::failed);
    statement->reset();
    if (!done) return {};
  }
  return id;
}

/// Most points are of the subject before them.
bool RunWriter::ids_of(const Subject& subject) {
  const bool same = input_id_ != 0 && subject.input_key == subject_.input_key &&
                    subject.kernel == subject_.kernel && subject.gpu_key == subject_.gpu_key;
  if (same) return true;
  const auto input = id_of(add_input_, {subject.input_key, subject.kernel, subject.input},
                           find_input_, {subject.input_key, subject.kernel});
  const auto gpu = id_of(add_gpu_, {subject.gpu_key, subject.gpu}, find_gpu_, {subject.gpu_key});
  if (!input || !gpu) return false;
  subject_ = subject;
  input_id_ = *input;
  gpu_id_ = *gpu;
  return true;
}

bool RunWriter::insert(const std::string& key, const TableRow& figures, const Subject& subject,
                       std::string_view packed) {
  if (!ids_of(subject)) return false;
  for (Statement* statement : {&add_, &change_}) {
    statement->bind(1, std::string_view(key));
    statement->bind(2, input_id_);
    statement->bind(3, gpu_id_);
    if (packed.empty()) {
      statement->bind_nothing(4);
    } else {
      statement->bind_bytes(4, packed);
    }
    for (std::size_t i = 0; i < figures.size(); ++i) {
      bind_cell(*statement, static_cast<int>(i) + 5, figures[i]);
    }
    if (!check(statement->run())) return false;
    if (statement == &add_ && database_.changes() == 1) {
      found_id_ = database_.last_id();
      return true;
    }
  }
  find(key);
  find_.reset();
  return check(found_id_ != 0);
}

bool RunWriter::add(std::uint64_t number, const std::string& key, const TableRow& axes,
                    const TableRow& figures, const Subject& subject, std::string_view detail) {
  const std::string packed = detail.empty() ? std::string() : packed_text(detail);
  const std::lock_guard lock(mutex_);
  if (!transact() || !insert(key, figures, subject, packed)) return false;
  ++counts_.computed;
  if (!std::holds_alternative<std::monostate>(figures.back())) ++counts_.failed;
  return become_member(number, found_id_, axes);
}

std::optional<Diagnostic> RunWriter::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

RunWriter::Counts RunWriter::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

Expected<void> RunWriter::finish() {
  const std::lock_guard lock(mutex_);
  commit();
  if (failure_) return *failure_;
  const std::string run = std::to_string(run_);
  // Of an earlier run of the same command over a longer file.
  if (auto cut = database_.execute("DELETE FROM members WHERE run = " + run +
                                   " AND number >= " + std::to_string(points_));
      !cut) {
    return cut;
  }
  return database_.execute(
      "UPDATE runs SET ended = strftime('%Y-%m-%dT%H:%M:%SZ','now') WHERE id = " + run +
      " AND points <= (SELECT count(*) FROM members WHERE run = " + run + ")");
}

}  // namespace forewarp::store
