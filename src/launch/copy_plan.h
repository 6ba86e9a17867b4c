// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/expected.h"
#include "hardware/gpu.h"
#include "hardware/link_database.h"
#include "launch/arguments/signature.h"
#include "model/transfer/copy_time.h"
#include "program/kernel.h"
#include "request/case.h"
#include "request/predict_options.h"
#include "result/result.h"

namespace forewarp::launch {

/// One copy of a launch with its time.
struct PlannedCopy {
  CopyRequest request;
  double bytes = 0;
  CopyTime time;
};

/// The copies that a launch's time holds: none unless it is timed by the host.
struct CopyPlan {
  std::string link_id, link_name;
  std::vector<PlannedCopy> copies;
  std::string guessed;  ///< kinds of copies whose numbers nobody measured; empty: none

  /// T_app - T_k of Gajger 2017: blocking copies, one after the other.
  [[nodiscard]] double milliseconds() const;
};

/// Sizes, link and times of the copies that a case asks for. Refused: an argument that is no buffer
/// or whose size is not known, a link that no file describes, a GPU whose file names no host link.
Expected<CopyPlan> plan_copies(const LinkDatabase& links, const Kernel& kernel, const Gpu& gpu,
                               const BoundArguments& arguments, Timing timing, const Case& request,
                               const PredictOptions& options);

/// The result of a case that has copies and no code: their times, one after the other. Timed by the
/// host whatever was asked.
Expected<Result> copies_result(const LinkDatabase& links, const Gpu& gpu, const Case& request,
                               const PredictOptions& options);

/// Puts the plan's copies and their link into a result; their time goes on top of what it has.
void add_copies(const CopyPlan& plan, Result& result);

/// What the plan assumes; or, where the case has copies that are not in the time, that.
[[nodiscard]] std::vector<Result::Assumption> copy_assumptions(const CopyPlan& plan, Timing timing,
                                                               const Case& request);

}  // namespace forewarp::launch
