// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/advice/advise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <variant>

#include "base/ordered_pipeline.h"
#include "base/text.h"
#include "comparison/advice/amounts.h"
#include "comparison/advice/changes.h"
#include "comparison/sureness.h"
#include "explain/edits/edit_kind.h"
#include "prediction/evaluation.h"

namespace forewarp::comparison {
namespace {

constexpr double worth_telling = 0.03;  // of the time
constexpr unsigned most_jobs = 4;       // each holds the launch's accesses once more

/// A proposal with the kind that made it.
struct Tried {
  const EditKind* kind = nullptr;
  EditProposal proposal;
};

ResultDetail short_detail() {
  ResultDetail detail;
  detail.stalls = false;
  return detail;
}

double threads_of(const Result& result, const std::string& instruction_class) {
  for (const auto& [name, threads] : result.profile.threads_by_class) {
    if (name == instruction_class) return threads;
  }
  return 0;
}

/// Words of memory by the instructions that move them, and results of atomics: work that the same
/// kernel does as often in other blocks.
struct MovedWords {
  const char *verb, *instruction_class, *unit;
};
constexpr MovedWords moved_words[] = {
    {"loads", "load_global", "words"},    {"loads", "load_generic", "words"},
    {"copies", "async_copy", "words"},    {"fetches", "texture", "texels"},
    {"loads", "surface_load", "texels"},  {"stores", "store_global", "words"},
    {"stores", "store_generic", "words"}, {"stores", "surface_store", "texels"},
    {"does", "atomic_global", "atomics"}, {"does", "reduction_global", "atomics"}};

double launched_threads(const Result& result) {
  double threads = 1;
  for (const std::uint32_t size : result.launch.grid) threads *= size;
  for (const std::uint32_t size : result.launch.block) threads *= size;
  return threads;
}

/// Two launches of one kernel, told apart by amounts.
class Amounts {
 public:
  Amounts(const Result& now, const Result& then) : now_(now), then_(then) {
    const double before = launched_threads(now), after = launched_threads(then);
    if (before <= 0 || after <= 0) return;
    share_ = after / before;
    // Of a grid that is 1 % smaller, a kernel that leaves work out leaves out 1 % of it.
    constexpr double least_part = 0.25;
    other_grid_ = now.launch.block == then.launch.block && before != after;
    if (other_grid_) same_ = std::min(same_, least_part * std::fabs(1 - share_));
  }

  /// "reads 1.05 MB instead of 4.19 MB"; empty where it does not differ.
  [[nodiscard]] std::string other(const char* verb, double now, double then,
                                  const char* unit) const {
    if (!apart(now, then, same_)) return {};
    const std::string before = amount_text(now, unit), after = amount_text(then, unit);
    if (before != after) return verb + std::string(" ") + after + " instead of " + before;
    return verb + std::string(" ") + significant(100 * std::fabs(1 - then / now), 2) + " % " +
           (then < now ? "fewer " : "more ") + unit;
  }

  /// Fewer threads of which each does no more than before: empty where each does more.
  [[nodiscard]] std::string fewer_threads() const {
    const double before = now_.profile.thread_instructions;
    const double after = then_.profile.thread_instructions;
    if (!other_grid_ || share_ >= 1 || before <= 0 || after > before * (share_ + same_)) return {};
    return "has " + significant(100 * (1 - share_), 2) +
           " % fewer threads, each of which does no more than before";
  }

 private:
  const Result &now_, &then_;
  bool other_grid_ = false;
  double share_ = 1;  ///< of the threads
  double same_ = same_amount;
};

class Adviser {
 public:
  Adviser(Predictor& predictor, const Case& request, std::string gpu, const PredictOptions& options)
      : predictor_(predictor), request_(request), gpu_(std::move(gpu)), options_(options) {
    options_.jobs = 1;
    options_.gpus.clear();
  }

  Expected<Advice> run(unsigned jobs) {
    PredictOptions executed = options_;
    executed.cache = false;  // what is kept on the disk has no addresses
    auto evaluation = predictor_.evaluate(request_, gpu_, executed);
    if (!evaluation) return std::move(evaluation).error();
    evaluation_ = *std::move(evaluation);
    ResultDetail detail = short_detail();
    detail.listing = true;
    auto now = predictor_.result(*evaluation_, detail);
    if (!now) return std::move(now).error();
    now_ = *std::move(now);
    std::vector<Tried> tried = proposals();
    std::vector<Advice::Edit> edits = evaluate(tried, jobs);
    return ranked(tried, std::move(edits));
  }

