// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "missing_options.h"

#include <optional>
#include <string>
#include <utility>

#include "driver/predictor.h"
#include "input/kernel_choice.h"
#include "input/source.h"
#include "input/toolkit/content_kind.h"
#include "prediction/arguments/signature.h"
#include "prediction/missing_arguments.h"
#include "request/options/precedence.h"

namespace forewarp::cli {
namespace {

/// The kernel that is meant, for its parameters; a listing can be read without a board.
std::optional<Kernel> kernel_of(const Case& request, const Asked& asked) {
  const std::string board = gpu_of(asked.request, asked.options).value;
  if (board.empty()) {
    const auto source = InputSource::open(request.input);
    if (!source || content_kind(source->head()) != ContentKind::other_text) return {};
    auto kernel = read_kernel(*source, {request.kernel, 0});
    return kernel ? std::optional(*std::move(kernel)) : std::nullopt;
  }
  auto database = HardwareDatabase::locate();
  if (!database) return {};
  Predictor predictor(*std::move(database));
  const auto gpu = predictor.gpu(board, asked.options);
  if (!gpu) return {};
  const auto loaded = predictor.kernel(request, **gpu, asked.options);
  return loaded ? std::optional(*loaded->kernel) : std::nullopt;
}

/// Several kernels, and none is named.
bool needs_kernel(Case request, const Asked& asked) {
  if (!request.kernel.empty()) return false;
  request.kernel = "#2";
  return kernel_of(request, asked).has_value();
}

void add_arguments(const Kernel& kernel, const Case& request, std::vector<MissingOption>& missing) {
  const auto bound = bind_arguments(kernel, request.launch.arguments);
  if (!bound) return;
  for (const MissingArgument& argument : missing_argument_options(kernel, *bound)) {
    missing.push_back({argument.option, argument.type});
  }
}

}  // namespace

std::vector<MissingOption> missing_options(const PredictionOptions& given, bool one_gpu) {
  const auto read = given.asked();
  if (!read || !read->delivery.cases.empty() || !read->delivery.sweeps.empty()) return {};
  const Asked& asked = *read;
  const Case& request = asked.request;
  if (request.input == "-" || (request.input.empty() && !request.copies.empty())) return {};
  const bool no_board = one_gpu && gpu_of(asked.request, asked.options).value.empty();
  const bool no_grid = !request.has_grid() && !asked.options.threads;
  if (!request.input.empty() && !no_board && !no_grid && request.has_block()) return {};
  std::optional<Kernel> kernel;
  bool several = false;
  if (!request.input.empty()) {
    kernel = kernel_of(request, asked);
    several = !kernel && needs_kernel(request, asked);
    // The command says why the code cannot be had.
    if (!kernel && !several && !gpu_of(asked.request, asked.options).value.empty()) return {};
  }
  const bool has_block =
      request.has_block() || (kernel && kernel->resources.required_block.has_value());
  std::vector<MissingOption> missing;
  const auto lacks = [&](bool is_missing, std::string option, std::string meaning) {
    if (is_missing) missing.push_back({std::move(option), std::move(meaning)});
  };
  lacks(request.input.empty(), "FILE",
        "the kernel: a listing, .cubin, executable, .ptx, .cu or .cl");
  lacks(no_board, "--gpu ID", "the board; 'forewarp gpu list' names them");
  lacks(several, "--kernel NAME",
        "one of several; 'forewarp analyze " + request.input + " --list' names them");
  lacks(no_grid, "--grid BLOCKS", "blocks: X[,Y[,Z]]; or --threads N in all");
  lacks(!has_block, "--block THREADS", "threads per block: X[,Y[,Z]]");
  if (!missing.empty() && kernel) add_arguments(*kernel, request, missing);
  return missing;
}

}  // namespace forewarp::cli
