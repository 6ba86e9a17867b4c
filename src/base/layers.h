// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// One namespace per layer, in which the namespaces of the layers below are visible. The table is
// tests/structure/layers.txt; every translation unit includes this file first (src/CMakeLists.txt).
#pragma once

namespace forewarp {

namespace base {}

namespace program {
using namespace base;
}  // namespace program

namespace hardware {
using namespace base;
}  // namespace hardware

namespace result {
using namespace base;
}  // namespace result

namespace input {
using namespace base;
using namespace program;
}  // namespace input

namespace analysis {
using namespace base;
using namespace program;
}  // namespace analysis

namespace execution {
using namespace base;
using namespace program;
using namespace analysis;
}  // namespace execution

namespace binding {
using namespace base;
using namespace program;
using namespace analysis;
using namespace hardware;
}  // namespace binding

namespace synthetic {
using namespace base;
using namespace program;
using namespace hardware;
using namespace binding;
}  // namespace synthetic

namespace memory {
using namespace base;
using namespace program;
using namespace hardware;
using namespace execution;
}  // namespace memory

namespace model {
using namespace base;
using namespace program;
using namespace analysis;
using namespace hardware;
using namespace execution;
using namespace binding;
using namespace memory;
using namespace result;
}  // namespace model

namespace timing {
using namespace base;
using namespace program;
using namespace analysis;
using namespace hardware;
using namespace execution;
using namespace binding;
using namespace memory;
using namespace model;
using namespace result;
}  // namespace timing

namespace report {
using namespace base;
using namespace result;
}  // namespace report

namespace request {
using namespace base;
using namespace program;
using namespace hardware;
using namespace result;
using namespace execution;
using namespace model;
}  // namespace request

namespace trace {
using namespace base;
using namespace program;
using namespace result;
using namespace execution;
using namespace request;
}  // namespace trace

namespace prediction {
using namespace base;
using namespace program;
using namespace hardware;
using namespace result;
using namespace input;
using namespace analysis;
using namespace execution;
using namespace binding;
using namespace memory;
using namespace model;
using namespace timing;
using namespace request;
}  // namespace prediction

namespace explain {
using namespace base;
using namespace program;
using namespace hardware;
using namespace result;
using namespace analysis;
using namespace execution;
using namespace binding;
using namespace memory;
using namespace model;
using namespace timing;
using namespace request;
using namespace prediction;
}  // namespace explain

namespace driver {
using namespace base;
using namespace program;
using namespace hardware;
using namespace result;
using namespace input;
using namespace analysis;
using namespace execution;
using namespace binding;
using namespace memory;
using namespace synthetic;
using namespace model;
using namespace timing;
using namespace request;
using namespace trace;
using namespace prediction;
using namespace explain;
}  // namespace driver

namespace measured {
using namespace base;
using namespace program;
using namespace hardware;
using namespace input;
using namespace request;
}  // namespace measured

namespace sweep {
using namespace base;
using namespace result;
using namespace request;
using namespace driver;
using namespace measured;
}  // namespace sweep

namespace comparison {
using namespace base;
using namespace hardware;
using namespace result;
using namespace request;
using namespace prediction;
using namespace explain;
using namespace driver;
using namespace measured;
}  // namespace comparison

namespace scores {
using namespace base;
using namespace result;
using namespace request;
using namespace driver;
using namespace measured;
using namespace sweep;
}  // namespace scores

namespace validation {
using namespace base;
using namespace hardware;
using namespace result;
using namespace model;
using namespace request;
using namespace prediction;
using namespace driver;
using namespace measured;
using namespace sweep;
using namespace scores;
}  // namespace validation

namespace tuning {
using namespace base;
using namespace result;
using namespace request;
using namespace driver;
using namespace measured;
using namespace sweep;
using namespace scores;
}  // namespace tuning

namespace store {
using namespace base;
using namespace result;
using namespace measured;
using namespace sweep;
}  // namespace store

namespace characterise {
using namespace base;
using namespace hardware;
using namespace validation;
}  // namespace characterise

namespace cli {
using namespace base;
using namespace program;
using namespace hardware;
using namespace result;
using namespace input;
using namespace analysis;
using namespace execution;
using namespace binding;
using namespace memory;
using namespace model;
using namespace timing;
using namespace report;
using namespace request;
using namespace trace;
using namespace prediction;
using namespace explain;
using namespace driver;
using namespace measured;
using namespace sweep;
using namespace comparison;
using namespace scores;
using namespace validation;
using namespace tuning;
using namespace store;
using namespace characterise;
}  // namespace cli

namespace tests {
using namespace base;
using namespace program;
using namespace hardware;
using namespace result;
using namespace input;
using namespace analysis;
using namespace execution;
using namespace binding;
using namespace synthetic;
using namespace memory;
using namespace model;
using namespace timing;
using namespace report;
using namespace request;
using namespace trace;
using namespace prediction;
using namespace explain;
using namespace driver;
using namespace measured;
using namespace sweep;
using namespace comparison;
using namespace scores;
using namespace validation;
using namespace tuning;
using namespace store;
using namespace characterise;
}  // namespace tests

namespace bench {
using namespace base;
using namespace program;
using namespace hardware;
using namespace result;
using namespace input;
using namespace analysis;
using namespace execution;
using namespace binding;
using namespace synthetic;
using namespace memory;
using namespace model;
using namespace timing;
using namespace report;
using namespace request;
using namespace trace;
using namespace prediction;
using namespace explain;
using namespace driver;
using namespace measured;
using namespace sweep;
using namespace comparison;
using namespace scores;
using namespace validation;
using namespace tuning;
using namespace store;
}  // namespace bench

}  // namespace forewarp
