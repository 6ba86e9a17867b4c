// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// All of the library: how long a compiled GPU kernel takes on a GPU, and why, without running it.
///
///     auto session = forewarp::Session::open();
///     auto kernel = session->kernel("examples/saxpy2.sass");
///     auto gpu = session->gpu("gtx970");
///     forewarp::Launch launch;
///     launch.grid(1562500).block(256).argument("n", 400'000'000).argument("a", 128);
///     auto result = session->predict({*kernel, *gpu, launch});
///     result->time_ms();
#pragma once

#include <forewarp/expected.h>
#include <forewarp/export.h>
#include <forewarp/gpu.h>
#include <forewarp/kernel.h>
#include <forewarp/launch.h>
#include <forewarp/options.h>
#include <forewarp/result.h>
#include <forewarp/session.h>
#include <forewarp/sweep.h>
#include <forewarp/version.h>
