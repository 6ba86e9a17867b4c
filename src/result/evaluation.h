// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace forewarp::result {

/// What one model says of a workload at one intensity and occupancy, in the steady state.
struct EvaluatedPoint {
  double alpha = 0;      ///< additions per other instruction
  double warps = 0;      ///< resident per SM
  double cycles = 0;     ///< of an SM per warp and group of instructions
  double additions = 0;  ///< thread additions per cycle and SM
  double others = 0;     ///< other warp instructions per cycle and SM
  double gbs = 0;        ///< traffic of device memory, whole GPU
  bool applies = true;   ///< false: the formula gives no time that could be one
  std::vector<std::pair<std::string, double>> numbers;  ///< the model's own figures
};

/// Least and greatest throughput of a model over that of the reference, over all occupancies.
struct Quotient {
  double alpha = 0;
  double least = 0, greatest = 0;
  double least_warps = 0, greatest_warps = 0;
  std::size_t without = 0;  ///< occupancies where the model gives no time; they are left out
};

/// Fewest warps per SM that reach 90 % and 100 % of the tightest hardware limit; 0: none does.
struct NeededWarps {
  double alpha = 0;
  double most = 0;  ///< 90 %
  double all = 0;   ///< 100 %
};

/// One model on one GPU.
struct EvaluatedSeries {
  std::string gpu, model;  ///< the model's name with its options: "gpumech:policy=gto"
  double most_warps = 0;   ///< that an SM holds
  std::vector<EvaluatedPoint> points;
  std::vector<Quotient> quotients;
  std::vector<NeededWarps> needed;
};

/// A figure of a publication beside ours.
struct PublishedFigure {
  std::string id, what, source;
  std::string printed;       ///< as the source has it
  double computed = 0;       ///< ours
  double low = 0, high = 0;  ///< where it must lie
  bool exact = false;        ///< follows from the source's own numbers; else only plausible
  std::string note;

  [[nodiscard]] bool holds() const { return computed >= low && computed <= high; }
};

/// Models side by side on synthetic workloads.
struct ModelEvaluation {
  std::string title, source, workload;  ///< workload without its intensity
  std::string reference;                ///< model that stands for the experiment
  std::vector<EvaluatedSeries> series;
  std::vector<PublishedFigure> figures;
  std::vector<std::string> notes;
};

}  // namespace forewarp::result
