// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/work/crew.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "serve/process/frame.h"
#include "serve/work/answerer.h"

namespace forewarp::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_inputs = 64;  // that one worker keeps in its memory

Diagnostic too_long(const Errand& errand) {
  return {"this prediction", "took more than " + std::to_string(errand.most.count()) + " s", "",
          "a smaller budget, fewer blocks (sample), or forewarp on the command line"};
}

}  // namespace

/// A worker's place: one process after the other.
class Crew::Seat {
 public:
  Seat(Crew& crew, bool compiles) : crew_(crew), compiles_(compiles) {}

  void serve(Line& line) {
    while (std::unique_ptr<Waiting> waiting = crew_.next(line, compiles_ ? input_ : "")) {
      waiting->answer.set_value(answer(waiting->errand));
    }
    end();
  }

 private:
  Expected<std::string> answer(const Errand& errand) {
    if (auto fine = prepare(errand); !fine) return fine.error();
    Frame frame;
    const Patience patience{Clock::now() + errand.most, errand.stop.get()};
    bool sent = true;
    if (!known_.contains(errand.input->name)) {
      std::string given = errand.input->name;
      given += '\0';
      sent = write_frame(child_->input(), message::input, given + errand.input->bytes, patience);
      known_.insert(errand.input->name);
    }
    sent = sent && write_frame(child_->input(), errand.kind, errand.text, patience);
    const FrameEnd state = sent ? read_frame(child_->output(), frame, patience) : FrameEnd::closed;
    if (state == FrameEnd::whole && frame.kind == message::result) return std::move(frame.text);
    if (state == FrameEnd::whole) return Diagnostic{"", frame.text, "", ""};
    const std::string how = child_->end().text();
    end();
    if (state == FrameEnd::late) return too_long(errand);
    if (state == FrameEnd::stopped) return Diagnostic{"this prediction", "was cancelled", "", ""};
    return Diagnostic{"this prediction", "its process ended " + how, "",
                      "it may need more memory than one prediction may use"};
  }

  /// A process that is fit for this errand.
  Expected<void> prepare(const Errand& errand) {
    const bool another = compiles_ && input_ != errand.input->name;
    const bool grown = child_ && (known_.size() >= most_inputs ||
                                  child_->resident_bytes() > crew_.order_.worker.most_memory / 4);
    if (child_ && (another || grown)) end();
    if (child_) return {};
    ChildOrder order = crew_.order_.worker;
    const View& view = compiles_ ? crew_.order_.compiling : crew_.order_.plain;
    order.environment = view.environment;
    if (crew_.order_.confine) order = crew_.sandbox_.confined(std::move(order), view);
    auto started = Child::start(order);
    if (!started) return started.error();
    child_ = *std::move(started);
    input_ = errand.input->name;
    ++crew_.restarts_;
    return {};
  }

  void end() {
    child_.reset();
    known_.clear();
    input_.clear();
  }

  Crew& crew_;
  const bool compiles_;
  std::optional<Child> child_;
  std::set<std::string> known_;
  std::string input_;
};

Crew::Crew(CrewOrder order, Sandbox sandbox)
    : order_(std::move(order)), sandbox_(std::move(sandbox)) {
  const auto seat = [this](Line& line, unsigned count, bool compiles) {
    for (unsigned i = 0; i < count; ++i) {
      threads_.start([this, &line, compiles] { Seat(*this, compiles).serve(line); });
    }
  };
  seat(urgent_, order_.urgent, false);
  seat(patient_, order_.patient, false);
  seat(compiling_, order_.compile ? order_.compilers : 0, true);
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  for (Line* line : {&urgent_, &patient_, &compiling_}) line->came.notify_all();
  threads_.join();
}

Crew::Line& Crew::line_of(const Errand& errand) {
  if (errand.input->compiled) return compiling_;
  return errand.urgency == Urgency::now ? urgent_ : patient_;
}

Expected<std::string> Crew::ask(Errand errand) {
  if (errand.input->compiled && !order_.compile) {
    return Diagnostic{errand.input->name, order_.why_not_compile, "a SASS listing", ""};
  }
  auto waiting = std::make_unique<Waiting>();
  waiting->errand = std::move(errand);
  auto answer = waiting->answer.get_future();
  {
    const std::lock_guard lock(mutex_);
    Line& line = line_of(waiting->errand);
    if (line.waiting.size() >= order_.most_waiting || ended_) {
      return Diagnostic{"the server", "is busy", "", "ask again in a moment"};
    }
    line.waiting.push_back(std::move(waiting));
    line.came.notify_one();
  }
  return answer.get();
}

/// The oldest errand, but first one about the input that a seat has at hand; null: no more.
std::unique_ptr<Crew::Waiting> Crew::next(Line& line, const std::string& liked) {
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
        line.waiting, [&](const auto& waiting) { return waiting->errand.input->name == liked; });
    if (same != line.waiting.end()) chosen = same;
  }
  std::unique_ptr<Waiting> taken = std::move(*chosen);
  line.waiting.erase(chosen);
  return taken;
}

}  // namespace forewarp::serve
