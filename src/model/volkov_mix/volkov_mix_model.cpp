// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/volkov_mix/volkov_mix_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/volkov_mix/volkov_mix_stack.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { access_issue, special_issue, shared_issue, solver, fit };
enum Solver : int { closed, bisection };

constexpr ModelOption access_option{"access_issue", "number", "1",
                                    "issue cycles of an access to global memory", cycles_range};
constexpr ModelOption special_option{"special_issue", "number", "1",
                                     "issue cycles of a special function", cycles_range};
constexpr ModelOption shared_option{"shared_issue", "number", "1",
                                    "issue cycles of a shared-memory access", cycles_range};
constexpr std::array<ModelOption, 3> basic_options{access_option, special_option, shared_option};
constexpr std::array<ModelOption, 5> refined_options{
    access_option,
    special_option,
    shared_option,
    {"solver", "closed|bisection", "closed", "smaller root of the quadratic, or bisection"},
    {"fit", "plain|finer", "plain", "finer: a second term where the GPU has one, bisected"},
};

constexpr int bisection_steps = 200;  // until the interval is empty
constexpr double below_pole = 1 - 1e-12;

double bound_cycles(const WarpMix& mix, const OptionValues& options) {
  const double more = (options[access_issue] - 1) * mix.memory +
                      (options[special_issue] - 1) * mix.special +
                      (options[shared_issue] - 1) * mix.shared;
  return std::max(mix.bound_cycles(), mix.issue_cycles + more * mix.issue_slot);
}

/// The tightest bound, by its name in MixModel::bounds().
std::string_view tightest(const WarpMix& mix, const OptionValues& options) {
  const double bound = bound_cycles(mix, options);
  if (mix.sustained_cycles >= bound) return resource_name(ResourceRole::device_memory).name;
  const bool by_pipe = mix.pipe_cycles >= bound && mix.issue_cycles < bound;
  return by_pipe ? "pipe" : resource_name(ResourceRole::issue).name;
}

/// Latency of a warp, cycles, at a throughput of `rate` warps per cycle and SM.
double loaded_latency(const WarpMix& mix, const Contention& fit, double rate) {
  return mix.compute_wait + mix.rounds * fit.latency(rate * mix.gbs_per_rate);
}

double bisected_rate(const WarpMix& mix, const Contention& fit, double limit) {
  double low = 0, high = std::min(limit, fit.limit() * below_pole / mix.gbs_per_rate);
  if (high * loaded_latency(mix, fit, high) <= mix.warps) return high;
  for (int i = 0; i < bisection_steps; ++i) {
    const double middle = (low + high) / 2;
    (middle * loaded_latency(mix, fit, middle) > mix.warps ? high : low) = middle;
  }
  return low;
}

/// (K - B) x^2 - (K c + n) x + n c = 0 with K = unloaded latency, B = rounds * b, c as a rate.
double closed_rate(const WarpMix& mix, const Contention& fit, double limit) {
  const double unloaded = mix.compute_wait + mix.rounds * fit.unloaded;
  const double pole = fit.pole / mix.gbs_per_rate;
  const double p = unloaded - mix.rounds * fit.growth;
  const double q = -(unloaded * pole + mix.warps);
  const double r = mix.warps * pole;
  // The smaller root, in the form that does not cancel and holds for p = 0 as well.
  const double root = 2 * r / (-q + std::sqrt(q * q - 4 * p * r));
  return std::min(root, limit);
}

bool contended(const WarpMix& mix) {
  return mix.memory > 0 && mix.contention.pole > 0 && mix.gbs_per_rate > 0;
}

double refined_rate(const WarpMix& mix, const OptionValues& options) {
  const double limit = 1 / bound_cycles(mix, options);
  if (!contended(mix)) return std::min(mix.warps / mix.latency(), limit);
  if (options[fit] != 0) return bisected_rate(mix, mix.contention4, limit);
  return static_cast<int>(options[solver]) == closed ? closed_rate(mix, mix.contention, limit)
                                                     : bisected_rate(mix, mix.contention, limit);
}

}  // namespace

std::span<const ModelOption> VolkovBasicModel::options() const {
  return basic_options;
}

MixTime VolkovBasicModel::time(const ModelInput& input, const WarpMix& mix,
                               const OptionValues& options) const {
  (void)input;
  const double bound = bound_cycles(mix, options);
  return mix_time(std::max(mix.latency() / mix.warps, bound), mix.latency() / bound);
}

std::vector<ModelNumber> VolkovBasicModel::figures(const ModelInput& input, const WarpMix& mix,
                                                   const OptionValues& options) const {
  (void)input;
  return {{"warps", mix.warps},
          {"compute_instructions", mix.compute, true},
          {"memory_instructions", mix.memory, true},
          {"compute_latency", mix.instruction_latency},
          {"memory_latency", mix.access_latency},
          {"instruction_cycles", mix.instruction_cycles},
          {"latency", mix.latency(), true},
          {"bound_cycles", bound_cycles(mix, options), true},
          {"needed_warps", mix.latency() / bound_cycles(mix, options)}};
}

std::vector<StackPart> VolkovBasicModel::parts(const WarpMix& mix, const OptionValues& options,
                                               const Prediction& prediction) const {
  return volkov_mix_stack(mix, nullptr, prediction.warp_throughput, tightest(mix, options));
}

std::span<const ModelOption> VolkovRefinedModel::options() const {
  return refined_options;
}

MixTime VolkovRefinedModel::time(const ModelInput& input, const WarpMix& mix,
                                 const OptionValues& options) const {
  (void)input;
  return mix_time(1 / refined_rate(mix, options));
}

std::vector<ModelNumber> VolkovRefinedModel::figures(const ModelInput& input, const WarpMix& mix,
                                                     const OptionValues& options) const {
  (void)input;
  const double rate = refined_rate(mix, options);
  const Contention& used = options[fit] != 0 ? mix.contention4 : mix.contention;
  return {{"latency", mix.warps / rate, true},
          {"access_latency_loaded", used.latency(rate * mix.gbs_per_rate)},
          {"memory_gbs", rate * mix.gbs_per_rate}};
}

std::vector<StackPart> VolkovRefinedModel::parts(const WarpMix& mix, const OptionValues& options,
                                                 const Prediction& prediction) const {
  const Contention& used = options[fit] != 0 ? mix.contention4 : mix.contention;
  return volkov_mix_stack(mix, contended(mix) ? &used : nullptr, prediction.warp_throughput,
                          tightest(mix, options));
}

}  // namespace forewarp::model
