// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "bench_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <utility>

#include "alteration.h"
#include "base/file.h"
#include "base/own_file.h"
#include "base/text.h"
#include "cuda_device.h"
#include "embedded/bench_counters.h"
#include "embedded/bench_kernels.h"
#include "embedded/bench_tests.h"
#include "forewarp/progress.h"
#include "rehearsal.h"
#include "request/option_text.h"
#include "samples_file.h"
#include "stored_run.h"
#include "suite.h"
#include "suite_check.h"
#include "suite_plan.h"
#include "synthetic_device.h"
#include "test_file.h"
#include "visibility.h"
#include "window_trials.h"

namespace forewarp::cli {
namespace {

constexpr std::string_view predicted = "forewarp:", from_file = "synthetic:", real = "cuda:";
constexpr std::string_view house = "house";  // the tests of bench/kernels.toml, inside the program

struct SuiteFlags {
  std::string tests_file, device, folder, budget;
  std::vector<std::string> ids, changes, facts, architectures;
  std::string toolkit, images;
  std::optional<std::uint64_t> seed, trial_seed;
  std::string gpu, exported, format = "text";
  std::uint32_t windows = 1000, draws = 200;
  std::uint32_t longer = 1;
  bool profiled = false;
  bool resume = false, every_test = false, listings = false;
};

/// Where bench/ and the listings lie: where the program is installed, else the source tree.
std::filesystem::path root_of(const SuiteFlags& flags) {
  if (flags.tests_file.empty() || flags.tests_file == house) {
    const std::filesystem::path installed =
        own_file().parent_path().parent_path() / "share/forewarp";
    return std::filesystem::exists(installed / "bench/kernels") ? installed : FOREWARP_BENCH_ROOT;
  }
  return std::filesystem::absolute(flags.tests_file).parent_path().parent_path();
}

/// The tests of the file that are named, or all of them.
Expected<std::vector<BenchTest>> chosen_tests(const SuiteFlags& flags) {
  std::string text(embedded::bench_tests), file = "bench/tests.toml";
  if (flags.tests_file == house) {
    text = std::string(embedded::bench_kernels);
    file = "bench/kernels.toml";
  } else if (!flags.tests_file.empty()) {
    auto read = read_file(flags.tests_file);
    if (!read) return std::move(read).error();
    text = *std::move(read);
    file = flags.tests_file;
  }
  auto tests = read_tests(text, file);
  if (!tests || flags.ids.empty()) return tests;
  std::vector<std::string> names;
  for (const BenchTest& test : *tests) names.push_back(test.id);
  for (const std::string& id : flags.ids) {
    if (std::ranges::find(names, id) != names.end()) continue;
    const auto near = closest(id, names);
    return Diagnostic{"TEST", "there is no test '" + id + "'",
                      near ? "did you mean '" + *near + "'?" : "a test of 'forewarp-bench list'",
                      ""};
  }
  std::erase_if(*tests, [&](const BenchTest& test) {
    return std::ranges::find(flags.ids, test.id) == flags.ids.end();
  });
  return tests;
}

Expected<std::vector<FactOverride>> changes_of(const SuiteFlags& flags) {
  std::vector<FactOverride> changes;
  for (const std::string& text : flags.changes) {
    auto change = parse_override(text, "--set");
    if (!change) return std::move(change).error();
    changes.push_back(*std::move(change));
  }
  return changes;
}

/// A predicted GPU as the flags say; with a seed it is altered, which `alteration` then tells.
Expected<std::unique_ptr<Rehearsal>> rehearsal(const SuiteFlags& flags, std::string& alteration) {
  auto changes = changes_of(flags);
  if (!changes) return std::move(changes).error();
  auto device = Rehearsal::open(flags.device.substr(predicted.size()), *changes, root_of(flags));
  if (!device || !flags.seed) return device;
  const auto accepts = [&](const std::vector<FactOverride>& more) {
    return (*device)->change(more).has_value();
  };
  const auto altered_facts = altered((*device)->gpu(), *flags.seed, accepts);
  std::vector<FactOverride> all = overrides_of(altered_facts);
  all.insert(all.end(), changes->begin(), changes->end());  // what is set stays as it is set
  if (auto fine = (*device)->change(std::move(all)); !fine) return fine.error();
  alteration = alteration_text(altered_facts, *flags.seed);
  return device;
}

Expected<std::unique_ptr<BenchDevice>> opened_gpu(const SuiteFlags& flags, unsigned number) {
  KernelImages images = images_inside();
  if (!flags.images.empty()) {
    auto found = images_in(flags.images);
    if (!found) return std::move(found).error();
    images = *std::move(found);
  }
  auto device = CudaDevice::open(number, std::move(images));
  if (!device) return std::move(device).error();
  return std::unique_ptr<BenchDevice>(std::move(*device));
}

Expected<std::unique_ptr<BenchDevice>> opened(const SuiteFlags& flags, std::string& alteration) {
  if (flags.device.starts_with(predicted)) {
    auto device = rehearsal(flags, alteration);
    if (!device) return std::move(device).error();
    return std::unique_ptr<BenchDevice>(std::move(*device));
  }
  if (flags.seed || !flags.changes.empty()) {
    return Diagnostic{flags.seed ? "--alter" : "--set",
                      "cannot be combined with --device " + flags.device, "a predicted GPU",
                      "--device forewarp:GPU"};
  }
  if (flags.device.starts_with(from_file)) {
    const std::string file = flags.device.substr(from_file.size());
    const auto text = read_file(file);
    if (!text) return text.error();
    auto device = SyntheticDevice::read(*text, file);
    if (!device) return std::move(device).error();
    return std::unique_ptr<BenchDevice>(std::move(*device));
  }
  if (flags.device.starts_with(real)) {
    const auto number = parse_natural(std::string_view(flags.device).substr(real.size()));
    constexpr std::uint64_t most = 1000;
    if (number && *number < most) return opened_gpu(flags, static_cast<unsigned>(*number));
  }
  return Diagnostic{"--device", "'" + flags.device + "' is no device",
                    "cuda:NUMBER, forewarp:GPU or synthetic:FILE", ""};
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[16];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts));
}