 private:
  std::vector<Tried> proposals() {
    SeenLaunch seen{*evaluation_, request_, options_, {}};
    if (evaluation_->trace->profile != nullptr) {
      seen.accesses = seen_accesses(evaluation_->trace->profile->executed.accesses);
    }
    std::vector<Tried> all;
    for (const auto& kind : edit_kinds()) {
      for (EditProposal& proposal : kind->proposals(seen)) {
        all.push_back({kind.get(), std::move(proposal)});
      }
    }
    return all;
  }

  std::vector<Advice::Edit> evaluate(const std::vector<Tried>& tried, unsigned jobs) {
    std::vector<Advice::Edit> edits;
    std::size_t next = 0;
    PipelineSteps<std::size_t, Advice::Edit> steps;
    steps.next = [&](std::size_t& index) {
      index = next;
      return next++ < tried.size();
    };
    steps.work = [&](std::size_t& index, unsigned) { return evaluated(tried[index]); };
    steps.finish = [&](Advice::Edit& edit) {
      edits.push_back(std::move(edit));
      return true;
    };
    OrderedPipeline(std::move(steps), {std::min(thread_count(jobs), most_jobs), 1, 16}).run();
    return edits;
  }

  Advice::Edit evaluated(const Tried& tried) {
    const EditProposal& proposal = tried.proposal;
    Advice::Edit edit;
    edit.kind = tried.kind->name();
    edit.text = proposal.edit;
    edit.reason = proposal.reason;
    edit.condition = proposal.condition;
    if (proposal.instruction) place(*proposal.instruction, edit);
    const auto then =
        std::visit([&](const auto& change) { return result_of(change, edit); }, proposal.change);
    if (!then) {
      edit.refused = then.error().line();
      return edit;
    }
    edit.time_ms = then->time_ms;
    edit.interval_ms = then->interval_ms;
    edit.limited_by = then->limited_by.resource;
    const auto* other = std::get_if<OtherCase>(&proposal.change);
    const bool other_code = other != nullptr && then->kernel.registers != now_.kernel.registers;
    if (other_code && then->kernel.registers != 0) {
      // What the compiler made of the option: it may take fewer than it is allowed.
      edit.reason += "; compiled so it takes " + std::to_string(then->kernel.registers) +
                     " registers, spills included, and " +
                     std::to_string(then->occupancy.warps_per_sm) + " warps fit";
    }
    if (other != nullptr && other->same_work) edit.refused = other_work(now_, *then);
    if (std::holds_alternative<World>(proposal.change)) return edit;  // no counts of its own
    const std::string better = changes(now_, *then);
    if (!edit.reason.empty() && !better.empty()) edit.reason += "; then ";
    edit.reason += better;
    return edit;
  }

  void place(std::uint32_t instruction, Advice::Edit& edit) const {
    edit.address = evaluation_->launch->code.kernel->instructions[instruction].address;
    for (const Result::ListingLine& line : now_.listing) {
      if (line.address != *edit.address) continue;
      edit.file = line.source_file;
      edit.line = line.source_line;
    }
    for (const Result::SourceLine& line : now_.source) {
      if (edit.line != 0 && line.file == edit.file && line.line == edit.line) {
        edit.source = line.text;
      }
    }
  }

  Expected<Result> result_of(const LaunchEdit& change, Advice::Edit& edit) {
    edit.how = "its code, addresses and resources edited, and replayed through the caches";
    const auto evaluation =
        predictor_.evaluate_edited(*evaluation_, change, make_query(request_, options_, gpu_));
    if (!evaluation) return evaluation.error();
    return predictor_.result(*evaluation, short_detail());
  }

  Expected<Result> result_of(const OtherCase& change, Advice::Edit& edit) {
    const bool compiled = change.request.compile_options != request_.compile_options;
    edit.how = compiled           ? "compiled and executed so"
               : change.same_work ? "executed so, the kernel moves the same data"
                                  : "executed so";
    return predictor_.predict(change.request, gpu_, change.options, short_detail());
  }

  Expected<Result> result_of(const World& change, Advice::Edit& edit) {
    edit.how = "the model again";
    const ModelRun& taken = evaluation_->taken();
    WhatIf what_if(*evaluation_, taken);
    const double factor = what_if.time_ms(change) / taken.prediction.time_ms;
    if (!std::isfinite(factor) || factor <= 0) {
      return Diagnostic{now_.kernel.name, "the model gives no time for it", "", ""};
    }
    Result then;
    then.time_ms = now_.time_ms * factor;
    then.interval_ms = {now_.interval_ms[0] * factor, now_.interval_ms[1] * factor};
    then.limited_by = now_.limited_by;
    return then;
  }

