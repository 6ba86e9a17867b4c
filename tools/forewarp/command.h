// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "command_line.h"
#include "study_host.h"

namespace forewarp::cli {

/// The commands: their flags, and what each does; those with a host may keep points.
Command predict_command(StudyHost& host);
Command explain_command(StudyHost& host);
Command sweep_command(StudyHost& host);
Command results_command(StudyHost& host);
Command profile_command();
Command trace_command();
Command analyze_command();
Command occupancy_command();
Command gpu_command();
Command gpus_command();
Command link_command();
Command collective_command();
Command convert_command();
Command parameters_command();
Command residency_command();
Command stalls_command();
Command latencies_command();
Command model_command();
Command validate_command(StudyHost& host);
Command tune_command(StudyHost& host);
Command advise_command();
Command evaluate_command();
Command compare_command();
Command calibrate_command();
Command characterise_command();
Command runs_command();
Command options_command();
/// Completes the commands of `program`, which is asked for them when they are needed: describing
/// all of them twice takes as long as a short answer.
Command completion_command(std::function<Command()> program);

}  // namespace forewarp::cli
