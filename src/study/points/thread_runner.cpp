// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "study/points/thread_runner.h"

#include <thread>
#include <vector>

#include "study/ordered_pipeline.h"
#include "study/points/chunk_book.h"

namespace forewarp::study {

ThreadRunner::ThreadRunner(unsigned jobs) : workers_(thread_count(jobs)) {}

Expected<void> ThreadRunner::run(const PointJob& job) {
  ChunkBook book(job);
  std::vector<std::thread> threads;
  for (unsigned worker = 1; worker < workers_; ++worker) {
    threads.emplace_back([&book, &job, worker] { work_off(book, job, worker); });
  }
  work_off(book, job, 0);
  for (std::thread& thread : threads) thread.join();
  return {};
}

}  // namespace forewarp::study
