// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/points/thread_runner.h"

#include "base/threads.h"
#include "sweep/points/chunk_queue.h"

namespace forewarp::sweep {

ThreadRunner::ThreadRunner(unsigned jobs) : workers_(thread_count(jobs)) {}

Expected<void> ThreadRunner::run(const PointJob& job) {
  ChunkQueue book(job);
  in_threads(workers_, [&](unsigned worker) { work_off(book, job, worker); });
  return {};
}

}  // namespace forewarp::sweep
