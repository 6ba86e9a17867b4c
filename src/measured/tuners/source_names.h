// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::measured {

/// The words of a source with the files of its folder that it includes, of the kernel's name and of
/// what the compiler is given: a macro that is none of them changes no code.
struct SourceNames {
  std::set<std::string> words;
  bool unseen = false;  ///< names are pasted together (##), or lie in other folders (-I)

  void add(std::string_view text);
  [[nodiscard]] bool may_name(const std::string& word) const {
    return unseen || words.contains(word);
  }
};

/// Refuses a source that cannot be read.
Expected<SourceNames> read_source_names(const std::string& source, const std::string& kernel,
                                        const std::vector<std::string>& compile_options);

}  // namespace forewarp::measured
