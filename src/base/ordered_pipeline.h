// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "base/threads.h"

namespace forewarp::base {

/// The three steps of a run over many items.
template <typename Item, typename Output>
struct PipelineSteps {
  std::function<bool(Item&)> next;                     ///< false at the end; one thread at a time
  std::function<Output(Item&, unsigned worker)> work;  ///< many threads; worker < jobs
  std::function<bool(Output&)> finish;                 ///< one at a time, in the order of next();
                                                       ///< false ends the run
};

struct PipelineSize {
  unsigned jobs = 1;        ///< threads; 0: as many as the machine runs at once
  std::size_t chunk = 1;    ///< items that a thread takes at once
  std::size_t window = 16;  ///< chunks per thread between next() and finish(): bounds the memory
};

/// Runs items through work() in several threads and hands the outputs over in the items' order,
/// so that what comes out does not depend on the number of threads.
template <typename Item, typename Output>
class OrderedPipeline {
 public:
  OrderedPipeline(PipelineSteps<Item, Output> steps, PipelineSize size)
      : steps_(std::move(steps)), size_(size), slots_(thread_count(size.jobs) * size.window) {}

  /// Returns when every output was finished, or the run was ended by finish().
  void run() {
    in_threads(thread_count(size_.jobs), [this](unsigned worker) { take_chunks(worker); });
  }

 private:
  struct Slot {
    std::vector<Output> outputs;
    bool ready = false;
  };

  void take_chunks(unsigned worker) {
    std::vector<Item> items;
    std::size_t chunk = 0;
    while (claim(items, chunk)) {
      std::vector<Output> outputs;
      outputs.reserve(items.size());
      for (Item& item : items) outputs.push_back(steps_.work(item, worker));
      hand_over(chunk, std::move(outputs));
    }
  }

  /// Waits while the window is full: the oldest chunk is then in work or being finished.
  bool claim(std::vector<Item>& items, std::size_t& chunk) {
    std::unique_lock lock(mutex_);
    progress_.wait(lock, [this] { return ended_ || claimed_ < finished_ + slots_.size(); });
    items.clear();
    while (!ended_ && items.size() < size_.chunk) {
      Item item{};
      if (steps_.next(item)) {
        items.push_back(std::move(item));
      } else {
        end();
      }
    }
    if (items.empty()) return false;
    chunk = claimed_++;
    return true;
  }

  void hand_over(std::size_t chunk, std::vector<Output> outputs) {
    std::unique_lock lock(mutex_);
    Slot& slot = slots_[chunk % slots_.size()];
    slot.outputs = std::move(outputs);
    slot.ready = true;
    // While a thread finishes the oldest chunk, that one is no longer ready: others go on to work,
    // and the finishing thread comes to their chunks.
    while (slots_[finished_ % slots_.size()].ready) finish_oldest(lock);
  }

  void finish_oldest(std::unique_lock<std::mutex>& lock) {
    Slot& slot = slots_[finished_ % slots_.size()];
    std::vector<Output> outputs = std::move(slot.outputs);
    slot.ready = false;
    lock.unlock();
    for (Output& output : outputs) stopped_ = stopped_ || !steps_.finish(output);
    lock.lock();
    ++finished_;
    if (stopped_) end();
    progress_.notify_all();
  }

  void end() {
    ended_ = true;
    progress_.notify_all();
  }

  PipelineSteps<Item, Output> steps_;
  PipelineSize size_;
  std::vector<Slot> slots_;  // a ring of chunks, by number
  std::mutex mutex_;
  std::condition_variable progress_;
  std::size_t claimed_ = 0;   // chunks given to threads
  std::size_t finished_ = 0;  // chunks whose outputs were handed over
  bool stopped_ = false;      // finish() said no; only the finishing thread touches it
  bool ended_ = false;        // next() has no more, or the run was stopped
};

}  // namespace forewarp::base
