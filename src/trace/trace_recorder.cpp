// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_recorder.h"

#include <utility>

namespace forewarp::trace {

void TraceRecorder::block_started(const Block& block) {
  std::unique_ptr<Running> running;
  if (free_.empty()) {
    running = std::make_unique<Running>(block.warps.size());
  } else {
    running = std::move(free_.back());
    free_.pop_back();
  }
  for (WarpEncoder& encoder : *running) encoder.start(kernel_instructions_);
  current_ = running.get();
  current_block_ = block.linear;
  running_.insert_or_assign(block.linear, std::move(running));
}

void TraceRecorder::find(std::uint64_t block) {
  current_ = running_.at(block).get();
  current_block_ = block;
}

void TraceRecorder::block_ended(const Block& block) {
  const auto found = running_.find(block.linear);
  RecordedBlock recorded;
  recorded.linear = block.linear;
  for (WarpEncoder& encoder : *found->second) {
    encoder.finish();
    recorded.warps.push_back({encoder.instructions(), &encoder.records()});
    instructions_ += encoder.instructions();
  }
  ++blocks_;
  warps_ += recorded.warps.size();
  if (!failure_) {
    if (auto ok = writer_->add(recorded); !ok) failure_ = ok.error();
  }
  free_.push_back(std::move(found->second));
  running_.erase(found);
  current_block_ = no_block;
}

}  // namespace forewarp::trace
