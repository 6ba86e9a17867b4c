// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "characterise/findings/characterisation.h"

namespace forewarp::characterise {

enum class Verdict : std::uint8_t {
  agrees,   ///< within three deviations, or within a thirtieth
  differs,  ///< by more
  unknown,  ///< the other board has no such number
};
[[nodiscard]] std::string_view verdict_name(Verdict verdict);

/// A value of another source, and ours over it.
struct OtherValue {
  double value = 0, ratio = 0;
  std::string source;
  Verdict verdict = Verdict::unknown;
};

/// A found number beside a board's own, which comes first, and beside values of other sources that
/// its file keeps.
struct ComparedFact {
  const FoundFact* found = nullptr;
  std::vector<OtherValue> others;
  [[nodiscard]] Verdict verdict() const;
};

/// Every number that was measured or told; those taken over from a board are left out.
[[nodiscard]] std::vector<ComparedFact> compare_facts(const Characterisation& found,
                                                      const Gpu& board);

}  // namespace forewarp::characterise