void tell(const std::string& line) {
  std::fprintf(stderr, "forewarp-bench: %s\n", line.c_str());
}

/// Passes and repeats of the tests times a factor: a rehearsal has no noise, a launch has.
void lengthen(std::vector<BenchTest>& tests, std::uint32_t factor) {
  for (BenchTest& test : tests) {
    if (factor > 1 && !test.window) test.repeats *= 2;
    for (auto& [name, values] : test.sweep) {
      if (name != "passes") continue;
      for (std::string& text : values) text = "(" + text + ")*" + std::to_string(factor);
    }
  }
}

/// Takes out the tests whose code is not what they mean to measure. Where no listing has it, a
/// prediction is of the source, compiled; a GPU has its own images, whose tests stay.
void take_out_wrong(std::vector<BenchTest>& tests, std::uint32_t sm, const SuiteFlags& flags) {
  SuiteCode code(root_of(flags), flags.toolkit, true);
  std::erase_if(tests, [&](const BenchTest& test) {
    if (test.copy || !test.fits(sm)) return false;
    if (!flags.device.starts_with(predicted) && !code.has_listing(test, sm)) return false;
    const auto fine = check_test_code(test, sm, code);
    if (!fine) tell(test.id + " is not measured: " + fine.error().line());
    return !fine;
  });
}

