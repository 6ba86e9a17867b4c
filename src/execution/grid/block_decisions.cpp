// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/block_decisions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "analysis/interval.h"
#include "analysis/rewriter.h"
#include "analysis/thread_dependence.h"
#include "base/mixed.h"
#include "execution/storage/execution_input.h"

namespace forewarp::execution {
namespace {

constexpr std::uint64_t most_evaluations = 1 << 22;  // of expressions: at most 0.2 s
constexpr double places_of_box = 1024;               // places kept for a box as large as the grid

/// A subexpression read as a 32-bit number: linear unless it wraps around.
struct Extension {
  CompiledExpression inner;
  bool is_signed = false;

  /// How many times 2^32 is subtracted; nullopt where the value is unknown.
  [[nodiscard]] std::optional<std::int64_t> wraps(const Binding& binding) const {
    constexpr std::int64_t half = std::int64_t{1} << 31;
    const auto value = inner.evaluate(binding);
    if (!value) return {};
    return floor_quotient(*value + (is_signed ? half : 0), 2 * half);
  }
};

/// What a block is asked: the outcome of a comparison, or a loop's trip count.
struct Question {
  ExpressionKind kind = ExpressionKind::equal;  ///< equal, less, less_unsigned, or any other: a
  CompiledExpression a, b;
  std::vector<Extension> extensions;  ///< parts of a and b that may wrap
  bool threads = false;   ///< monotone in threadIdx: a block's corners decide for all its threads
  bool monotone = false;  ///< in blockIdx too: a box's corners decide for all its blocks

  [[nodiscard]] bool compares() const { return compares(kind); }
  [[nodiscard]] static bool compares(ExpressionKind kind) {
    return kind == ExpressionKind::equal || kind == ExpressionKind::less ||
           kind == ExpressionKind::less_unsigned;
  }
};

/// Whether blockIdx decides the expression, without memory or a loop's iteration.
bool answerable(const ExpressionPool& pool, Expression e) {
  return !pool.contains(e, contains_phi | contains_iteration | contains_unknown) &&
         mentions(pool, e, IndexKind::block);
}

class Questions {
 public:
  explicit Questions(const KernelAnalysis& analysis) : analysis_(analysis), pool_(analysis.pool()) {
    const ControlFlow& flow = analysis.flow();
    for (BlockId id = 0; id < flow.blocks().size(); ++id) {
      const Condition* condition = analysis.condition(flow.blocks()[id].end - 1);
      if (flow.is_conditional(id) && condition != nullptr) add_condition(condition->effect);
    }
    for (LoopId id = 0; id < analysis.loops().all().size(); ++id) {
      const LoopTrip& trip = analysis.trip(id);
      if (!trip.known) continue;
      if (answerable(pool_, trip.trips) && mentions_directly(trip.trips)) add_passes(id);
      add_comparisons(trip.trips);
    }
  }

  [[nodiscard]] std::vector<Question> take() { return std::move(questions_); }

 private:
  /// A branch condition that is no comparison itself is asked whether it equals 0.
  void add_condition(Expression e) {
    const ExpressionKind kind = pool_.kind(e);
    const bool joins = kind == ExpressionKind::logical_and || kind == ExpressionKind::logical_or ||
                       kind == ExpressionKind::logical_not;
    if (!joins && !Question::compares(kind)) add(e);
    add_comparisons(e);
  }

  /// Adds all comparisons in `e`, also those that select between values.
  void add_comparisons(Expression e) {
    (void)any_part(pool_, e, [&](Expression part) {
      if (Question::compares(pool_.kind(part))) add(part);
      return false;
    });
  }

  /// Whether the block's index occurs outside of comparisons, which are asked on their own.
  [[nodiscard]] bool mentions_directly(Expression e) const {
    if (!mentions(pool_, e, IndexKind::block)) return false;
    const ExpressionNode& node = pool_.node(e);
    if (node.kind == ExpressionKind::launch) return true;
    const auto part = [&](Expression operand) {
      return !Question::compares(pool_.kind(operand)) && mentions_directly(operand);
    };
    const std::array<Expression, 3> operands = {node.a, node.b, node.c};
    for (unsigned i = 0; i < operand_count(node.kind); ++i) {
      if (part(operands[i])) return true;
    }
    const auto terms = pool_.stored_terms(e);
    return std::any_of(terms.begin(), terms.end(),
                       [&](const Term& term) { return part(term.node); });
  }

