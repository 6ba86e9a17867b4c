// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forewarp/simulate_asked.h"
#include "store/run_writer.h"
#include "sweep/points/point_runner.h"

namespace forewarp::cli {

/// Simulates every run of a suite, each in a process of `forewarp-system`, on what `runner` has or
/// the workers of a queue, and answers with a table: what was varied, time, energy, failure chance
/// and which runs no other beats. With a store the runs are kept there, and those that are there
/// taken over; `begun` is the run without its axes and points.
Expected<int> run_suite(const SimulateAsked& asked, const RunStart& begun, PointRunner& runner);

/// A worker of a queue.
Expected<int> work_queue(const QueueAsked& asked);

}  // namespace forewarp::cli