/// Launches every kernel once, for a profiler around this process; nothing is written.
Expected<int> run_profiled(const std::vector<BenchTest>& tests, BenchDevice& device) {
  const auto plan = planned(tests, device.description());
  if (!plan) return plan.error();
  std::size_t launched = 0;
  for (const Wanted& wanted : *plan) {
    if (wanted.test->copy) continue;
    BenchTest once = *wanted.test;
    once.repeats = 0;  // the launch that loads the code is the one
    once.warm = once.window = false;
    once.timing = Timing::event;
    once.check.reset();
    const auto done = device.measure(once, wanted.kernel(), wanted.launch);
    if (!done) tell(once.id + " " + wanted.launch.name + ": " + done.error().line());
    if (done) ++launched;
  }
  std::printf("%zu launches\n", launched);
  return launched > 0 ? 0 : 1;
}

Expected<int> run_tests(const SuiteFlags& flags) {
  auto tests = chosen_tests(flags);
  if (!tests) return std::move(tests).error();
  SuiteOptions order;
  if (!flags.budget.empty()) {
    const auto budget = parse_budget(flags.budget);
    if (!budget) return budget.error();
    order.budget_seconds = *budget;
  }
  if (flags.longer == 0)
    return Diagnostic{"--longer", "0 leaves no pass", "a factor from 1 on", ""};
  lengthen(*tests, flags.longer);
  auto device = opened(flags, order.alteration);
  if (!device) return std::move(device).error();
  if (!flags.device.starts_with(from_file)) {
    take_out_wrong(*tests, (*device)->description().sm, flags);
  }
  if (flags.profiled) return run_profiled(*tests, **device);
  if (flags.folder.empty()) {
    return Diagnostic{"--out", "no folder for the samples", "--out DIR", ""};
  }
  order.folder = flags.folder;
  order.resume = flags.resume;
  order.date = today();
  order.seconds = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  order.tell = tell;
  Progress progress(progress_wanted(false, false));
  order.progress = [&](std::size_t done, std::size_t all) { progress("records", done, all); };
  const auto summary = run_suite(*tests, **device, order);
  if (!summary) return summary.error();
  std::printf("%zu records measured, %zu known before, %zu refused, %zu left\n", summary->recorded,
              summary->known, summary->refused, summary->left);
  return summary->left > 0 || summary->recorded + summary->known == 0 ? 1 : 0;
}

Expected<int> list_tests(const SuiteFlags& flags) {
  const auto tests = chosen_tests(flags);
  if (!tests) return tests.error();
  for (const BenchTest& test : *tests) {
    std::printf("%-28s %-7s %-40s %s\n", test.id.c_str(), test.window ? "window" : "time",
                (test.file + ":" + test.kernel).c_str(), test.about.c_str());
  }
  return 0;
}

Expected<int> show_visible(const SuiteFlags& flags) {
  const auto tests = chosen_tests(flags);
  if (!tests) return tests.error();
  if (!flags.device.starts_with(predicted)) {
    return Diagnostic{"--device", "'" + flags.device + "'", "a predicted GPU", "forewarp:GPU"};
  }
  std::string unaltered;
  auto device = rehearsal(flags, unaltered);
  if (!device) return std::move(device).error();
  std::size_t visible = 0;
  VisibilityOptions order{flags.facts, flags.every_test, {}};
  order.progress = [&](const Visibility& fact, std::size_t, std::size_t) {
    if (!fact.tests.empty()) ++visible;
    const std::string what = !fact.refused.empty() ? "refused: " + fact.refused
                             : fact.tests.empty()
                                 ? "no test tells"
                                 : significant(100 * fact.most, 3) + " % of " + fact.seen_by;
    std::printf("%-40s %s\n", fact.change.path.c_str(), what.c_str());
    std::fflush(stdout);
    if (flags.every_test) std::printf("    %s\n", join(fact.tests, " ").c_str());
  };
  const auto facts = visible_facts(**device, *tests, order);
  if (!facts) return facts.error();
  std::printf("%zu of %zu numbers are visible\n", visible, facts->size());
  return 0;
}

