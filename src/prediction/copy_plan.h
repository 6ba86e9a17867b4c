// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/cache/content_key.h"
#include "base/expected.h"
#include "hardware/gpu.h"
#include "hardware/link_database.h"
#include "model/transfer/copy_time.h"
#include "prediction/launch.h"
#include "result/result.h"

namespace forewarp::prediction {

/// One copy of a launch with its time.
struct PlannedCopy {
  CopyRequest request;
  double bytes = 0;
  CopyTime time;
};

/// The copies that are part of a launch's time: none unless the host times it.
struct CopyPlan {
  std::string link_id, link_name;
  std::vector<PlannedCopy> copies;
  std::string guessed;  ///< kinds of copies whose numbers are not measured; empty: none

  /// T_app - T_k of Gajger 2017: blocking copies, one after the other.
  [[nodiscard]] double milliseconds() const;
};

/// Sizes, link and times of the copies that a case asks for. Refuses an argument that is no buffer
/// or whose size is not known, a link that no file describes, and a GPU whose file names no host
/// link.
Expected<CopyPlan> plan_copies(const LinkDatabase& links, const Launch& launch, const Query& query);

/// Adds what follows from a plan to a key.
void add_plan(const CopyPlan& plan, KeyBytes& key);

/// The result of a case that has copies but no code: their times, one after the other, always as
/// timed by the host.
Expected<Result> copies_result(const LinkDatabase& links, const Gpu& gpu, const Query& query);

/// Puts the plan's copies and their link into a result, and adds their time to its time.
void add_copies(const CopyPlan& plan, Result& result);

/// What the plan assumes; if the case's copies are not part of the time, that they are not.
[[nodiscard]] std::vector<Result::Assumption> copy_assumptions(const CopyPlan& plan, Timing timing,
                                                               const Case& request);

}  // namespace forewarp::prediction