  void add(Expression e) {
    if (mentions_directly(e) && answerable(pool_, e) && seen_.insert(e).second) add_comparison(e);
  }

  void add_comparison(Expression e) {
    const ExpressionNode& node = pool_.node(e);
    const bool compares = Question::compares(node.kind);
    const auto monotone_in = [&](IndexKind index) {
      return compares && monotone(pool_, node.a, index) && monotone(pool_, node.b, index);
    };
    Question question;
    question.threads = mentions(pool_, e, IndexKind::thread);
    if (question.threads && !monotone_in(IndexKind::thread)) return;
    question.monotone = monotone_in(IndexKind::block);
    question.kind = compares ? node.kind : ExpressionKind::constant;
    question.a = analysis_.compile(compares ? node.a : e);
    if (compares) question.b = analysis_.compile(node.b);
    (void)any_part(pool_, e, [&](Expression part) {
      const ExpressionNode& extended = pool_.node(part);
      const bool is_signed = extended.kind == ExpressionKind::sign_extend;
      if (is_signed || extended.kind == ExpressionKind::zero_extend)
        question.extensions.push_back({analysis_.compile(extended.a), is_signed});
      return false;
    });
    questions_.push_back(std::move(question));
  }

  void add_passes(LoopId id) {
    Question question;
    question.kind = ExpressionKind::floor_log2;
    question.a = analysis_.trip_program(id);
    question.threads = mentions(pool_, analysis_.trip(id).trips, IndexKind::thread);
    questions_.push_back(std::move(question));
  }

  const KernelAnalysis& analysis_;
  const ExpressionPool& pool_;
  std::set<Expression> seen_;
  std::vector<Question> questions_;
};

/// How a block's threads answer a comparison; trip counts are coded from first_count on.
enum Answer : std::uint64_t { all_below, all_above, all_equal, some, nobody_knows, first_count };

/// Blocks or threads between two corners, both included.
struct Box {
  Extent first{}, last{};

  [[nodiscard]] Extent extent() const {
    return {last[0] - first[0] + 1, last[1] - first[1] + 1, last[2] - first[2] + 1};
  }

  /// Each corner once: an axis of extent 1 has a single end.
  [[nodiscard]] std::vector<Extent> corners() const {
    std::vector<Extent> all{first};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (first[axis] == last[axis]) continue;
      for (std::size_t i = 0, size = all.size(); i < size; ++i) {
        all.push_back(all[i]);
        all.back()[axis] = last[axis];
      }
    }
    return all;
  }
};

/// Answers for the blocks of one launch.
class Answers {
 public:
  explicit Answers(const ExecutionInput& input) {
    binding_.parameter_bytes = input.parameters;
    binding_.parameter_known = input.parameters_known;
    binding_.block = input.block;
    binding_.grid = input.grid;
    const Extent& block = input.block;
    threads_ = Box{{0, 0, 0}, {block[0] - 1, block[1] - 1, block[2] - 1}}.corners();
  }

  [[nodiscard]] std::uint64_t evaluations(const Question& question) const {
    const std::uint64_t once = 2 + question.extensions.size();
    return question.threads ? once * threads_.size() : once;
  }

  /// How often each part wraps around, for the block and thread evaluated last.
  [[nodiscard]] std::vector<std::int64_t> wraps_of(const Question& question) const {
    std::vector<std::int64_t> wraps;
    for (const Extension& extension : question.extensions)
      wraps.push_back(extension.wraps(binding_).value_or(0));
    if (question.kind != ExpressionKind::less_unsigned) return wraps;
    for (const CompiledExpression* side : {&question.a, &question.b})
      wraps.push_back(side->evaluate(binding_).value_or(0) < 0 ? 1 : 0);
    return wraps;
  }

