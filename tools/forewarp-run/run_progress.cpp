// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "run_progress.h"

#include <string>
#include <string_view>

namespace forewarp::cli {

void RunProgress::look() {
  constexpr std::string_view launch = R"({"kind":"launch",)";
  const std::string text = journal_->text(read_);
  read_ += text.size();
  for (std::size_t at = text.find(launch); at != std::string::npos; at = text.find(launch, at + 1))
    ++launches_;
  progress_("launches", launches_, 0);
}

}  // namespace forewarp::cli
