// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/jobs/job_board.h"

#include <array>
#include <random>
#include <utility>

namespace forewarp::serve {
namespace {

constexpr std::array<std::string_view, 5> names{"queued", "running", "done", "failed", "cancelled"};

std::string new_id() {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr int length = 16;
  std::random_device chance;
  std::string id;
  for (int i = 0; i < length; ++i) id += digits[chance() % digits.size()];
  return id;
}

}  // namespace

std::string_view state_name(JobState state) {
  return names.at(static_cast<std::size_t>(state));
}

JobBoard::JobBoard(JobKeeper keeper, const BoardLimits& limits)
    : keeper_(std::move(keeper)), limits_(limits) {
  for (unsigned i = 0; i < limits_.side_by_side; ++i) threads_.start([this] { serve(); });
}

JobBoard::~JobBoard() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    for (auto& [id, job] : jobs_) *job->stop = true;
  }
  came_.notify_all();
  changed_.notify_all();
  threads_.join();
}

Expected<JobView> JobBoard::submit(JobPlan plan) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= limits_.most_queued) {
      return Diagnostic{"jobs", std::to_string(queue_.size()) + " wait already", "",
                        "wait for one, or cancel one"};
    }
  }
  auto job = std::make_shared<Job>();
  job->view.id = new_id();
  job->view.kind = plan.kind;
  job->view.title = plan.title;
  job->view.points = plan.points;
  job->plan = std::move(plan);
  {
    const std::lock_guard storing(storing_);
    const auto run = keeper_.begin(job->view.id, job->plan);
    if (!run) return run.error();
    job->view.run = *run;
  }
  const std::lock_guard lock(mutex_);
  jobs_[job->view.id] = job;
  order_.push_back(job->view.id);
  queue_.push_back(job);
  forget_old();
  came_.notify_one();
  return job->view;
}

void JobBoard::forget_old() {
  while (order_.size() > limits_.most_remembered && jobs_.at(order_.front())->view.ended()) {
    jobs_.erase(order_.front());
    order_.pop_front();
  }
}

std::optional<JobView> JobBoard::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return std::nullopt;
  return found->second->view;
}

std::vector<JobView> JobBoard::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobView> views;
  for (auto id = order_.rbegin(); id != order_.rend(); ++id) views.push_back(jobs_.at(*id)->view);
  return views;
}

bool JobBoard::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end() || found->second->view.ended()) return false;
  Job& job = *found->second;
  *job.stop = true;
  if (job.view.state == JobState::queued) {
    std::erase(queue_, found->second);
    job.view.state = JobState::cancelled;
    ++job.view.version;
    changed_.notify_all();
  }
  return true;
}

std::optional<JobView> JobBoard::changed(const std::string& id, std::uint64_t seen,
                                         std::chrono::milliseconds most) const {
  std::unique_lock lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return std::nullopt;
  const std::shared_ptr<Job> job = found->second;
  changed_.wait_for(lock, most, [&] { return ended_ || job->view.version > seen; });
  return job->view;
}

void JobBoard::change(Job& job, const std::function<void(JobView&)>& change) {
  const std::lock_guard lock(mutex_);
  change(job.view);
  ++job.view.version;
  changed_.notify_all();
}

void JobBoard::serve() {
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      came_.wait(lock, [this] { return ended_ || !queue_.empty(); });
      if (ended_) return;
      job = queue_.front();
      queue_.pop_front();
    }
    run(job);
  }
}

void JobBoard::run(const std::shared_ptr<Job>& job) {
  change(*job, [](JobView& view) { view.state = JobState::running; });
  const auto end = [&](JobState state, std::string error) {
    change(*job, [&](JobView& view) {
      view.state = state;
      view.error = std::move(error);
    });
  };
  for (std::size_t point = 0; point < job->plan.points; ++point) {
    const auto record = job->plan.answer(point, job->stop);
    if (*job->stop) return end(JobState::cancelled, "");
    if (!record) return end(JobState::failed, record.error().line());
    {
      const std::lock_guard storing(storing_);
      const auto kept = keeper_.add(job->view.id, job->plan, point, *record);
      if (!kept) return end(JobState::failed, kept.error().line());
    }
    change(*job, [](JobView& view) { ++view.done; });
  }
  end(JobState::done, "");
}

}  // namespace forewarp::serve
