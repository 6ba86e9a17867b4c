// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Voudouris 2014, aggregate model of one warp; equations in model/aggregate_time.h. Inputs:
// instructions of a warp by class, cycles of each class (facts model.voudouris.* of the generation:
// his Table 7; set h1: the constants behind his Tables 10 and 11), and the share of the loads'
// latency that the path hides: 1 - wait for memory / (loads * latency of memory). This share is our
// own construction, one for all loads; his eq. (8) takes from each load the issue cycles up to its
// first consumer. Known limits: only boards whose files have its cycles; one block with so few
// warps that a scheduler never has a choice (model.voudouris.warps); no bank conflicts, barriers,
// atomics or divergence; caches are inside the load's constant. Beyond these limits it still gives
// its number, but says that it does not apply.
#pragma once

#include "model/model.h"

namespace forewarp::model {

class VoudourisModel : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "voudouris"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "cycles of one warp by instruction class: best, average and worst case";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "P. Voudouris, MSc thesis, TU Eindhoven 2014, section 6.2";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::arithmetic_latency, Mechanism::memory_latency};
  }
  [[nodiscard]] std::string_view latency_rules() const override { return {}; }
  [[nodiscard]] std::vector<ResourceInfo> bounds(
      std::span<const ResourceInfo> resources) const override;
  [[nodiscard]] Prediction predict(const ModelInput& input,
                                   const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> numbers(const ModelInput& input,
                                                 const OptionValues& options,
                                                 const Prediction& prediction) const override;
};

}  // namespace forewarp::model
