// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/files/case_key.h"

#include <functional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "request/argument_text.h"

namespace forewarp::tests {
namespace {

Case base() {
  Case request;
  request.input = "k.sass";
  request.gpu = "t4";
  request.launch.grid = {4, 1, 1};
  request.launch.block = {32, 1, 1};
  request.launch.arguments.push_back(*parse_argument("n=7"));
  return request;
}

TEST(CaseKey, EveryThingThatDecidesAPredictionChangesIt) {
  const std::vector<std::function<void(Case&)>> changes{
      [](Case&) {},
      [](Case& c) { c.input = "l.sass"; },
      [](Case& c) { c.kernel = "f"; },
      [](Case& c) { c.gpu = "a40"; },
      [](Case& c) {
        c.launch.grid = {1, 4, 1};
      },
      [](Case& c) {
        c.launch.block = {64, 1, 1};
      },
      [](Case& c) { c.launch.dynamic_shared = 64; },
      [](Case& c) { c.resident_blocks = 64; },
      [](Case& c) { c.launch.arguments[0] = *parse_argument("n=8"); },
      [](Case& c) { c.launch.arguments[0] = *parse_argument("m=7"); },
      [](Case& c) { c.launch.arguments[0] = *parse_argument("0=7"); },
      [](Case& c) { c.launch.arguments[0] = *parse_argument("n=buffer:7"); },
      [](Case& c) { c.launch.arguments[0] = *parse_argument("n=buffer:7:random:2"); },
      [](Case& c) { std::swap(c.launch.constants, c.launch.arguments); },
      [](Case& c) { c.compile_options = {"-DA"}; },
      [](Case& c) {
        c.clock = ClockChoice{ClockChoice::Kind::stated, 1000};
      },
      [](Case& c) {
        c.clock = ClockChoice{ClockChoice::Kind::boost, 0};
      },
      [](Case& c) {
        c.clock = ClockChoice{ClockChoice::Kind::load, 0};
      },
      [](Case& c) { c.overhead_us = 16.5; },
      [](Case& c) { c.timing = Timing::event; },
      [](Case& c) { c.repeat = Repeat::warm; }};
  std::set<std::string> keys;
  for (const auto& change : changes) {
    Case request = base();
    change(request);
    keys.insert(case_key_text(request));
  }
  EXPECT_EQ(keys.size(), changes.size());
}

TEST(CaseKey, WhatWasMeasuredAndHowItIsCalledDoesNot) {
  Case request = base();
  request.id = "other";
  request.group = "g";
  request.measured_ms = 3;
  request.spread = 0.1;
  EXPECT_EQ(case_key_text(request), case_key_text(base()));
}

}  // namespace
}  // namespace forewarp::tests