  [[nodiscard]] std::uint64_t operator()(const Question& question, const Extent& block) {
    binding_.block_index = block;
    return question.kind == ExpressionKind::floor_log2 ? passes(question) : comparison(question);
  }

 private:
  template <class See>
  void each_corner(const Question& question, See see) {
    const std::size_t corners = question.threads ? threads_.size() : 1;
    for (std::size_t i = 0; i < corners; ++i) {
      binding_.thread = threads_[i];
      see();
    }
  }

  std::uint64_t passes(const Question& question) {
    constexpr unsigned power = 3;  // log2 of 8: trip counts are told apart by powers of eight
    std::int64_t most = 0;
    each_corner(question,
                [&] { most = std::max(most, question.a.evaluate(binding_).value_or(0)); });
    return first_count + std::bit_width(static_cast<std::uint64_t>(most)) / power;
  }

  std::uint64_t comparison(const Question& question) {
    std::array<bool, nobody_knows + 1> seen{};
    std::set<std::vector<std::int64_t>> wraps;
    each_corner(question, [&] {
      if (question.threads) wraps.insert(wraps_of(question));
      const auto a = question.a.evaluate(binding_);
      const auto b = question.compares() ? question.b.evaluate(binding_) : 0;
      seen[a && b ? order(question.kind, *a, *b) : nobody_knows] = true;
    });
    if (seen[nobody_knows]) return nobody_knows;
    if (wraps.size() > 1) return some;
    // Between a corner below and one above, values may be equal. "Not less" covers equal and above.
    const bool less = question.compares() && question.kind != ExpressionKind::equal;
    if (less && seen[all_equal]) seen[all_above] = true;
    if (less) seen[all_equal] = false;
    if (seen[all_below] + seen[all_above] + seen[all_equal] > 1) return some;
    return seen[all_below] ? all_below : seen[all_above] ? all_above : all_equal;
  }

  static Answer order(ExpressionKind kind, std::int64_t a, std::int64_t b) {
    if (a == b) return all_equal;
    const bool below = kind == ExpressionKind::less_unsigned
                           ? static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b)
                           : a < b;
    return below ? all_below : all_above;
  }

  Binding binding_;
  std::vector<Extent> threads_;  ///< corners of a block
};

/// Places by a hash of their answers.
using Found = std::unordered_map<std::uint64_t, std::vector<BlockPlace>>;

/// Finds the blocks of a grid that answer all questions alike.
class Inquiry {
 public:
  /// `ends`: keeps questions that only blocks at the grid's ends answer differently.
  Inquiry(const KernelAnalysis& analysis, const ExecutionInput& input, bool ends)
      : answers_(input), questions_(Questions(analysis).take()), grid_(input.grid) {
    Box inside{{0, 0, 0}, {grid_[0] - 1, grid_[1] - 1, grid_[2] - 1}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (grid_[axis] <= 2 || ends) continue;
      ++inside.first[axis];
      --inside.last[axis];
    }
    std::erase_if(questions_, [&](const Question& question) {
      return question.monotone && alike(question, inside);
    });
  }

  /// Share of the grid that find() did not look at.
  [[nodiscard]] double unlooked() const { return unlooked_; }

  [[nodiscard]] Found find() {
    if (questions_.empty()) return {};
    const bool monotone = std::all_of(questions_.begin(), questions_.end(),
                                      [](const Question& question) { return question.monotone; });
    if (monotone && divide({{0, 0, 0}, {grid_[0] - 1, grid_[1] - 1, grid_[2] - 1}}))
      return std::move(found_);
    found_.clear();
    std::uint64_t each = 0;
    for (const Question& question : questions_) each += answers_.evaluations(question);
    const std::uint64_t all = volume(grid_), places = std::min(all, most_evaluations / each);
    unlooked_ = 1 - static_cast<double>(places) / static_cast<double>(all);
    for (std::uint64_t i = 0; i < places; ++i) {
      const BlockPlace place = drawn_place(all, places, i);
      found_[all_answers(block_index(place.block, grid_))].push_back(place);
    }
    return std::move(found_);
  }

