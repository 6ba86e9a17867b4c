// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/work/worker_pool.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "serve/process/frame.h"
#include "serve/work/answerer.h"

namespace forewarp::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_inputs = 64;                 // that one worker keeps in its memory
constexpr std::chrono::milliseconds between_looks(50);  // whether somebody still waits

Diagnostic cancelled() {
  return {"this prediction", "was cancelled", "", ""};
}

Diagnostic too_long(const WorkItem& item) {
  return {"this prediction", "took more than " + std::to_string(item.most.count()) + " s", "",
          "a smaller budget, fewer blocks (sample), or forewarp on the command line"};
}

}  // namespace

/// A worker's place: one process after the other.
class WorkerPool::Worker {
 public:
  Worker(WorkerPool& pool, bool compiles) : pool_(pool), compiles_(compiles) {}

  void serve(Line& line) {
    while (std::unique_ptr<Waiting> waiting = pool_.next(line, compiles_ ? input_ : "")) {
      waiting->answer.set_value(answer(waiting->item));
    }
    end();
  }

 private:
  Expected<std::string> answer(const WorkItem& item) {
    if (item.stop && *item.stop) return cancelled();
    if (auto fine = prepare(item); !fine) return fine.error();
    Frame frame;
    const Patience patience{Clock::now() + item.most, item.ends ? nullptr : item.stop.get()};
    bool sent = true;
    if (!known_.contains(item.input->name)) {
      std::string given = item.input->name;
      given += '\0';
      sent = write_frame(child_->input(), message::input, given + item.input->bytes, patience);
      known_.insert(item.input->name);
    }
    sent = sent && write_frame(child_->input(), item.kind, item.text, patience);
    const FrameEnd state = sent ? read_frame(child_->output(), frame, patience) : FrameEnd::closed;
    if (state == FrameEnd::whole && frame.kind == message::result) return std::move(frame.text);
    if (state == FrameEnd::whole) return Diagnostic{"", frame.text, "", ""};
    const std::string how = child_->end().text();
    end();
    if (state == FrameEnd::late) return too_long(item);
    if (state == FrameEnd::stopped) return cancelled();
    return Diagnostic{"this prediction", "its process ended " + how, "",
                      "it may need more memory than one prediction may use"};
  }

  /// A process that is fit for this item.
  Expected<void> prepare(const WorkItem& item) {
    const bool another = compiles_ && input_ != item.input->name;
    const bool grown = child_ && (known_.size() >= most_inputs ||
                                  child_->resident_bytes() > pool_.options_.worker.most_memory / 4);
    if (child_ && (another || grown)) end();
    if (child_) return {};
    ChildOptions options = pool_.options_.worker;
    const View& view = compiles_ ? pool_.options_.compiling : pool_.options_.plain;
    options.environment = view.environment;
    if (pool_.options_.confine) options = pool_.sandbox_.confined(std::move(options), view);
    auto started = Child::start(options);
    if (!started) return started.error();
    child_ = *std::move(started);
    input_ = item.input->name;
    return {};
  }

  void end() {
    child_.reset();
    known_.clear();
    input_.clear();
  }

  WorkerPool& pool_;
  const bool compiles_;
  std::optional<Child> child_;
  std::set<std::string> known_;
  std::string input_;
};

WorkerPool::WorkerPool(WorkerPoolOptions options, Sandbox sandbox)
    : options_(std::move(options)), sandbox_(std::move(sandbox)) {
  const auto seat = [this](Line& line, unsigned count, bool compiles) {
    for (unsigned i = 0; i < count; ++i) {
      threads_.start([this, &line, compiles] { Worker(*this, compiles).serve(line); });
    }
  };
  seat(urgent_, options_.urgent, false);
  seat(patient_, options_.patient, false);
  seat(compiling_, options_.compile ? options_.compilers : 0, true);
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  for (Line* line : {&urgent_, &patient_, &compiling_}) line->came.notify_all();
  threads_.join();
}

WorkerPool::Line& WorkerPool::line_of(const WorkItem& item) {
  if (item.input->compiled) return compiling_;
  return item.urgency == Urgency::now ? urgent_ : patient_;
}

Expected<std::string> WorkerPool::ask(WorkItem item, const std::function<bool()>& left) {
  if (item.input->compiled && !options_.compile) {
    return Diagnostic{item.input->name, options_.why_not_compile, "a SASS listing", ""};
  }
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  if (left) {
    item.stop = stop;
    item.ends = item.input->compiled;
  }
  auto waiting = std::make_unique<Waiting>();
  waiting->item = std::move(item);
  auto answer = waiting->answer.get_future();
  {
    const std::lock_guard lock(mutex_);
    Line& line = line_of(waiting->item);
    if (line.waiting.size() >= options_.most_waiting || ended_) {
      return Diagnostic{"the server", "is busy", "", "ask again in a moment"};
    }
    line.waiting.push_back(std::move(waiting));
    line.came.notify_one();
  }
  while (left && answer.wait_for(between_looks) != std::future_status::ready) {
    if (left()) *stop = true;
  }
  return answer.get();
}

/// The oldest item, but first one about the input that a worker has at hand; null: no more.
std::unique_ptr<WorkerPool::Waiting> WorkerPool::next(Line& line, const std::string& liked) {
  std::unique_lock lock(mutex_);
  line.came.wait(lock, [&] { return ended_ || !line.waiting.empty(); });
  if (ended_) {
    for (const auto& waiting : line.waiting) {
      waiting->answer.set_value(Diagnostic{"the server", "is ending", "", ""});
    }
    line.waiting.clear();
    return nullptr;
  }
  auto chosen = line.waiting.begin();
  if (!liked.empty()) {
    const auto same = std::ranges::find_if(
        line.waiting, [&](const auto& waiting) { return waiting->item.input->name == liked; });
    if (same != line.waiting.end()) chosen = same;
  }
  std::unique_ptr<Waiting> taken = std::move(*chosen);
  line.waiting.erase(chosen);
  return taken;
}

}  // namespace forewarp::serve
