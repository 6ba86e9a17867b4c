// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/automatic/automatic_rule.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "model_case.h"

namespace forewarp::tests {
namespace {

constexpr Mechanisms little{Mechanism::issue, Mechanism::bandwidth};
constexpr Mechanisms much{Mechanism::issue, Mechanism::bandwidth, Mechanism::contention,
                          Mechanism::waves};

Demand with_memory() {
  Demand demand{2};
  demand.count(Count::memory_instructions) = 3;
  demand.count(Count::read_bytes) = 256;
  return demand;
}

TEST(AutomaticRule, WhatALaunchMeetsFollowsFromItsCounts) {
  const Demand arithmetic{2};
  EXPECT_FALSE(mechanisms_met(arithmetic, true).has(Mechanism::bandwidth));
  EXPECT_FALSE(mechanisms_met(arithmetic, true).has(Mechanism::caches));
  EXPECT_TRUE(mechanisms_met(arithmetic, true).has(Mechanism::waves));
  EXPECT_TRUE(mechanisms_met(with_memory(), true).has(Mechanism::contention));
  EXPECT_TRUE(mechanisms_met(with_memory(), true).has(Mechanism::caches));
  EXPECT_FALSE(mechanisms_met(with_memory(), false).has(Mechanism::caches)) << "not executed";
  Demand waiting = with_memory();
  waiting.count(Count::barriers) = 1;
  EXPECT_TRUE(mechanisms_met(waiting, true).has(Mechanism::barriers));
  EXPECT_TRUE(mechanisms_met(waiting, true).has(Mechanism::phases));
  EXPECT_FALSE(mechanisms_met(with_memory(), true).has(Mechanism::phases));
}

/// Gives the time that it is told, whatever the launch.
class StatedModel : public Model {
 public:
  StatedModel(std::string_view name, Mechanisms accounts) : name_(name), accounts_(accounts) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string_view sentence() const override { return "for tests"; }
  [[nodiscard]] std::string_view reference() const override { return "none"; }
  [[nodiscard]] std::span<const ModelOption> options() const override { return {}; }
  [[nodiscard]] Mechanisms accounts_for() const override { return accounts_; }
  [[nodiscard]] std::vector<ResourceInfo> bounds(std::span<const ResourceInfo>) const override {
    return {};
  }
  [[nodiscard]] Prediction predict(const ModelInput&, const OptionValues&) const override {
    return {};
  }

 private:
  std::string_view name_;
  Mechanisms accounts_;
};

TEST(AutomaticRule, WhoAccountsForMoreOfWhatIsMetIsAskedFirst) {
  const StatedModel first("first", little), second("second", much), third("third", much);
  const std::vector<const Model*> models{&first, &second, &third};
  EXPECT_EQ(preference(models, much), (std::vector<std::size_t>{1, 2, 0}));
  // Of a launch that only issues, all account for the same: the wider model is asked first.
  EXPECT_EQ(preference(models, {Mechanism::issue}), (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(preference(models, {}), (std::vector<std::size_t>{1, 2, 0}));
}

/// The same, but it would take a simulation.
class StatedSimulation : public StatedModel {
 public:
  using StatedModel::StatedModel;
  [[nodiscard]] bool simulates() const override { return true; }
};

TEST(AutomaticRule, FormulasComeBeforeSimulations) {
  const StatedModel formula("formula", little);
  const StatedSimulation simulation("simulation", much);
  const std::vector<const Model*> models{&simulation, &formula};
  EXPECT_EQ(preference(models, little), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(preference(models, much), (std::vector<std::size_t>{1, 0}));
}

// Device memory takes 2.4 of 10 ms: the rest is worth a simulation; of 2.5 ms it is not.
TEST(AutomaticRule, ASimulationIsAskedWhereDeviceMemoryDoesNotDecide) {
  EXPECT_TRUE(asks_simulation(10, 0, {}));
  EXPECT_TRUE(asks_simulation(10, 2.4, {}));
  EXPECT_FALSE(asks_simulation(10, 2.5, {}));
  EXPECT_TRUE(asks_simulation(10, 2.5, {Mechanism::asynchronous}));
}

TEST(AutomaticRule, ASimulationThatGivesATimeIsTaken) {
  const std::vector<Candidate> both{{"formula", little, 2, true, false},
                                    {"simulation", much, 3, true, true}};
  EXPECT_EQ(taken_of(both), 1U);
  const std::vector<Candidate> broken{{"formula", little, 2, true, false},
                                      {"simulation", much, -1, true, true}};
  EXPECT_EQ(taken_of(broken), 0U);
  const std::vector<Candidate> unasked{{"formula", little, 2, true, false},
                                       {"simulation", much, 3, false, true}};
  EXPECT_EQ(taken_of(unasked), 0U);
}

TEST(AutomaticRule, ATimeThatIsNoneIsNeverTaken) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr double endless = std::numeric_limits<double>::infinity();
  for (const double time : {-1.5, 0.0, none, endless, -endless}) {
    const std::vector<Candidate> all{{"prior", much, time, true}, {"other", little, 2, true}};
    EXPECT_EQ(first_usable(all), 1U) << time;
    EXPECT_NE(choice_reason(all, 1, much, true)
                  .find("; prior accounts for more, but gives no time that can be used"),
              std::string::npos);
  }
  const std::vector<Candidate> caveat{{"prior", much, 1, false}, {"other", little, 2, true}};
  EXPECT_EQ(first_usable(caveat), 1U);
  const std::vector<Candidate> neither{{"prior", much, -1, true}, {"other", little, 2, false}};
  EXPECT_EQ(first_usable(neither), std::nullopt);
}

TEST(AutomaticRule, ReasonCountsWhatTheModelAccountsFor) {
  const std::vector<Candidate> all{{"wide", much, 2, true}, {"narrow", little, 2, true}};
  EXPECT_EQ(choice_reason(all, 0, much, true),
            "it accounts for 4 of the 4 things that cost time in this launch, narrow, the next, "
            "for 2");
}

// 1.4 / 2 = 0.7 is off by more than a tenth, 2.1 / 2 is not; what is off says what it leaves out.
TEST(AutomaticRule, ModelsThatDifferSayWhatTheyLeaveOut) {
  const std::vector<Candidate> all{{"wide", much, 2, true},
                                   {"narrow", little, 1.4, true},
                                   {"near", little, 2.1, true},
                                   {"broken", little, -7, true},
                                   {"same", much, 5, true}};
  EXPECT_EQ(why_they_differ(all, 0, much),
            "same accounts for the same in another way: 2.5x; narrow leaves out memory contention "
            "and waves and tails: 0.7x");
  EXPECT_EQ(why_they_differ(std::span(all).first(1), 0, much), "");
}

}  // namespace
}  // namespace forewarp::tests