/// The closed loop of windows: what estimates make of them, beside what the device knows.
Expected<int> show_estimates(const SuiteFlags& flags) {
  auto tests = chosen_tests(flags);
  if (!tests) return std::move(tests).error();
  std::string unaltered;
  auto device = opened(flags, unaltered);
  if (!device) return std::move(device).error();
  SuiteFlags of_moves = flags;
  of_moves.ids = {"window_moves"};
  const bool by_code = flags.device.starts_with(predicted) && flags.tests_file.empty();
  const auto moves = by_code ? chosen_tests(of_moves) : Expected(std::vector<BenchTest>{});
  if (!moves) return moves.error();
  SuiteCode code(root_of(flags), flags.toolkit, true);
  characterise::TrialOrder order;
  order.windows = flags.windows;
  order.draws = flags.draws;
  order.seed = flags.trial_seed.value_or(order.seed);
  const auto trials = window_trials(*tests, moves->empty() ? nullptr : &moves->front(), **device,
                                    code, order, tell);
  if (!trials) return trials.error();
  const std::string text =
      flags.format == "json" ? trials_as_json(*trials, order) : trials_as_text(*trials, order);
  std::fputs(text.c_str(), stdout);
  return 0;
}

/// "70,90", or the architectures that the committed listings are for.
Expected<std::vector<std::uint32_t>> architectures_of(const SuiteFlags& flags) {
  std::vector<std::uint32_t> all;
  for (const std::string& text : flags.architectures) {
    const auto number = parse_natural(text);
    constexpr std::uint64_t most = 999;
    if (!number || *number == 0 || *number > most) {
      return Diagnostic{"--arch", "'" + text + "' is no architecture", "numbers such as 70,90", ""};
    }
    all.push_back(static_cast<std::uint32_t>(*number));
  }
  return all;
}

Expected<int> check_tests(const SuiteFlags& flags) {
  const auto tests = chosen_tests(flags);
  if (!tests) return tests.error();
  const auto architectures = architectures_of(flags);
  if (!architectures) return architectures.error();
  SuiteCode code(root_of(flags), flags.toolkit, flags.listings);
  const auto summary = check_suite(*tests, *architectures, code, [](const std::string& line) {
    std::printf("%s\n", line.c_str());
  });
  std::printf("%zu tests are what they say, %zu are refused, %zu expect nothing\n", summary.fine,
              summary.refused, summary.unchecked);
  return summary.refused > 0 ? 1 : 0;
}

Expected<int> print_cases(const SuiteFlags& flags) {
  const auto tests = chosen_tests(flags);
  if (!tests) return tests.error();
  const auto run = stored_run(flags.folder);
  if (!run) return run.error();
  const auto text = measured_cases(*tests, *run, root_of(flags), flags.gpu);
  if (!text) return text.error();
  std::fputs(text->c_str(), stdout);
  return 0;
}

Expected<int> add_counters(const SuiteFlags& flags) {
  const auto tests = chosen_tests(flags);
  if (!tests) return tests.error();
  const auto run = stored_run(flags.folder);
  if (!run) return run.error();
  const auto exported = read_file(flags.exported);
  if (!exported) return exported.error();
  const auto records = counted_records(*tests, *run, *exported, flags.exported,
                                       std::string(embedded::bench_counters));
  if (!records) return records.error();
  auto samples = SamplesFile::open(run->folder / "samples.tsv", true);
  if (!samples) return std::move(samples).error();
  std::size_t added = 0;
  for (const Record& record : *records) {
    if (samples->holds(record.test, record.config_without(""), record.quantity)) continue;
    if (auto written = samples->append(record); !written) return written.error();
    ++added;
  }
  std::printf("%zu counters added, %zu known before\n", added, records->size() - added);
  return 0;
}

Command bench_command(std::string name, std::string sentence,
                      const std::shared_ptr<SuiteFlags>& flags,
                      Expected<int> (*action)(const SuiteFlags&)) {
  Command command{std::move(name), std::move(sentence)};
  command.flags = {{"TEST", &flags->ids, "tests by their id (default: all)"},
                   {"--tests", &flags->tests_file,
                    "a file of tests instead of bench/tests.toml; house: bench/kernels.toml"}};
  command.action = [flags, action] { return action(*flags); };
  return command;
}

}  // namespace