 private:
  /// Whether all blocks of a box are known to answer a monotone question as its corners do.
  bool alike(const Question& question, const Box& box) {
    std::optional<std::uint64_t> first;
    std::vector<std::int64_t> wraps;
    for (const Extent& block : box.corners()) {
      const std::uint64_t answer = answers_(question, block);
      if (!first) wraps = answers_.wraps_of(question);
      if (answer >= some || answer != first.value_or(answer)) return false;
      if (answers_.wraps_of(question) != wraps) return false;
      first = answer;
    }
    return true;
  }

  /// Splits a box until the blocks of each part are alike; false if that takes too many parts.
  bool divide(const Box& box) {
    constexpr std::size_t most_parts = 1 << 13;
    const Extent extent = box.extent();
    const std::uint64_t size = volume(extent);
    if (size == 1 || std::all_of(questions_.begin(), questions_.end(),
                                 [&](const Question& q) { return alike(q, box); })) {
      add(box, size);
      return ++parts_ <= most_parts;
    }
    const std::size_t axis =
        static_cast<std::size_t>(std::max_element(extent.begin(), extent.end()) - extent.begin());
    Box lower = box, upper = box;
    lower.last[axis] = box.first[axis] + (extent[axis] - 1) / 2;
    upper.first[axis] = lower.last[axis] + 1;
    return divide(lower) && divide(upper);
  }

  /// Adds places for a box of `size` blocks, in proportion to its share of the grid.
  void add(const Box& box, std::uint64_t size) {
    std::vector<BlockPlace>& places = found_[all_answers(box.first)];
    const double share = static_cast<double>(size) / static_cast<double>(volume(grid_));
    const std::uint64_t count =
        std::clamp<std::uint64_t>(static_cast<std::uint64_t>(share * places_of_box), 1, size);
    for (std::uint64_t i = 0; i < count; ++i) {
      const BlockPlace place = drawn_place(size, count, i);
      Extent at = block_index(place.block, box.extent());
      for (std::size_t axis = 0; axis < at.size(); ++axis) at[axis] += box.first[axis];
      places.push_back({block_number(at, grid_), place.size});
    }
  }

  std::uint64_t all_answers(const Extent& block) {
    std::uint64_t same = 0;
    for (const Question& question : questions_) {
      std::uint64_t answer = answers_(question, block);
      if (answer == all_above && question.kind == ExpressionKind::equal) answer = all_below;
      same = mixed(same + 1 + answer);
    }
    return same;
  }

  Answers answers_;
  std::vector<Question> questions_;
  Extent grid_;
  Found found_;
  std::size_t parts_ = 0;
  double unlooked_ = 0;
};

std::uint64_t blocks_of(const std::vector<BlockPlace>& places) {
  std::uint64_t blocks = 0;
  for (const BlockPlace& place : places) blocks += place.size;
  return blocks;
}

}  // namespace

BlockKinds decided_kinds(const KernelAnalysis& analysis, const ExecutionInput& input,
                         std::size_t most, bool ends) {
  Inquiry inquiry(analysis, input, ends);
  Found found = inquiry.find();
  std::vector<std::vector<BlockPlace>> kinds;
  for (auto& [same, blocks] : found) kinds.push_back(std::move(blocks));
  std::sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
    const std::uint64_t one = blocks_of(a), other = blocks_of(b);
    return one != other ? one > other : a.front().block < b.front().block;
  });
  while (kinds.size() > most) {
    std::vector<BlockPlace>& last = kinds[kinds.size() - 2];
    last.insert(last.end(), kinds.back().begin(), kinds.back().end());
    kinds.pop_back();
  }
  BlockKinds result;
  result.unlooked = inquiry.unlooked();
  for (std::vector<BlockPlace>& blocks : kinds) {
    std::sort(blocks.begin(), blocks.end(),
              [](const BlockPlace& a, const BlockPlace& b) { return a.block < b.block; });
    BlockKind& kind = result.kinds.emplace_back();
    kind.blocks = blocks_of(blocks);
    kind.error = drawn_error(inquiry.unlooked(), blocks.size());
    kind.places = std::move(blocks);
    thin(kind);
  }
  return result;
}

}  // namespace forewarp::execution
