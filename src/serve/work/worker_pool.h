// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/expected.h"
#include "base/threads.h"
#include "serve/process/sandbox.h"
#include "serve/work/input_store.h"

namespace forewarp::serve {

/// Decides which workers answer: an interactive request never waits behind a job.
enum class Urgency : std::uint8_t { now, job };

/// One message for a worker, with the input that it is about.
struct WorkItem {
  char kind = 0;
  std::string text;
  std::shared_ptr<const StoredInput> input;
  Urgency urgency = Urgency::now;
  std::chrono::seconds most{30};
  std::shared_ptr<const std::atomic<bool>> stop;  ///< null: nobody may stop it
  bool ends = false;                              ///< once begun, whatever `stop` says
};

struct WorkerPoolOptions {
  ChildOptions worker;               ///< the program without its sandbox
  View plain, compiling;             ///< what workers see, without and with the compiler
  unsigned urgent = 2, patient = 1;  ///< workers for each urgency
  unsigned compilers = 2;            ///< workers that compile, each one input's own
  bool confine = true, compile = true;
  std::string why_not_compile;  ///< the refusal, if they do not
  std::size_t most_waiting = 512;
};

/// Worker processes, each with a thread of ours that starts it, ends it when it takes too long, and
/// starts another when it died or grew. Sources are compiled where nobody else's input is.
class WorkerPool {
 public:
  WorkerPool(WorkerPoolOptions options, Sandbox sandbox);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Waits for the answer: its JSON, or why there is none. Where `left` says that nobody wants it
  /// any more, the worker is free at once for what is, but for one that has compiled the input.
  Expected<std::string> ask(WorkItem item, const std::function<bool()>& left = {});

 private:
  struct Waiting {
    WorkItem item;
    std::promise<Expected<std::string>> answer;
  };
  struct Line {
    std::condition_variable came;
    std::deque<std::unique_ptr<Waiting>> waiting;
  };
  class Worker;

  Line& line_of(const WorkItem& item);
  std::unique_ptr<Waiting> next(Line& line, const std::string& liked);

  const WorkerPoolOptions options_;
  const Sandbox sandbox_;
  std::mutex mutex_;
  Line urgent_, patient_, compiling_;
  bool ended_ = false;
  Threads threads_;
};

}  // namespace forewarp::serve