Command bench_commands() {
  auto flags = std::make_shared<SuiteFlags>();
  Command all{
      "", "forewarp-bench measures a GPU by small kernels, or rehearses it on a predicted one."};
  Command run = bench_command("run", "measure, and write DIR/device.json and DIR/samples.tsv",
                              flags, run_tests);
  Flag device{"--device", &flags->device, "cuda:0, forewarp:GPU (predicted) or synthetic:FILE"};
  device.required = true;
  const Flag set{"--set", &flags->changes, "hw.PATH=VALUE: the predicted GPU with another number"};
  const Flag seed{"--alter", &flags->seed, "every number of the predicted GPU times 0.7 to 1.4"};
  Flag out{"--out", &flags->folder, "folder of the samples"};
  for (const Flag& flag : {device, set, seed, out}) run.flags.push_back(flag);
  run.flags.push_back({"--images", &flags->images, "compiled kernels of a folder: NAME.fatbin"});
  run.flags.push_back({"--budget", &flags->budget, "no launch begins after this time: 8m, 90s"});
  run.flags.push_back({"--longer", &flags->longer,
                       "loops of so many times the passes, and more repeats: on a GPU, 16"});
  run.flags.push_back({"--profiled", &flags->profiled,
                       "each kernel once and no samples, for a profiler around it"});
  run.flags.push_back({"--resume", &flags->resume, "go on where a run was ended"});
  Command visible = bench_command(
      "visible", "which numbers of a predicted GPU change a test's time", flags, show_visible);
  for (const Flag& flag : {device, set}) visible.flags.push_back(flag);
  visible.flags.push_back({"--fact", &flags->facts, "ask these numbers alone"});
  visible.flags.push_back({"--every-test", &flags->every_test, "name every test that tells"});
  Command estimates = bench_command(
      "estimates", "bias and spread of estimates from windows, where a latency is known", flags,
      show_estimates);
  for (const Flag& flag : {device, set}) estimates.flags.push_back(flag);
  Flag windows{"--windows", &flags->windows, "windows of a draw, and as many empty ones"};
  Flag draws{"--draws", &flags->draws, "how often they are drawn"};
  windows.range = draws.range = std::pair(2, 100'000);
  estimates.flags.push_back(std::move(windows));
  estimates.flags.push_back(std::move(draws));
  estimates.flags.push_back({"--seed", &flags->trial_seed, "of the draws; default: 1"});
  estimates.flags.push_back({"--format", &flags->format, "text or json", {"text", "json"}});
  Command check =
      bench_command("check", "whether the compiled kernels are what their tests mean to measure",
                    flags, check_tests);
  Flag arch{"--arch", &flags->architectures, "architectures: 70,90"};
  arch.required = arch.comma = true;
  check.flags.push_back(std::move(arch));
  check.flags.push_back({"--cuda", &flags->toolkit, "folder of the CUDA toolkit"});
  check.flags.push_back(
      {"--listings", &flags->listings, "the listings beside the kernels instead"});
  out.required = true;
  Command cases = bench_command("cases", "what a run timed, as cases for forewarp validate", flags,
                                print_cases);
  cases.flags.push_back(out);
  cases.flags.push_back({"--gpu", &flags->gpu, "the board's id; default: the device's name"});
  Command counters =
      bench_command("counters", "add what a profiler counted in a run --profiled to the samples",
                    flags, add_counters);
  counters.flags.push_back(out);
  Flag exported{"--from", &flags->exported, "its CSV: ncu --csv --page raw, or nvprof --csv"};
  exported.required = true;
  counters.flags.push_back(std::move(exported));
  all.commands = {bench_command("list", "the tests", flags, list_tests),
                  std::move(check),
                  std::move(run),
                  std::move(visible),
                  std::move(estimates),
                  std::move(cases),
                  std::move(counters)};
  return all;
}

}  // namespace forewarp::cli
