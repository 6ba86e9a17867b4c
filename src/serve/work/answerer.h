// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "driver/predictor.h"

namespace forewarp::serve {

/// Kinds of messages to a worker and back.
namespace message {
inline constexpr char input = 'I';    ///< NAME, a zero, the bytes: no answer
inline constexpr char predict = 'P';  ///< an order: `result` or `refused`
inline constexpr char kernels = 'K';  ///< NAME and, after a zero, a GPU: `result` or `refused`
inline constexpr char result = 'R';   ///< JSON
inline constexpr char refused = 'E';  ///< the one line
}  // namespace message

/// The part of a worker that predicts: its inputs are in its memory.
class Answerer {
 public:
  explicit Answerer(HardwareDatabase database);

  void take_input(std::string_view name_and_bytes);
  /// The result record; a launch that cannot be predicted is one with `error`. Refused: an order
  /// that is none.
  Expected<std::string> predict(std::string_view order);
  /// Every kernel of an input: name, architecture, registers, parameters.
  Expected<std::string> kernels(std::string_view name_and_gpu);

 private:
  HardwareDatabase database_;
  Predictor predictor_;
  std::map<std::string, std::string> inputs_;
};

/// Answers messages from `in` at `out` until there are no more.
void work(Answerer& answerer, int in, int out);

}  // namespace forewarp::serve
