// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/dependence.h"
#include "analysis/kernel_analysis.h"
#include "analysis_view.h"
#include "command.h"
#include "input/kernel_choice.h"
#include "input/kernel_matching.h"
#include "input/source.h"
#include "instruction_table.h"
#include "prediction_options.h"
#include "reader_coverage.h"

namespace forewarp::cli {
namespace {

struct Options {
  std::string input, kernel, output, companion;
  std::string format = "text";
  bool dot = false, coverage = false, instructions = false, list = false;
  std::vector<std::string> inputs;
  ReadOptions read;
};

Diagnostic no_such_kernel(const Options& options) {
  const std::string found =
      options.kernel.empty() ? "holds no kernel" : "holds no kernel named '" + options.kernel + "'";
  return {options.input, found, "", "'forewarp analyze " + options.input + "' lists them all"};
}

Expected<int> analyze_input(const Options& options) {
  const auto source = InputSource::open(options.input);
  if (!source) return source.error();
  const auto stream = open_kernels(*source, options.read);
  if (!stream) return stream.error();
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  std::string text;
  std::size_t count = 0, place = 0;
  const auto numbered = kernel_number(options.kernel);
  for (;;) {
    const auto kernel = (*stream)->next();
    if (!kernel) return kernel.error();
    if (!*kernel) break;
    ++place;
    const bool wanted =
        numbered ? place == *numbered : match_name(**kernel, options.kernel) != NameMatch::none;
    if (!wanted) continue;
    ++count;
    if (options.instructions) {
      text += instructions_as_text(**kernel);
      continue;
    }
    const KernelAnalysis analysis = analyze(**kernel);
    if (options.dot) {
      text += dependence_dot(**kernel, analysis.flow());
    } else if (options.format == "json") {
      kernels.push_back(analysis_as_json(analysis));
    } else {
      text += (count > 1 ? "\n" : "") + analysis_as_text(analysis);
    }
  }
  if (count == 0) return no_such_kernel(options);
  if (!options.dot && !options.instructions && options.format == "json") {
    text = nlohmann::ordered_json{{"schema", "forewarp.analysis/1"},
                                  {"input", options.input},
                                  {"kernels", std::move(kernels)}}
               .dump(2) +
           "\n";
  }
  if (auto written = deliver(text, options.output); !written) return written.error();
  return 0;
}

/// Libraries have names of thousands of characters; their kernels are named by number.
std::string shortened(std::string name) {
  constexpr std::size_t widest = 160;
  return name.size() > widest ? name.substr(0, widest - 2) + ".." : name;
}

/// One line per kernel: what it may be called, and how large it is.
Expected<int> list_input(const Options& options) {
  const auto source = InputSource::open(options.input);
  if (!source) return source.error();
  const auto kernels = list_kernels(*source, options.read);
  if (!kernels) return kernels.error();
  std::string text = "   #  arch    instructions  registers  kernel\n";
  for (std::size_t i = 0; i < kernels->size(); ++i) {
    const KernelSummary& kernel = (*kernels)[i];
    text += fmt::format("{:>4}  sm_{:<5}{:>12}{:>11}  {}\n", i + 1, kernel.sm, kernel.instructions,
                        kernel.registers ? std::to_string(*kernel.registers) : "-",
                        shortened(full_name(kernel.mangled)));
  }
  if (auto written = deliver(text, options.output); !written) return written.error();
  return 0;
}

Expected<int> measure_coverage(const Options& options) {
  ReaderCoverage coverage;
  for (const std::string& input : options.inputs) coverage.add(input, options.read);
  const std::string text =
      options.format == "json" ? coverage.json().dump() + "\n" : coverage.text();
  if (auto written = deliver(text, options.output); !written) return written.error();
  return coverage.errors() == 0 ? 0 : 1;
}

Expected<int> run_analyze(Options& options) {
  if (options.coverage) return measure_coverage(options);
  if (options.inputs.size() != 1) {
    return Diagnostic{"INPUT", std::to_string(options.inputs.size()) + " inputs", "one",
                      "several go with --coverage"};
  }
  options.input = options.inputs.front();
  return options.list ? list_input(options) : analyze_input(options);
}

}  // namespace

Command analyze_command() {
  auto options = std::make_shared<Options>();
  Command command{"analyze", "what a listing says without any GPU: loops, mix, registers"};
  command.flags = {
      {.names = "INPUT",
       .target = &options->inputs,
       .help = "listing, cubin, fatbin, executable, .ptx or .cu; - reads standard input",
       .required = true},
      {"--kernel", &options->kernel, "only the kernel of this plain or mangled name"},
      {"--format", &options->format, "text or json", {"text", "json"}},
      {"--list", &options->list, "one line per kernel: architecture, size, name"},
      {"--dot", &options->dot, "the dependence graph of every block, for Graphviz"},
      {"--instructions", &options->instructions,
       "one line per instruction: address, text, words, registers, schedule"},
      {"--coverage", &options->coverage,
       "only count what of many inputs the readers know, and list what they do not"},
      {"--sm", &options->read.target_sm, "architecture to compile source code for"},
      {"--cuda", &options->read.toolkit, "folder of the CUDA toolkit"},
      {"--nvcc-option", &options->read.compile_options,
       std::string(option_named("nvcc-option")->help)},
      {"-o", &options->output, "write there instead of to standard output"}};
  command.action = [options] { return run_analyze(*options); };
  return command;
}

}  // namespace forewarp::cli