  [[nodiscard]] bool gains(const Advice::Edit& edit) const {
    return edit.refused.empty() && edit.time_ms > 0 &&
           edit.time_ms < (1 - worth_telling) * now_.time_ms;
  }

  /// Those of one kind for one place stand beside each other.
  using Key = std::pair<const EditKind*, std::optional<std::uint32_t>>;
  static Key key_of(const Tried& tried) { return {tried.kind, tried.proposal.instruction}; }

  /// What stands in for a proposal that counts is not needed.
  static bool superseded(const std::vector<Tried>& tried, const std::vector<Advice::Edit>& edits,
                         std::size_t index) {
    if (!tried[index].proposal.stands_in) return false;
    for (std::size_t i = 0; i < tried.size(); ++i) {
      const bool other = !tried[i].proposal.stands_in && key_of(tried[i]) == key_of(tried[index]);
      if (other && edits[i].refused.empty()) return true;
    }
    return false;
  }

  /// Several instructions of one line may ask for one edit, with one outcome.
  static bool told(const std::vector<Advice::Edit>& others, const Advice::Edit& edit) {
    return std::ranges::any_of(others, [&](const Advice::Edit& other) {
      return other.kind == edit.kind && other.text == edit.text && other.file == edit.file &&
             other.line == edit.line && other.refused == edit.refused && edit.line != 0 &&
             other.time_ms == edit.time_ms;
    });
  }

  /// Of the proposals of one kind for one place the fastest is told.
  Advice ranked(const std::vector<Tried>& tried, std::vector<Advice::Edit> edits) {
    std::map<Key, std::size_t> best;
    for (std::size_t i = 0; i < edits.size(); ++i) {
      if (!gains(edits[i]) || superseded(tried, edits, i)) continue;
      const auto [known, fresh] = best.try_emplace(key_of(tried[i]), i);
      if (!fresh && edits[i].time_ms < edits[known->second].time_ms) known->second = i;
    }
    Advice advice;
    for (std::size_t i = 0; i < edits.size(); ++i) {
      const auto found = best.find(key_of(tried[i]));
      if (found == best.end() || found->second != i) {
        if (!told(advice.others, edits[i])) advice.others.push_back(std::move(edits[i]));
        continue;
      }
      Advice::Edit& edit = edits[i];
      edit.sure =
          sureness(range_of(now_), {edit.time_ms, edit.interval_ms[0], edit.interval_ms[1]});
      advice.gains.push_back(std::move(edit));
    }
    std::ranges::stable_sort(advice.gains, {}, &Advice::Edit::time_ms);
    now_.listing.clear();
    advice.now = std::move(now_);
    return advice;
  }

  Predictor& predictor_;
  Case request_;
  std::string gpu_;
  PredictOptions options_;
  std::shared_ptr<const Evaluation> evaluation_;
  Result now_;
};

}  // namespace

std::string other_work(const Result& now, const Result& then) {
  const bool other_grid = now.launch.block == then.launch.block;
  const std::string expects = std::string(": its ") + (other_grid ? "grid has" : "blocks have") +
                              " the size that it expects";
  for (const Result::Finding& finding : then.findings) {
    const auto known = [&](const Result::Finding& other) { return other.kind == finding.kind; };
    if (finding.kind.find("bounds") != std::string::npos &&
        std::ranges::none_of(now.findings, known)) {
      return "the kernel then accesses memory behind its buffers" + expects;
    }
  }
  const Amounts amounts(now, then);
  const Result::Profile &a = now.profile, &b = then.profile;
  std::vector<std::string> others{
      amounts.other("reads", a.unique_read_bytes, b.unique_read_bytes, "B"),
      amounts.other("writes", a.unique_write_bytes, b.unique_write_bytes, "B")};
  for (const auto& [verb, kind, unit] : moved_words) {
    others.push_back(amounts.other(verb, threads_of(now, kind), threads_of(then, kind), unit));
  }
  others.push_back(amounts.fewer_threads());
  for (const std::string& other : others) {
    if (!other.empty()) return "the kernel then " + other + expects;
  }
  return {};
}

Expected<Advice> advise(Predictor& predictor, const Case& request, const std::string& gpu,
                        const PredictOptions& options, unsigned jobs) {
  return Adviser(predictor, request, gpu, options).run(jobs);
}

}  // namespace forewarp::comparison
