// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "comparison/boards/board_prices.h"
#include "driver/predictor.h"
#include "result/boards/board_table.h"

namespace forewarp::comparison {

struct BoardOptions {
  std::vector<std::string> boards;  ///< ids, names or files, each once
  std::vector<BoardPrice> prices;
  std::string price_file;
  unsigned jobs = 0;         ///< threads; 0: as many as the machine runs at once
  bool closer_look = false;  ///< each board as predict looks at it
  std::function<void(std::size_t done, std::size_t all)> progress;  ///< empty: nobody asks
};

/// Predicts the launch on every board that can run it. Boards that cannot are counted by reason; if
/// none can, the first reason is the refusal. Refuses an unknown GPU, in the list or among the
/// prices, and a GPU with two prices. The result does not depend on the number of threads.
Expected<BoardTable> predict_boards(Predictor& predictor, const Case& request,
                                    const PredictOptions& options, const BoardOptions& boards);

/// Marks the boards, fastest first, whose place behind the one before them is not sure
/// (BoardTable::Row::unsure_rank).
void mark_unsure_ranks(std::vector<BoardTable::Row>& rows);

/// Marks the Pareto front: rows that no other row beats, that is equals in time, energy and (with
/// prices) cost and betters in one. A row that lacks one of these figures stays unmarked and beats
/// nothing.
void mark_front(bool with_costs, std::vector<BoardTable::Row>& rows);

}  // namespace forewarp::comparison
