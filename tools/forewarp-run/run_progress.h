// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "child.h"
#include "forewarp/progress.h"

namespace forewarp::cli {

/// Shows on a terminal how many launches the program has made, from what it appends to the journal.
class RunProgress {
 public:
  explicit RunProgress(const JournalFile& journal)
      : journal_(&journal), progress_(Progress::Wanted::usual) {}

  /// Reads what is new; draws when it is time to.
  void look();

 private:
  const JournalFile* journal_;
  Progress progress_;
  std::size_t read_ = 0, launches_ = 0;
};

}  // namespace forewarp::cli
